//! Fields on tetrahedra as files for viewers of meshes: one `.vtu` a moment and a `.pvd` that lists them with times.
//!
//! Every tetrahedron has corners of its own, since fields may jump from one to the next. Numbers follow the XML as they
//! are in memory, each array after its length in bytes.

use std::fmt::Write as _;

use crate::outcome::{FieldFile, Outcome};

/// VTK's number for a tetrahedron.
const TETRAHEDRON: u8 = 10;

/// The bytes of a `.vtu` file; nothing if its arrays are not there.
pub(super) fn moment(file: &FieldFile, outcome: &Outcome) -> Option<Vec<u8>> {
    let points = outcome.array(&file.points)?.as_real()?;
    let vectors = [("E", &file.electric), ("Z0H", &file.magnetic)];
    let count = points.len() / 3;
    let cells = count / 4;
    let mut data: Vec<u8> = Vec::new();
    let mut append = |bytes: Vec<u8>| {
        let offset = data.len();
        data.extend((bytes.len() as u64).to_le_bytes());
        data.extend(bytes);
        offset
    };
    let floats = |values: &[f64]| -> Vec<u8> {
        values
            .iter()
            .flat_map(|&x| (x as f32).to_le_bytes())
            .collect()
    };
    let mut text = format!(
        "<?xml version=\"1.0\"?>\n\
         <VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n\
         <UnstructuredGrid>\n<Piece NumberOfPoints=\"{count}\" NumberOfCells=\"{cells}\">\n"
    );
    let array = |text: &mut String, kind: &str, name: &str, components: usize, offset: usize| {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"appended\" offset=\"{offset}\"/>"
        );
    };
    text.push_str("<Points>\n");
    array(&mut text, "Float32", "points", 3, append(floats(points)));
    text.push_str("</Points>\n<Cells>\n");
    let connectivity = (0..count as i64).flat_map(i64::to_le_bytes).collect();
    array(&mut text, "Int64", "connectivity", 1, append(connectivity));
    let offsets = (1..=cells as i64)
        .flat_map(|n| (4 * n).to_le_bytes())
        .collect();
    array(&mut text, "Int64", "offsets", 1, append(offsets));
    array(
        &mut text,
        "UInt8",
        "types",
        1,
        append(vec![TETRAHEDRON; cells]),
    );
    text.push_str("</Cells>\n<PointData Vectors=\"E\">\n");
    for (name, values) in vectors {
        let values = outcome.array(values)?.as_real()?;
        array(&mut text, "Float32", name, 3, append(floats(values)));
    }
    text.push_str(
        "</PointData>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_",
    );
    let mut bytes = text.into_bytes();
    bytes.extend(data);
    bytes.extend(b"\n</AppendedData>\n</VTKFile>\n");
    Some(bytes)
}

/// The text of the `.pvd` file.
pub(super) fn series(files: &[FieldFile]) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n",
    );
    for file in files {
        let _ = writeln!(
            text,
            "<DataSet timestep=\"{:e}\" part=\"0\" file=\"{}\"/>",
            file.time,
            file.file_name()
        );
    }
    text.push_str("</Collection>\n</VTKFile>\n");
    text
}
