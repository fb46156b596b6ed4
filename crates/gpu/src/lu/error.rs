//! Errors of the LU decomposition on the GPU.

use thiserror::Error;

use crate::DeviceError;
use wavefield_numerics::observe::Cancelled;

/// Error of a GPU LU decomposition or solution.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum GpuLuError {
    /// A pivot is zero.
    #[error(
        "the matrix is singular at unknown {index}: the integral equation has no unique solution at this frequency; use the CFIE"
    )]
    Singular {
        /// Index of the unknown.
        index: usize,
    },
    /// An entry exceeds the range of single precision.
    #[error(
        "the matrix entry in row {row}, column {column} (zero-based) exceeds single precision; use double precision if the GPU supports it, or the device `cpu`"
    )]
    BeyondSingle {
        /// Zero-based row of the entry.
        row: usize,
        /// Zero-based column of the entry.
        column: usize,
    },
    /// Iterative refinement did not converge.
    #[error(
        "iterative refinement did not converge: residual {residual:.1e} after {steps} steps; the matrix is too badly conditioned for factors in single precision; use the CFIE, double precision if the GPU supports it, or the device `cpu`"
    )]
    NotRefined {
        /// Number of refinement steps.
        steps: usize,
        /// Relative residual reached.
        residual: f64,
    },
    /// The device failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The run was stopped on request.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
