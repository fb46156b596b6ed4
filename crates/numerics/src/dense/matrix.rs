//! Dense complex matrix in column-major order.

use num_complex::Complex64;
use rayon::prelude::*;

use super::{
    kernels::memory,
    lines::{LANES, Line},
};

/// A dense complex matrix in column-major order.
///
/// Columns start at cache lines, an odd number of groups of eight rows apart, so that neighboring entries
/// of a row do not map to the same cache sets.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    lines: Vec<Line>,
    rows: usize,
    columns: usize,
}

/// Returns the lines per column for `rows` rows.
pub(super) fn stride(rows: usize) -> usize {
    2 * (rows.div_ceil(LANES) | 1)
}

impl Matrix {
    /// Creates a matrix of zeros.
    #[must_use]
    pub fn zeros(rows: usize, columns: usize) -> Matrix {
        Matrix {
            lines: memory::zeros(stride(rows) * columns),
            rows,
            columns,
        }
    }

    /// Creates a matrix from a function of row and column, evaluated in parallel over columns.
    #[must_use]
    pub fn from_fn(
        rows: usize,
        columns: usize,
        entry: impl Fn(usize, usize) -> Complex64 + Sync,
    ) -> Matrix {
        let mut matrix = Matrix::zeros(rows, columns);
        matrix.par_columns_mut().for_each(|(j, column)| {
            for (i, value) in column.iter_mut().enumerate() {
                *value = entry(i, j);
            }
        });
        matrix
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the memory of a matrix of this shape in bytes.
    #[must_use]
    pub fn memory(rows: usize, columns: usize) -> u64 {
        (stride(rows) * size_of::<Line>()) as u64 * columns as u64
    }

    /// Returns a column.
    ///
    /// # Panics
    /// Panics if the column does not exist.
    #[must_use]
    pub fn column(&self, index: usize) -> &[Complex64] {
        let stride = self.stride();
        let lines = &self.lines[index * stride..(index + 1) * stride];
        &bytemuck::cast_slice(lines)[..self.rows]
    }

    /// Returns a mutable column.
    ///
    /// # Panics
    /// Panics if the column does not exist.
    #[must_use]
    pub fn column_mut(&mut self, index: usize) -> &mut [Complex64] {
        let stride = self.stride();
        let lines = &mut self.lines[index * stride..(index + 1) * stride];
        &mut bytemuck::cast_slice_mut(lines)[..self.rows]
    }

    /// Returns a parallel iterator over mutable columns with their indices.
    pub fn par_columns_mut(
        &mut self,
    ) -> impl IndexedParallelIterator<Item = (usize, &mut [Complex64])> {
        let (stride, rows) = (self.stride(), self.rows);
        self.lines
            .par_chunks_exact_mut(stride)
            .map(move |lines| &mut bytemuck::cast_slice_mut(lines)[..rows])
            .enumerate()
    }

    /// Returns the 1-norm: the largest column sum of moduli.
    #[must_use]
    pub fn norm1(&self) -> f64 {
        (0..self.columns)
            .into_par_iter()
            .map(|j| sum_of_moduli(self.column(j)))
            .reduce(|| 0.0, f64::max)
    }

    /// Returns the lines per column.
    pub(super) fn stride(&self) -> usize {
        stride(self.rows)
    }

    /// Returns the memory as lines, with zeros in the padding rows.
    pub(super) fn into_lines(self) -> Vec<Line> {
        self.lines
    }
}

/// Returns Σ|z|; plain squares are used only where no significant one overflows or underflows.
fn sum_of_moduli(column: &[Complex64]) -> f64 {
    let largest = column
        .iter()
        .fold(0.0_f64, |most, z| most.max(z.re.abs()).max(z.im.abs()));
    if (1e-140..1e140).contains(&largest) {
        column.iter().map(|z| z.norm_sqr().sqrt()).sum()
    } else {
        column.iter().map(|z| z.norm()).sum()
    }
}
