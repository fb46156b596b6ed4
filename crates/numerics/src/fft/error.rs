//! Arrays that a transform cannot take.

use thiserror::Error;

use super::FftKind;

/// Why a transform of this shape cannot be planned, or of these arrays cannot be run.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum FftShapeError {
    /// Only one to three axes are transformed.
    #[error("{found} axes were given; a transform has 1, 2 or 3")]
    Axes {
        /// Number of axes given.
        found: usize,
    },
    /// An axis, or the batch, is empty.
    #[error("{what} has length 0; a transform needs at least one element")]
    Empty {
        /// Which one.
        what: &'static str,
    },
    /// The number of elements does not fit the machine's address range.
    #[error(
        "{batch} transforms of shape {shape:?} are more elements than this machine can address"
    )]
    Overflow {
        /// The shape asked for.
        shape: Vec<usize>,
        /// The batch asked for.
        batch: usize,
    },
    /// A real transform was asked of a complex plan or the other way round.
    #[error("this plan is for {planned:?} data; make another plan for the other kind")]
    Kind {
        /// What the plan was made for.
        planned: FftKind,
    },
    /// An array does not have the length the plan asks for.
    #[error("{what} needs {expected} elements, but {found} were given")]
    Length {
        /// Which array.
        what: &'static str,
        /// Elements the plan asks for.
        expected: usize,
        /// Elements given.
        found: usize,
    },
}
