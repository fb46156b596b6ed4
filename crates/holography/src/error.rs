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
    /// A number that must be positive is not.
    #[error("{what} must be positive and finite, not {value}")]
    NotPositive {
        /// What the number is.
        what: &'static str,
        /// Its value in SI units.
        value: f64,
    },
    /// A number lies outside the range in which it makes sense.
    #[error("{what} is {value}; it must lie between {least} and {most}")]
    OutOfRange {
        /// What the number is.
        what: &'static str,
        /// Its value.
        value: f64,
        /// The least that makes sense.
        least: f64,
        /// The most that makes sense.
        most: f64,
    },
    /// Bits are packed by tiles of eight by eight microphones, which do not fill the array.
    #[error(
        "an array of {rows} × {columns} microphones is not made of tiles of 8 × 8: both numbers must be multiples of 8"
    )]
    NotTiled {
        /// Rows of microphones.
        rows: usize,
        /// Columns of microphones.
        columns: usize,
    },
    /// A slice does not have the length that the array, the plan or the stream asks for.
    #[error("{what} has {found} elements, {expected} are needed")]
    Length {
        /// What the slice holds.
        what: &'static str,
        /// How many elements are needed.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A bin of the spectrum that a frame does not have, or that the front end cannot give.
    #[error("bin {bin} cannot be computed from a frame of {samples} samples: bins 1 to {most} can")]
    Bin {
        /// The bin asked for.
        bin: usize,
        /// Samples in a frame after decimation.
        samples: usize,
        /// The highest bin there is.
        most: usize,
    },
    /// A frequency that no DFT bin of a frame represents.
    #[error(
        "{frequency} Hz lies outside the DFT bins of a frame of {samples} samples, {least:.1} Hz to {most:.0} Hz"
    )]
    Frequency {
        /// The frequency asked for, Hz.
        frequency: f64,
        /// Samples in a frame after decimation.
        samples: usize,
        /// The lowest there is, Hz.
        least: f64,
        /// The highest there is, Hz.
        most: f64,
    },
    /// Two frequencies in one DFT bin.
    #[error("{first} Hz and {second} Hz share a DFT bin of width {step:.1} Hz; increase `frame`")]
    SameBin {
        /// One of them, Hz.
        first: f64,
        /// The other, Hz.
        second: f64,
        /// Width of a bin, Hz.
        step: f64,
    },
    /// A recording is too short, or ends within a clock.
    #[error(
        "the recording has {bytes} bytes; it must be a whole number of clocks of {clock} bytes, at least {clocks} of them"
    )]
    Recording {
        /// Bytes there are.
        bytes: usize,
        /// Bytes of all microphones at one clock.
        clock: usize,
        /// Clocks that lead-in and frame take.
        clocks: usize,
    },
    /// Nothing was asked for.
    #[error("{what}: at least one is needed")]
    Nothing {
        /// What is missing.
        what: &'static str,
    },
    /// What is too slow for a stream has no stage there.
    #[error("{what} is not computed live; another way must be chosen")]
    NotLive {
        /// What was asked for.
        what: &'static str,
    },
    /// Microphones whose places were given do not make up what this method needs.
    #[error("the microphones must stand on an even grid in one plane: {reason}")]
    NotAGrid {
        /// Why they do not.
        reason: String,
    },
    /// A sample that is no number.
    #[error("a sample of channel {channel} is not a number; channels count from 0")]
    NotANumber {
        /// Its channel.
        channel: usize,
    },
    /// A file that belongs to recorded samples was given with bits.
    #[error(
        "{what} belong to recorded samples; this file holds bits, whose microphones `array` and `microphone` describe"
    )]
    OnlyForSamples {
        /// What was given.
        what: &'static str,
    },
    /// The array is described twice, and differently.
    #[error(
        "the file of microphones has {rows} × {columns} of them, {pitch} m apart; omit `array`, or give the same"
    )]
    TwoArrays {
        /// Rows in the file.
        rows: usize,
        /// Columns in the file.
        columns: usize,
        /// Pitch in the file, metres.
        pitch: f64,
    },
    /// A file that cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// What planning finds wrong with a key of the problem file, by its files or its physics.
    #[error("`{key}`: {source}")]
    Key {
        /// The key in the problem file.
        key: &'static str,
        /// What is wrong with it.
        source: Box<Error>,
    },
    /// The field of a source cannot be computed.
    #[error(transparent)]
    Field(#[from] ExactError),
    /// A graphics card does not transform grids of this size.
    #[error(
        "with its border a hologram has {rows} × {columns} points; a graphics card transforms only numbers that are \
         products of 2, 3 and 5: choose the device `cpu`"
    )]
    CardGrid {
        /// Rows of the grid.
        rows: usize,
        /// Columns of the grid.
        columns: usize,
    },
    /// A graphics card failed or has too little memory.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// A transform on a graphics card failed.
    #[error(transparent)]
    Transform(#[from] FftError),
    /// The run was stopped.
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
            | Error::CardGrid { .. } => ErrorClass::Input,
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

/// Names the key of the problem file in an error.
pub(crate) fn keyed<T>(key: &'static str, result: Result<T, Error>) -> Result<T, Error> {
    result.map_err(|source| Error::Key {
        key,
        source: Box::new(source),
    })
}
