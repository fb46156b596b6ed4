//! Arrays as NPZ, which NumPy reads with `numpy.load`.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use super::npy;

use crate::failure::{Failure, shown};
use crate::outcome::Array;
use crate::output_file;

/// Values of an array from which an entry of the archive may need 64-bit lengths: 16 bytes each, and a head.
const LARGE: usize = (1 << 28) - (1 << 14);

/// Writes all arrays into one file.
pub(super) fn write(path: &Path, arrays: &[Array]) -> Result<(), Failure> {
    let partial = super::partial_name(path);
    let file = output_file::replace(&partial).map_err(|error| Failure::writing(path, &error))?;
    let mut writer = ZipWriter::new(BufWriter::new(file));
    for array in arrays {
        if array.shape.iter().product::<usize>() != array.data.len() {
            let error = format!(
                "array {} does not have the shape {:?}",
                array.name, array.shape
            );
            return Err(Failure::Runtime(error));
        }
        // Stored rather than deflated, so that readers can map the file; dated alike, so that equal results are equal files.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .last_modified_time(DateTime::default())
            .large_file(array.data.len() > LARGE);
        let name = format!("{}.npy", array.name);
        let started = writer.start_file(name, options).map_err(io::Error::from);
        let written = started.and_then(|()| npy::write(&mut writer, &array.shape, &array.data));
        written.map_err(|error| Failure::writing(path, &error))?;
    }
    let finished = writer.finish().map_err(io::Error::from);
    let flushed = finished.and_then(|mut file| file.flush());
    flushed.map_err(|error| Failure::writing(path, &error))?;
    let forced = File::open(&partial).and_then(|file| file.sync_data());
    forced
        .and_then(|()| std::fs::rename(&partial, path))
        .map_err(|error| Failure::writing(path, &error))
}

/// Most bytes that one of a file can stand for: deflation makes at best one of 1032. Entries that lie over each other
/// could claim more.
const DEFLATION: u64 = 1032;

/// Reads all arrays of a file.
pub(super) fn read(path: &Path) -> Result<Vec<Array>, Failure> {
    let wrong = |error: &dyn std::fmt::Display| {
        Failure::Input(format!("cannot read {}: {error}", shown(path)))
    };
    let file = File::open(path).map_err(|error| Failure::reading(path, &error))?;
    let length = file.metadata().map_err(|error| wrong(&error))?.len();
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|error| wrong(&error))?;
    let mut room = length.saturating_mul(DEFLATION);
    let mut arrays = Vec::new();
    for index in 0..archive.len() {
        let entry = archive.by_index(index).map_err(|error| wrong(&error))?;
        let name = entry.name().trim_end_matches(".npy").to_owned();
        let mut bytes = Vec::new();
        entry
            .take(room.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|error| wrong(&error))?;
        room = room.checked_sub(bytes.len() as u64).ok_or_else(|| {
            wrong(&format!(
                "its {length} bytes cannot hold all that it claims"
            ))
        })?;
        let (shape, data) =
            npy::read(&bytes).map_err(|error| wrong(&format!("array {name}: {error}")))?;
        arrays.push(Array { name, shape, data });
    }
    Ok(arrays)
}
