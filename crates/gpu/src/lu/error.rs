//! Why a matrix could not be factored or solved with on a GPU.

use thiserror::Error;

use crate::DeviceError;
use wavefield_numerics::observe::Cancelled;

/// A matrix without usable factors, a device that failed, or a run that was stopped.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum GpuLuError {
    /// A pivot is zero.
    #[error(
        "the matrix is singular at unknown {index}: the equation has no unique solution here, use the CFIE"
    )]
    Singular {
        /// Number of the unknown.
        index: usize,
    },
    /// A matrix has an entry that single precision cannot hold.
    #[error(
        "the entry of row {row} and column {column} is beyond single precision; use double precision where the card has it, or the device `cpu`"
    )]
    BeyondSingle {
        /// Row of the entry, the first being 0.
        row: usize,
        /// Column of the entry, the first being 0.
        column: usize,
    },
    /// Iterative refinement did not reach its goal.
    #[error(
        "refinement stopped after {steps} steps at a residual of {residual:.1e}: the matrix is too badly conditioned for factors of single precision; use the CFIE, double precision where the card has it, or the device `cpu`"
    )]
    NotRefined {
        /// Corrections made.
        steps: usize,
        /// Residual reached, over the right-hand side.
        residual: f64,
    },
    /// The device failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The run was stopped on request.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
