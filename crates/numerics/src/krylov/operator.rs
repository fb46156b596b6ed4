//! The interface of a matrix to iterative solvers: its size and its matrix–vector product.

use num_complex::Complex64;
use rayon::prelude::*;

use crate::dense::Matrix;

/// A linear map between complex vectors of the same length.
pub trait Operator: Sync {
    /// Returns the number of unknowns.
    fn size(&self) -> usize;

    /// Writes the product with `x` to `y`, both of length [`size`](Operator::size).
    fn apply(&self, x: &[Complex64], y: &mut [Complex64]);

    /// Computes the products with several vectors, which may be faster than one after another.
    fn apply_many(&self, x: &[Vec<Complex64>], y: &mut [Vec<Complex64>]) {
        for (x, y) in x.iter().zip(y) {
            self.apply(x, y);
        }
    }
}

/// Rows of a product per task: the order of summation does not depend on the number of threads.
const ROWS: usize = 256;

/// A dense square matrix.
impl Operator for Matrix {
    fn size(&self) -> usize {
        self.rows()
    }

    fn apply(&self, x: &[Complex64], y: &mut [Complex64]) {
        y.par_chunks_mut(ROWS).enumerate().for_each(|(block, y)| {
            let first = block * ROWS;
            y.fill(Complex64::new(0.0, 0.0));
            for (j, &x) in x.iter().enumerate() {
                for (y, a) in y.iter_mut().zip(&self.column(j)[first..]) {
                    *y += a * x;
                }
            }
        });
    }
}
