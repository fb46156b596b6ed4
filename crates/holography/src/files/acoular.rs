//! Reader of Acoular's HDF5 format: the dataset `time_data` [samples, channels] with the attribute `sample_freq`.

use hdf5_pure::{AttrValue, DType, File};

use super::error::{FileError, within};
use super::{MAX_CHANNELS, RATES};
use crate::recording::Recording;

/// Maximum compression ratio of DEFLATE. A larger claim is rejected before memory is allocated for it.
const DEFLATION: u64 = 1032;

pub(super) fn is_hdf5(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x89HDF\r\n\x1a\n")
}

/// Reads at most `frames` samples per channel from an Acoular HDF5 file, in the units of the file.
///
/// # Errors
/// Returns an error if the file is invalid or unsupported.
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
                "`time_data` has {} axes; expected 2 (samples, channels)",
                shape.len()
            ),
        });
    };
    within(
        "the number of channels",
        channels as f64,
        1.0,
        MAX_CHANNELS as f64,
    )?;
    let attributes = data.attrs().map_err(failed)?;
    let rate = attributes
        .get("sample_freq")
        .and_then(number)
        .ok_or(FileError::Missing {
            what: "numeric attribute `sample_freq` of `time_data`",
        })?;
    within("the sampling rate", rate, RATES[0], RATES[1])?;
    let kind = data.dtype().map_err(failed)?;
    if !matches!(kind, DType::F32 | DType::F64 | DType::I16 | DType::I32) {
        return Err(FileError::Contradiction {
            what: format!("`time_data` has the unsupported type {kind}; use f32, f64, i16, or i32"),
        });
    }
    let width = data.element_size().map_err(failed)?;
    let rows = rows.min(frames as u64);
    let most = DEFLATION as f64 * bytes.len() as f64;
    let size = |shape: &[u64]| shape.iter().map(|&n| n as f64).product::<f64>() * width as f64;
    within(
        "the sample size in bytes",
        size(&[rows, channels]),
        0.0,
        most,
    )?;
    if let Some(chunk) = data.chunk_shape().map_err(failed)? {
        within("the chunk size in bytes", size(&chunk), 0.0, most)?;
        // Chunk sizes come from an index, and memory would be allocated by them before the chunk is read.
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

/// Converts a scalar attribute, or an array of one element, to a number.
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
        // Byte range of the length of the first chunk in the chunk index.
        let length = 1424..1428;
        assert_eq!(bytes[length.clone()], 88_u32.to_le_bytes());
        bytes[length].copy_from_slice(&(u32::MAX - 88).to_le_bytes());
        assert!(matches!(
            read_acoular(&bytes, 7),
            Err(FileError::Truncated { .. })
        ));
    }
}
