//! Errors of FFT plans and transforms.

use thiserror::Error;

use super::FftKind;

/// Error of an FFT plan, or of arrays that do not match it.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum FftShapeError {
    /// The number of axes is not 1, 2, or 3.
    #[error("unsupported number of axes: {found}; use 1, 2, or 3")]
    Axes {
        /// Number of axes found.
        found: usize,
    },
    /// An axis or the batch has length 0.
    #[error("{what} has length 0; a transform needs at least one element")]
    Empty {
        /// The axis or the batch.
        what: &'static str,
    },
    /// The number of elements exceeds the address range.
    #[error(
        "{batch} transforms of shape {shape:?} exceed the address range; reduce the shape or the batch"
    )]
    Overflow {
        /// Requested shape.
        shape: Vec<usize>,
        /// Requested batch.
        batch: usize,
    },
    /// A real transform with a complex plan, or a complex transform with a real plan.
    #[error("the FFT plan is of kind {planned:?}; create a plan of the other kind")]
    Kind {
        /// Kind of the plan.
        planned: FftKind,
    },
    /// An array does not have the length of the plan.
    #[error("{what} needs {expected} elements; found {found}")]
    Length {
        /// The array.
        what: &'static str,
        /// Required number of elements.
        expected: usize,
        /// Number of elements found.
        found: usize,
    },
}
