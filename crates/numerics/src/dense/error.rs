//! Why a matrix could not be factored.

use thiserror::Error;

use crate::observe::Cancelled;

/// A matrix that has no factors, or a run that was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FactorError {
    /// Only square matrices have an LU decomposition here.
    #[error("a matrix of {rows} rows and {columns} columns is not square")]
    NotSquare {
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
    },
    /// An entry is infinite or not a number.
    #[error("the entry in row {row}, column {column} (counted from zero) is not a finite number")]
    NotFinite {
        /// Its row.
        row: usize,
        /// Its column.
        column: usize,
    },
    /// A column depends on those before it.
    #[error(
        "the matrix is singular: column {column} (counted from zero) depends on the columns before it"
    )]
    Singular {
        /// The first such column.
        column: usize,
    },
    /// The run was stopped on request.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
