//! What a solver needs to know of an integral equation: how large it is and what it does to a vector.

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_compute::dense::Matrix;

/// A linear map of complex vectors onto vectors of the same length.
pub trait Operator: Sync {
    /// Number of unknowns.
    fn size(&self) -> usize;

    /// Writes the image of `x` to `y`, both of length [`size`](Operator::size).
    fn apply(&self, x: &[Complex64], y: &mut [Complex64]);
}

/// A matrix with all its entries, column after column.
#[derive(Clone, Debug, PartialEq)]
pub struct DenseMatrix {
    size: usize,
    entries: Vec<Complex64>,
}

/// Rows of a product computed together: the order of sums does not depend on the number of threads.
const ROWS: usize = 256;

impl DenseMatrix {
    /// A matrix of zeros.
    pub fn zeros(size: usize) -> DenseMatrix {
        DenseMatrix {
            size,
            entries: vec![Complex64::new(0.0, 0.0); size * size],
        }
    }

    /// The entries, column after column.
    pub fn columns(&self) -> &[Complex64] {
        &self.entries
    }

    /// The entries, column after column.
    pub fn columns_mut(&mut self) -> &mut [Complex64] {
        &mut self.entries
    }

    /// Parts in which the entries are handed over, each given back to the system before the next.
    pub(crate) const PARTS: usize = 8;

    /// The same matrix with columns at cache lines, for a factorisation in place.
    pub(crate) fn into_dense(mut self) -> Matrix {
        let size = self.size;
        let mut dense = Matrix::zeros(size, size);
        let part = size.div_ceil(Self::PARTS).max(1);
        for last in (1..=size.div_ceil(part)).rev() {
            let (first, end) = ((last - 1) * part, size.min(last * part));
            let entries = &self.entries;
            dense
                .par_columns_mut()
                .skip(first)
                .take(end - first)
                .for_each(|(j, column)| {
                    column.copy_from_slice(&entries[j * size..(j + 1) * size]);
                });
            self.entries.truncate(first * size);
            self.entries.shrink_to_fit();
        }
        dense
    }

    /// The entry of a row and a column.
    pub fn get(&self, row: usize, column: usize) -> Complex64 {
        self.entries[column * self.size + row]
    }

    /// The largest sum of moduli in a column.
    pub fn norm_one(&self) -> f64 {
        self.entries
            .par_chunks(self.size.max(1))
            .map(|column| column.iter().map(|z| z.norm()).sum::<f64>())
            .reduce(|| 0.0, f64::max)
    }
}

impl Operator for DenseMatrix {
    fn size(&self) -> usize {
        self.size
    }

    fn apply(&self, x: &[Complex64], y: &mut [Complex64]) {
        y.par_chunks_mut(ROWS).enumerate().for_each(|(block, y)| {
            let first = block * ROWS;
            y.fill(Complex64::new(0.0, 0.0));
            for (column, &x) in self.entries.chunks(self.size).zip(x) {
                for (y, a) in y.iter_mut().zip(&column[first..]) {
                    *y += a * x;
                }
            }
        });
    }
}
