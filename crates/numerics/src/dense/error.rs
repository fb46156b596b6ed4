//! Errors of the LU decomposition.

use thiserror::Error;

use crate::observe::Cancelled;

/// Error of an LU decomposition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FactorError {
    /// The matrix is not square.
    #[error("LU decomposition needs a square matrix; found {rows} rows and {columns} columns")]
    NotSquare {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
    },
    /// An entry is infinite or NaN.
    #[error("the matrix entry in row {row}, column {column} (zero-based) is not finite")]
    NotFinite {
        /// Zero-based row.
        row: usize,
        /// Zero-based column.
        column: usize,
    },
    /// The matrix is singular: a column depends linearly on those before it.
    #[error("the matrix is singular: column {column} (zero-based) has no nonzero pivot")]
    Singular {
        /// Zero-based index of the first such column.
        column: usize,
    },
    /// The run was stopped on request.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
