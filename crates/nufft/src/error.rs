//! Errors of non-uniform transforms.

use thiserror::Error;
#[cfg(feature = "gpu")]
use wavefield_gpu::{DeviceError, fft::FftError};

/// Maximum number of modes of an axis: the fine grid, a little over four times as long at most, is
/// indexed with 31 bits.
const MAX_MODES: usize = 400_000_000;
/// Maximum number of modes of a transform, such that the size of the fine grid in bytes is below
/// 2⁶³.
const MAX_TOGETHER: u128 = 1 << 50;

/// Error of a NUFFT plan or transform.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum NufftError {
    /// The number of dimensions is not 1, 2, or 3.
    #[error("{found} dimensions are not supported; use 1, 2, or 3")]
    Dimensions {
        /// Requested number of dimensions.
        found: usize,
    },
    /// An axis has no modes.
    #[error("axis {axis} has no modes; use at least 1")]
    NoModes {
        /// Zero-based index of the axis.
        axis: usize,
    },
    /// The number of modes exceeds the limits.
    #[error(
        "too many modes: {modes:?}; use at most {MAX_MODES} per axis, and no more than fit in memory"
    )]
    TooManyModes {
        /// Number of modes of every axis.
        modes: Vec<usize>,
    },
    /// The tolerance is out of the range of this precision.
    #[error("a tolerance of {tolerance:e} is not possible in this precision; use {least:e} to 0.5")]
    Tolerance {
        /// Requested tolerance.
        tolerance: f64,
        /// Smallest possible tolerance.
        least: f64,
    },
    /// The upsampling factor is out of range.
    #[error("the upsampling factor {factor} is out of range; use 1.25 to 4")]
    Upsampling {
        /// Requested factor.
        factor: f64,
    },
    /// A coordinate or frequency is infinite or NaN.
    #[error("{what} is not finite: number {index} of axis {axis} is {value}")]
    NotFinite {
        /// The quantity.
        what: &'static str,
        /// Zero-based index of the axis.
        axis: usize,
        /// Zero-based index of the point.
        index: usize,
        /// Value.
        value: f64,
    },
    /// The ranges of points and frequencies need too fine a grid.
    #[error(
        "the space–bandwidth product along axis {axis} is too large: half range of points × half range of frequencies = {product:.3e}; reduce a range"
    )]
    Ranges {
        /// Zero-based index of the axis.
        axis: usize,
        /// Half range of the points times half range of the frequencies.
        product: f64,
    },
    /// The number of points exceeds the limit of a plan.
    #[error(
        "too many points: {found}, at most 4294967295 per plan; divide them among several plans"
    )]
    TooManyPoints {
        /// Number of points.
        found: usize,
    },
    /// The points are not set.
    #[error("the points are not set; call set_points first")]
    NoPoints,
    /// The CPU does not support the requested SIMD instruction set.
    #[error("this CPU does not support {wanted}; use another instruction set")]
    Instructions {
        /// Requested instruction set.
        wanted: String,
    },
    /// An array does not have the required length.
    #[error("{what} needs {expected} elements; found {found}")]
    Length {
        /// The array.
        what: &'static str,
        /// Required number of elements.
        expected: usize,
        /// Number of elements found.
        found: usize,
    },
    /// The operation is not supported on a GPU.
    #[cfg(feature = "gpu")]
    #[error("{what} are supported on the CPU only; use the device `cpu`")]
    NeedsCpu {
        /// The operation.
        what: &'static str,
    },
    /// The uniform FFT failed.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Fft(#[from] FftError),
    /// Atomic spreading is not available in f64.
    #[cfg(feature = "gpu")]
    #[error("the atomic spreader supports f32 only; use the deterministic spreader in f64")]
    AtomicDoubles,
    /// The device failed or lacks a capability.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Device(#[from] DeviceError),
}

impl NufftError {
    /// Checks that a plan supports these numbers of modes.
    pub(crate) fn check_modes(modes: &[usize]) -> Result<(), NufftError> {
        let together: u128 = modes.iter().map(|&count| count as u128).product();
        if modes.iter().any(|&count| count > MAX_MODES) || together > MAX_TOGETHER {
            return Err(NufftError::TooManyModes {
                modes: modes.to_vec(),
            });
        }
        Ok(())
    }

    /// Checks the length of an array.
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
