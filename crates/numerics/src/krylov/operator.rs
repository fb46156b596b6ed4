//! What an iterative solver needs to know of a matrix: its size and its product with a vector.

use num_complex::Complex64;
use rayon::prelude::*;

use crate::dense::Matrix;

/// A linear map of complex vectors to vectors of the same length.
pub trait Operator: Sync {
    /// Returns the number of unknowns.
    fn size(&self) -> usize;

    /// Writes the product with `x` to `y`, both of length [`size`](Operator::size).
    fn apply(&self, x: &[Complex64], y: &mut [Complex64]);

    /// Writes the products with several vectors, which may be faster than one after another.
    fn apply_many(&self, x: &[Vec<Complex64>], y: &mut [Vec<Complex64>]) {
        for (x, y) in x.iter().zip(y) {
            self.apply(x, y);
        }
    }
}

/// Rows of a product computed together: the order of sums does not depend on the number of threads.
const ROWS: usize = 256;

/// A square matrix with all its entries.
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
