//! Why an iteration ended without a solution.

use thiserror::Error;

use crate::observe::Cancelled;

/// An iteration that did not reach its tolerance, or was stopped.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum KrylovError {
    /// The allowed iterations are used up.
    #[error(
        "GMRES stopped after {iterations} iterations at a residual of {residual:.1e}, above {tolerance:.1e}; use LU or the CFIE"
    )]
    NotConverged {
        /// Matrix products done.
        iterations: usize,
        /// Relative residual reached.
        residual: f64,
        /// Relative residual asked for.
        tolerance: f64,
    },
    /// A whole cycle between restarts has hardly reduced the residual.
    #[error(
        "GMRES stands still after {iterations} iterations at a residual of {residual:.3e}, from {before:.3e} one restart of {restart} \
         before: the restart is too short for this matrix, or the EFIE or MFIE is near a resonance of the body; use a longer \
         restart, the CFIE, or LU"
    )]
    Stagnated {
        /// Matrix products done.
        iterations: usize,
        /// Relative residual reached.
        residual: f64,
        /// Relative residual a restart before.
        before: f64,
        /// Products between restarts.
        restart: usize,
    },
    /// The run was stopped on request.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
