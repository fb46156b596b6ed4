use std::io::Write;

use super::WriteError;
use super::vtu::escape;

/// Writes a PVD file, the ParaView index of an animation: a time in seconds and a file name for each time
/// sample.
pub fn write_pvd(steps: &[(f64, &str)], out: &mut impl Write) -> Result<(), WriteError> {
    writeln!(out, "<?xml version=\"1.0\"?>")?;
    writeln!(
        out,
        "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>"
    )?;
    for (time, file) in steps {
        writeln!(
            out,
            "<DataSet timestep=\"{time:e}\" part=\"0\" file=\"{}\"/>",
            escape(file)
        )?;
    }
    writeln!(out, "</Collection>\n</VTKFile>")?;
    Ok(())
}
