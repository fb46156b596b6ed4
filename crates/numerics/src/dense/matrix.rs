//! A dense complex matrix, column after column.

use num_complex::Complex64;
use rayon::prelude::*;

use super::{
    kernels::memory,
    lines::{LANES, Line},
};

/// A dense complex matrix in memory of its own, column after column.
///
/// Columns begin at cache lines, an odd number of groups of eight rows apart, so that neighbours in a row
/// do not meet in the same places of the cache.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    lines: Vec<Line>,
    rows: usize,
    columns: usize,
}

/// Lines of a column of so many rows.
pub(super) fn stride(rows: usize) -> usize {
    2 * (rows.div_ceil(LANES) | 1)
}

impl Matrix {
    /// A matrix of zeros.
    #[must_use]
    pub fn zeros(rows: usize, columns: usize) -> Matrix {
        Matrix {
            lines: memory::zeros(stride(rows) * columns),
            rows,
            columns,
        }
    }

    /// A matrix whose entries are given by row and column, computed in parallel over columns.
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

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Bytes that a matrix of this shape takes.
    #[must_use]
    pub fn memory(rows: usize, columns: usize) -> u64 {
        (stride(rows) * size_of::<Line>()) as u64 * columns as u64
    }

    /// A column.
    ///
    /// # Panics
    /// When there is no such column.
    #[must_use]
    pub fn column(&self, index: usize) -> &[Complex64] {
        let stride = self.stride();
        let lines = &self.lines[index * stride..(index + 1) * stride];
        &bytemuck::cast_slice(lines)[..self.rows]
    }

    /// A column, to be written.
    ///
    /// # Panics
    /// When there is no such column.
    #[must_use]
    pub fn column_mut(&mut self, index: usize) -> &mut [Complex64] {
        let stride = self.stride();
        let lines = &mut self.lines[index * stride..(index + 1) * stride];
        &mut bytemuck::cast_slice_mut(lines)[..self.rows]
    }

    /// All columns with their numbers, to be written in parallel.
    pub fn par_columns_mut(
        &mut self,
    ) -> impl IndexedParallelIterator<Item = (usize, &mut [Complex64])> {
        let (stride, rows) = (self.stride(), self.rows);
        self.lines
            .par_chunks_exact_mut(stride)
            .map(move |lines| &mut bytemuck::cast_slice_mut(lines)[..rows])
            .enumerate()
    }

    /// The largest sum of moduli in a column: the 1-norm.
    #[must_use]
    pub fn norm1(&self) -> f64 {
        (0..self.columns)
            .into_par_iter()
            .map(|j| sum_of_moduli(self.column(j)))
            .reduce(|| 0.0, f64::max)
    }

    /// Lines of a column.
    pub(super) fn stride(&self) -> usize {
        stride(self.rows)
    }

    /// The memory, with zeros in the rows beyond the last.
    pub(super) fn into_lines(self) -> Vec<Line> {
        self.lines
    }
}

/// Σ|z|. Squares are taken where none that counts leaves the range of numbers.
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
