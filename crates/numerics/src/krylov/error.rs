//! Errors of iterative solvers.

use thiserror::Error;

use crate::observe::Cancelled;

/// Error of an iterative solution that did not converge or was stopped.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum KrylovError {
    /// The maximum number of iterations is reached.
    #[error(
        "GMRES did not converge: residual {residual:.1e} after {iterations} iterations, tolerance {tolerance:.1e}; use LU or the CFIE"
    )]
    NotConverged {
        /// Number of matrix–vector products.
        iterations: usize,
        /// Relative residual reached.
        residual: f64,
        /// Requested relative residual.
        tolerance: f64,
    },
    /// The residual stagnated over a whole restart cycle.
    #[error(
        "GMRES stagnated after {iterations} iterations at residual {residual:.3e}, {before:.3e} one restart of {restart} \
         before: the restart is too short, or the EFIE or MFIE is near an interior resonance; increase `restart`, or use \
         the CFIE or LU"
    )]
    Stagnated {
        /// Number of matrix–vector products.
        iterations: usize,
        /// Relative residual reached.
        residual: f64,
        /// Relative residual one restart before.
        before: f64,
        /// Iterations between restarts.
        restart: usize,
    },
    /// The run was stopped on request.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
