//! Arrays as NPZ, which NumPy reads with `numpy.load`.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read};
use std::path::Path;

use ndarray::{ArrayView, IxDyn};
use ndarray_npy::NpzWriter;
use zip::ZipArchive;

use super::npy;

use crate::failure::{Failure, shown};
use crate::outcome::{Array, Data};
use crate::output_file;

/// Writes all arrays into one file.
pub(super) fn write(path: &Path, arrays: &[Array]) -> Result<(), Failure> {
    let partial = super::partial_name(path);
    let file = output_file::replace(&partial).map_err(|error| Failure::writing(path, &error))?;
    let mut writer = NpzWriter::new(BufWriter::new(file));
    for array in arrays {
        let shape = IxDyn(&array.shape);
        let shaped =
            |error| Failure::Runtime(format!("array {} has a wrong shape: {error}", array.name));
        let written = match &array.data {
            Data::Real(values) => {
                let view = ArrayView::from_shape(shape, values).map_err(shaped)?;
                writer.add_array(array.name.as_str(), &view)
            }
            Data::Complex(values) => {
                let view = ArrayView::from_shape(shape, values).map_err(shaped)?;
                writer.add_array(array.name.as_str(), &view)
            }
            Data::Index(values) => {
                let view = ArrayView::from_shape(shape, values).map_err(shaped)?;
                writer.add_array(array.name.as_str(), &view)
            }
        };
        written.map_err(|error| Failure::writing(path, &error))?;
    }
    writer
        .finish()
        .map_err(|error| Failure::writing(path, &error))?;
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
