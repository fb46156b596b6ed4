//! Acoular's HDF5: the dataset `time_data` of samples by channels, with the attribute `sample_freq`.

use hdf5_pure::{AttrValue, DType, File};

use super::error::{FileError, within};
use super::{MOST_CHANNELS, RATES};
use crate::recording::Recording;

/// Most bytes that one of a file can stand for: deflation makes at best one of 1032. A file that claims more would have
/// it allocated for nothing.
const DEFLATION: u64 = 1032;

pub(super) fn is_hdf5(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x89HDF\r\n\x1a\n")
}

/// Reads the first samples of Acoular's HDF5, at most `frames` of every channel, in the file's units.
///
/// # Errors
/// What is wrong with the file.
pub fn read_acoular(bytes: &[u8], frames: usize) -> Result<Recording, FileError> {
    let failed = |error: hdf5_pure::Error| FileError::Hdf5 {
        message: error.to_string(),
    };
    let file = File::from_bytes(bytes.to_vec()).map_err(failed)?;
    let data = file.dataset("time_data").map_err(failed)?;
    let shape = data.shape().map_err(failed)?;
    let &[rows, channels] = &shape[..] else {
        return Err(FileError::Contradiction {
            what: format!(
                "`time_data` has {} axes; samples by channels are two",
                shape.len()
            ),
        });
    };
    within(
        "the number of channels",
        channels as f64,
        1.0,
        MOST_CHANNELS as f64,
    )?;
    let attributes = data.attrs().map_err(failed)?;
    let rate = attributes
        .get("sample_freq")
        .and_then(number)
        .ok_or(FileError::Missing {
            what: "number `sample_freq` beside its `time_data`",
        })?;
    within("the rate of samples", rate, RATES[0], RATES[1])?;
    let kind = data.dtype().map_err(failed)?;
    if !matches!(kind, DType::F32 | DType::F64 | DType::I16 | DType::I32) {
        return Err(FileError::Contradiction {
            what: format!(
                "`time_data` holds numbers of kind {kind}; f32, f64, i16 and i32 are read"
            ),
        });
    }
    let width = data.element_size().map_err(failed)?;
    let rows = rows.min(frames as u64);
    let most = DEFLATION as f64 * bytes.len() as f64;
    let size = |shape: &[u64]| shape.iter().map(|&n| n as f64).product::<f64>() * width as f64;
    within(
        "the size of its samples in bytes",
        size(&[rows, channels]),
        0.0,
        most,
    )?;
    if let Some(chunk) = data.chunk_shape().map_err(failed)? {
        within("the size of a chunk in bytes", size(&chunk), 0.0, most)?;
        // What a chunk takes in the file stands in an index, and memory would be taken for it before it is read.
        let chunks = data.chunks().map_err(failed)?;
        let ends = (chunks.iter()).map(|chunk| chunk.address.saturating_add(chunk.storage_size));
        if let Some(needed) = ends.max().filter(|end| *end > bytes.len() as u64) {
            return Err(FileError::Truncated {
                what: "a chunk of `time_data`",
                needed,
                found: bytes.len() as u64,
            });
        }
    }
    let samples = data.read_f32_rows(0, rows).map_err(failed)?;
    if samples.len() as u64 != rows * channels {
        return Err(FileError::Truncated {
            what: "`time_data`",
            needed: rows * channels,
            found: samples.len() as u64,
        });
    }
    Ok(Recording::new(rate, channels as usize, samples))
}

/// An attribute as a number; arrays of one are numbers too.
fn number(value: &AttrValue) -> Option<f64> {
    Some(match value {
        AttrValue::F32(x) => f64::from(*x),
        AttrValue::F64(x) => *x,
        AttrValue::I32(x) => f64::from(*x),
        AttrValue::I64(x) => *x as f64,
        AttrValue::U32(x) => f64::from(*x),
        AttrValue::U64(x) => *x as f64,
        AttrValue::F32Array(x) if x.len() == 1 => f64::from(x[0]),
        AttrValue::F64Array(x) if x.len() == 1 => x[0],
        AttrValue::I64Array(x) if x.len() == 1 => x[0] as f64,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_that_is_longer_than_the_file_is_refused() {
        let mut bytes = include_bytes!("../../tests/data/time_data.h5").to_vec();
        // Where the index has the length of the first chunk.
        let length = 1424..1428;
        assert_eq!(bytes[length.clone()], 88_u32.to_le_bytes());
        bytes[length].copy_from_slice(&(u32::MAX - 88).to_le_bytes());
        assert!(matches!(
            read_acoular(&bytes, 7),
            Err(FileError::Truncated { .. })
        ));
    }
}
