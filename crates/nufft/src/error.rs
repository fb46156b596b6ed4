//! What can go wrong with a non-uniform transform.

use thiserror::Error;
#[cfg(feature = "gpu")]
use wavefield_gpu::{DeviceError, fft::FftError};

/// Modes of an axis whose fine grid, up to four times as long and then some, is counted in 31 bits.
const MOST_MODES: usize = 400_000_000;
/// Modes in all whose bytes on the fine grid are counted in 63 bits.
const MOST_TOGETHER: u128 = 1 << 50;

/// Why a transform cannot be planned or run.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum NufftError {
    /// Only one to three dimensions are transformed.
    #[error("{found} dimensions were asked for; a transform has 1, 2 or 3")]
    Dimensions {
        /// Number of dimensions asked for.
        found: usize,
    },
    /// An axis without modes.
    #[error("axis {axis} has no modes; at least one is needed")]
    NoModes {
        /// Number of the axis.
        axis: usize,
    },
    /// More modes than a plan counts.
    #[error(
        "{modes:?} modes are more than one plan takes: at most {MOST_MODES} along an axis, and no more in all than memory can hold"
    )]
    TooManyModes {
        /// Modes of every axis.
        modes: Vec<usize>,
    },
    /// The tolerance cannot be kept in this precision.
    #[error(
        "a tolerance of {tolerance:e} is not possible in this precision; it must lie between {least:e} and 0.5"
    )]
    Tolerance {
        /// The tolerance asked for.
        tolerance: f64,
        /// The smallest that can be kept.
        least: f64,
    },
    /// The upsampling factor is out of range.
    #[error("an upsampling factor of {factor} is not possible; it must lie between 1.25 and 4")]
    Upsampling {
        /// The factor asked for.
        factor: f64,
    },
    /// A coordinate or frequency is not a finite number.
    #[error("{what} is not finite: number {index} of axis {axis} is {value}")]
    NotFinite {
        /// What it is.
        what: &'static str,
        /// Number of the axis.
        axis: usize,
        /// Number of the point.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// The ranges of points and frequencies need too fine a grid.
    #[error(
        "the half ranges of points and frequencies along axis {axis} have the product {product:.3e}, for which no grid fits in memory"
    )]
    Ranges {
        /// Number of the axis.
        axis: usize,
        /// Half range of the points times half range of the frequencies.
        product: f64,
    },
    /// More points than a plan counts.
    #[error("{found} points are more than one plan takes (4294967295); set them in several plans")]
    TooManyPoints {
        /// Number of points.
        found: usize,
    },
    /// The points were not given yet.
    #[error("the points are not set yet; call set_points first")]
    NoPoints,
    /// The processor does not have the vector instructions asked for.
    #[error("this processor has no {wanted} instructions")]
    Instructions {
        /// What was asked for.
        wanted: String,
    },
    /// An array does not have the length it should have.
    #[error("{what} needs {expected} elements, but {found} were given")]
    Length {
        /// Which array.
        what: &'static str,
        /// Elements that are needed.
        expected: usize,
        /// Elements given.
        found: usize,
    },
    /// What is not computed on a GPU.
    #[cfg(feature = "gpu")]
    #[error("{what} are computed on the CPU only; open the device `cpu` for them")]
    NeedsCpu {
        /// What was asked for.
        what: &'static str,
    },
    /// The uniform transform inside failed.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Fft(#[from] FftError),
    /// No GPU adds doubles atomically.
    #[cfg(feature = "gpu")]
    #[error(
        "the atomic spreader adds in f32 only; choose the deterministic spreader for a transform in f64"
    )]
    AtomicDoubles,
    /// The device failed or cannot do what was asked.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Device(#[from] DeviceError),
}

impl NufftError {
    /// Refuses numbers of modes that no plan can count.
    pub(crate) fn check_modes(modes: &[usize]) -> Result<(), NufftError> {
        let together: u128 = modes.iter().map(|&count| count as u128).product();
        if modes.iter().any(|&count| count > MOST_MODES) || together > MOST_TOGETHER {
            return Err(NufftError::TooManyModes {
                modes: modes.to_vec(),
            });
        }
        Ok(())
    }

    /// Refuses an array that does not have the length it should have.
    pub(crate) fn check_length(
        what: &'static str,
        expected: usize,
        found: usize,
    ) -> Result<(), NufftError> {
        if expected == found {
            Ok(())
        } else {
            Err(NufftError::Length {
                what,
                expected,
                found,
            })
        }
    }
}
