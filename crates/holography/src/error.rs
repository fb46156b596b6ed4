//! Errors of the holography solver and its parts.

use wavefield_gpu::DeviceError;
use wavefield_gpu::fft::FftError;
use wavefield_numerics::observe::Cancelled;
use wavefield_physics::exact::ExactError;
use wavefield_solver::scene::InvalidSpec;
use wavefield_solver::{Classified, ErrorClass};

use crate::files::FileError;

/// An error of planning, measurement, or reconstruction.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// The specification is invalid.
    #[error(transparent)]
    Invalid(#[from] InvalidSpec),
    /// A quantity that must be positive is not.
    #[error("{what} must be positive and finite, not {value}")]
    NotPositive {
        /// Name of the quantity.
        what: &'static str,
        /// Value in SI units.
        value: f64,
    },
    /// A quantity is out of range.
    #[error("{what} is {value}; it must lie between {least} and {most}")]
    OutOfRange {
        /// Name of the quantity.
        what: &'static str,
        /// Value.
        value: f64,
        /// Minimum.
        least: f64,
        /// Maximum.
        most: f64,
    },
    /// The array cannot be divided into 8 × 8 tiles, in which bits are packed.
    #[error(
        "an array of {rows} × {columns} microphones cannot be divided into 8 × 8 tiles; use multiples of 8"
    )]
    NotTiled {
        /// Rows of microphones.
        rows: usize,
        /// Columns of microphones.
        columns: usize,
    },
    /// The length of a slice does not match the array, the plan, or the stream.
    #[error("{what} has {found} elements; expected {expected}")]
    Length {
        /// Content of the slice.
        what: &'static str,
        /// Expected number of elements.
        expected: usize,
        /// Actual number of elements.
        found: usize,
    },
    /// The DFT bin is outside the range that the front end computes.
    #[error("DFT bin {bin} is out of range for a frame of {samples} samples; use bins 1 to {most}")]
    Bin {
        /// Requested bin.
        bin: usize,
        /// Samples in a frame after decimation.
        samples: usize,
        /// Highest bin.
        most: usize,
    },
    /// The frequency is outside the range of the DFT bins of a frame.
    #[error(
        "{frequency} Hz lies outside the DFT bins of a frame of {samples} samples, {least:.1} Hz to {most:.0} Hz"
    )]
    Frequency {
        /// Requested frequency, Hz.
        frequency: f64,
        /// Samples in a frame after decimation.
        samples: usize,
        /// Minimum frequency, Hz.
        least: f64,
        /// Maximum frequency, Hz.
        most: f64,
    },
    /// Two frequencies share a DFT bin.
    #[error("{first} Hz and {second} Hz share a DFT bin of width {step:.1} Hz; increase `frame`")]
    SameBin {
        /// First frequency, Hz.
        first: f64,
        /// Second frequency, Hz.
        second: f64,
        /// Bin width, Hz.
        step: f64,
    },
    /// The recording is too short or ends within a clock cycle.
    #[error(
        "the recording has {bytes} bytes; expected a whole number of clock cycles of {clock} bytes each, at least {clocks} cycles"
    )]
    Recording {
        /// Length of the recording, bytes.
        bytes: usize,
        /// Length of one clock cycle of all microphones, bytes.
        clock: usize,
        /// Number of clock cycles in lead-in and frame.
        clocks: usize,
    },
    /// An empty set where at least one element is required.
    #[error("{what}: at least one is required")]
    Nothing {
        /// Name of the empty set.
        what: &'static str,
    },
    /// The feature is not supported in streaming operation.
    #[error("streaming does not support {what}")]
    NotLive {
        /// Name of the feature.
        what: &'static str,
    },
    /// The microphone positions do not form a regular planar grid.
    #[error(
        "the microphone positions must form a regular grid in one plane: {reason}. Spirals and other irregular arrays are not supported; beamforming programs such as Acoular evaluate them"
    )]
    NotAGrid {
        /// Violated condition.
        reason: String,
    },
    /// A sample is not finite.
    #[error("channel {channel} (counted from 0) contains a sample that is not finite")]
    NotANumber {
        /// Channel, counted from 0.
        channel: usize,
    },
    /// A file for PCM samples was given with a PDM bitstream.
    #[error(
        "{what} apply to PCM samples only, and the file holds a PDM bitstream; describe its microphones by `array` and `microphone`"
    )]
    OnlyForSamples {
        /// Name of the file's content.
        what: &'static str,
    },
    /// The array in the specification contradicts the microphone positions in the file.
    #[error(
        "the file of microphone positions describes an array of {rows} × {columns} with a pitch of {pitch} m; omit `array`, or make it match"
    )]
    TwoArrays {
        /// Rows in the file.
        rows: usize,
        /// Columns in the file.
        columns: usize,
        /// Pitch in the file, m.
        pitch: f64,
    },
    /// A file cannot be decoded.
    #[error(transparent)]
    File(#[from] FileError),
    /// A key of the problem file conflicts with its input files or is physically infeasible.
    #[error("`{key}`: {source}")]
    Key {
        /// Key in the problem file.
        key: &'static str,
        /// Cause.
        source: Box<Error>,
    },
    /// The field of a source cannot be evaluated.
    #[error(transparent)]
    Field(#[from] ExactError),
    /// The GPU FFT does not support grids of this size.
    #[error(
        "the padded hologram has {rows} × {columns} points; the GPU FFT supports only products of \
         2, 3, and 5: choose the device `cpu`"
    )]
    GpuGrid {
        /// Rows of the padded grid.
        rows: usize,
        /// Columns of the padded grid.
        columns: usize,
    },
    /// The GPU failed or has insufficient memory.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// A GPU FFT failed.
    #[error(transparent)]
    Transform(#[from] FftError),
    /// The run was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl Classified for Error {
    fn class(&self) -> ErrorClass {
        match self {
            Error::Invalid(error) => error.class(),
            Error::Key { source, .. } => source.class(),
            Error::Device(error) => error.class(),
            Error::Transform(error) => error.class(),
            Error::Cancelled(error) => error.class(),
            Error::NotPositive { .. }
            | Error::OutOfRange { .. }
            | Error::NotTiled { .. }
            | Error::Length { .. }
            | Error::Bin { .. }
            | Error::Frequency { .. }
            | Error::SameBin { .. }
            | Error::Recording { .. }
            | Error::Nothing { .. }
            | Error::NotLive { .. }
            | Error::NotAGrid { .. }
            | Error::NotANumber { .. }
            | Error::OnlyForSamples { .. }
            | Error::TwoArrays { .. }
            | Error::File(_)
            | Error::Field(_)
            | Error::GpuGrid { .. } => ErrorClass::Input,
        }
    }

    fn path(&self) -> Option<String> {
        match self {
            Error::Key { key, .. } => Some((*key).to_owned()),
            Error::Invalid(error) => error.path(),
            _ => None,
        }
    }
}

pub(crate) fn positive(what: &'static str, value: f64) -> Result<f64, Error> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(Error::NotPositive { what, value })
    }
}

pub(crate) fn within(what: &'static str, value: f64, least: f64, most: f64) -> Result<f64, Error> {
    if (least..=most).contains(&value) {
        Ok(value)
    } else {
        Err(Error::OutOfRange {
            what,
            value,
            least,
            most,
        })
    }
}

pub(crate) fn long_as(what: &'static str, expected: usize, found: usize) -> Result<(), Error> {
    if expected == found {
        Ok(())
    } else {
        Err(Error::Length {
            what,
            expected,
            found,
        })
    }
}

/// Attaches the key of the problem file to an error.
pub(crate) fn keyed<T>(key: &'static str, result: Result<T, Error>) -> Result<T, Error> {
    result.map_err(|source| Error::Key {
        key,
        source: Box::new(source),
    })
}
