//! Arrays as an NPZ archive, for `numpy.load`.

use std::io::{self, Read, Seek, SeekFrom, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use super::npy;

use crate::error::Error;
use wavefield_solver::outcome::Array;

/// Number of values above which an entry may need 64-bit lengths: 16 bytes each, and a header.
const LARGE: usize = (1 << 28) - (1 << 14);

/// Writes all arrays into one archive.
///
/// # Errors
/// [`Error::Shape`] if the shape of an array does not match its values, [`Error::Io`] if writing fails.
pub fn write(writer: impl Write + Seek, arrays: &[Array]) -> Result<(), Error> {
    let mut writer = ZipWriter::new(writer);
    for array in arrays {
        if array.shape.iter().product::<usize>() != array.data.len() {
            return Err(Error::Shape {
                name: array.name.clone(),
                shape: array.shape.clone(),
            });
        }
        // Stored rather than deflated, and aligned, so that readers can map the file; with a constant date, so that
        // equal results are bitwise identical files.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .last_modified_time(DateTime::default())
            .with_alignment(npy::ALIGNMENT)
            .large_file(array.data.len() > LARGE);
        let name = format!("{}.npy", array.name);
        writer.start_file(name, options).map_err(io::Error::from)?;
        npy::write(&mut writer, &array.shape, &array.data)?;
    }
    writer.finish().map_err(io::Error::from)?.flush()?;
    Ok(())
}

/// Maximum size of the arrays relative to their archive. Numbers of a computation compress less; deflate could reach
/// 1032, and overlapping entries more.
const MAX_INFLATION: u64 = 20;
/// Size that arrays may have in any case, bytes.
const ANY_SIZE: u64 = 1 << 24;

/// Reads all arrays of an archive.
///
/// # Errors
/// The file is not an archive of supported arrays, or cannot be read.
pub fn read(mut reader: impl Read + Seek) -> Result<Vec<Array>, Error> {
    let length = reader.seek(SeekFrom::End(0))?;
    let mut archive = ZipArchive::new(reader)?;
    let mut room = length.saturating_mul(MAX_INFLATION).max(ANY_SIZE);
    let mut arrays = Vec::new();
    for index in 0..archive.len() {
        let entry = archive.by_index(index)?;
        let name = entry.name().trim_end_matches(".npy").to_owned();
        let mut bytes = Vec::new();
        entry.take(room.saturating_add(1)).read_to_end(&mut bytes)?;
        room = (room.checked_sub(bytes.len() as u64)).ok_or(Error::Inflated { length })?;
        match npy::read(&bytes) {
            Ok((shape, data)) => arrays.push(Array { name, shape, data }),
            Err(reason) => return Err(Error::Array { name, reason }),
        }
    }
    Ok(arrays)
}
