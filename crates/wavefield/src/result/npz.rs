//! Arrays as NPZ, which NumPy reads with `numpy.load`.

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::Path;

use ndarray::{ArrayD, ArrayView, IxDyn};
use ndarray_npy::{NpzReader, NpzWriter, ReadNpzError};
use num_complex::Complex64;

use crate::failure::{Failure, shown};
use crate::outcome::{Array, Data};

/// Writes all arrays into one file.
pub(super) fn write(path: &Path, arrays: &[Array]) -> Result<(), Failure> {
    let partial = super::partial_name(path);
    let file = File::create(&partial).map_err(|error| Failure::writing(path, &error))?;
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
    std::fs::rename(&partial, path).map_err(|error| Failure::writing(path, &error))
}

/// Reads all arrays of a file.
pub(super) fn read(path: &Path) -> Result<Vec<Array>, Failure> {
    let wrong =
        |error: ReadNpzError| Failure::Input(format!("cannot read {}: {error}", shown(path)));
    let file = File::open(path).map_err(|error| Failure::reading(path, &error))?;
    let mut reader = NpzReader::new(BufReader::new(file)).map_err(wrong)?;
    let mut arrays = Vec::with_capacity(reader.len());
    for name in reader.names().map_err(wrong)? {
        arrays.push(read_one(&mut reader, &name).map_err(wrong)?);
    }
    Ok(arrays)
}

fn read_one(reader: &mut NpzReader<BufReader<File>>, name: &str) -> Result<Array, ReadNpzError> {
    let plain = name.trim_end_matches(".npy").to_owned();
    // The kind of an array is found by trying: the file format has no other question to ask.
    if let Ok(array) = reader.by_name::<ndarray::OwnedRepr<f64>, IxDyn>(name) {
        let array: ArrayD<f64> = array;
        let shape = array.shape().to_vec();
        return Ok(Array {
            name: plain,
            shape,
            data: Data::Real(array.into_iter().collect()),
        });
    }
    if let Ok(array) = reader.by_name::<ndarray::OwnedRepr<Complex64>, IxDyn>(name) {
        let array: ArrayD<Complex64> = array;
        let shape = array.shape().to_vec();
        return Ok(Array {
            name: plain,
            shape,
            data: Data::Complex(array.into_iter().collect()),
        });
    }
    let array: ArrayD<u32> = reader.by_name::<ndarray::OwnedRepr<u32>, IxDyn>(name)?;
    let shape = array.shape().to_vec();
    Ok(Array {
        name: plain,
        shape,
        data: Data::Index(array.into_iter().collect()),
    })
}
