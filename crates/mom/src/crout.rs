//! Crout's LU decomposition without pivoting and the inverses of both triangles, as published figures of
//! matrix-inversion programs have it. For everything else use [`Factors`](crate::factor::Factors): this takes three
//! times the operations, in an order that is slow, and grows rounding errors where a pivot is small.

use num_complex::Complex64;
use wavefield_compute::dense::Matrix;

use crate::error::Error;
use crate::operator::Operator;

/// L⁻¹ and U⁻¹, U with ones on its diagonal.
#[derive(Clone, Debug)]
pub struct CroutInverse {
    size: usize,
    lower: Vec<Complex64>,
    upper: Vec<Complex64>,
}

const ZERO: Complex64 = Complex64::new(0.0, 0.0);
const ONE: Complex64 = Complex64::new(1.0, 0.0);

impl CroutInverse {
    /// Factors a matrix and inverts the factors.
    ///
    /// # Errors
    /// A pivot is exactly zero.
    pub fn new(matrix: &Matrix) -> Result<CroutInverse, Error> {
        let n = matrix.size();
        // Rows of L and columns of U, so that both run along memory in the sums.
        let mut lower = vec![ZERO; n * n];
        let mut upper = vec![ZERO; n * n];
        for j in 0..n {
            for i in j..n {
                let sum = product(&lower[i * n..i * n + j], &upper[j * n..j * n + j]);
                lower[i * n + j] = matrix.column(j)[i] - sum;
            }
            let pivot = lower[j * n + j];
            if pivot == ZERO || !pivot.is_finite() {
                return Err(Error::Singular { index: j });
            }
            upper[j * n + j] = ONE;
            for i in j + 1..n {
                let sum = product(&lower[j * n..j * n + j], &upper[i * n..i * n + j]);
                upper[i * n + j] = (matrix.column(i)[j] - sum) / pivot;
            }
        }
        Ok(CroutInverse {
            size: n,
            lower: inverse_of_rows(&lower, n),
            // The columns of an upper triangle are the rows of its transpose, a lower one.
            upper: inverse_of_rows(&upper, n),
        })
    }

    /// Replaces right-hand sides, one after another in `columns`, by the solutions U⁻¹L⁻¹b.
    pub fn solve(&self, columns: &mut [Complex64]) {
        let n = self.size;
        for right in columns.chunks_mut(n) {
            let middle: Vec<Complex64> = (0..n)
                .map(|i| product(&self.lower[i * n..=i * n + i], &right[..=i]))
                .collect();
            right.fill(ZERO);
            for (j, middle) in middle.into_iter().enumerate() {
                for (right, u) in right[..=j].iter_mut().zip(&self.upper[j * n..=j * n + j]) {
                    *right += u * middle;
                }
            }
        }
    }
}

fn product(a: &[Complex64], b: &[Complex64]) -> Complex64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The inverse of a lower triangle stored by rows, stored by rows.
fn inverse_of_rows(lower: &[Complex64], n: usize) -> Vec<Complex64> {
    let mut inverse = vec![ZERO; n * n];
    for i in 0..n {
        let pivot = lower[i * n + i];
        let (done, rest) = inverse.split_at_mut(i * n);
        let row = &mut rest[..n];
        row[i] = ONE / pivot;
        for k in 0..i {
            let factor = lower[i * n + k] / pivot;
            for (x, y) in row[..=k].iter_mut().zip(&done[k * n..=k * n + k]) {
                *x -= factor * y;
            }
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::factor::Factors;

    #[test]
    fn the_inverse_of_the_triangles_solves_as_the_pivoted_factors_do() {
        let size = 60;
        let matrix = Matrix::from_fn(size, size, |row, column| {
            let i = (column * size + row) as f64;
            let weight = if row == column { 9.0 } else { 0.0 };
            Complex64::new((1.3 * i).sin() + weight, (0.7 * i).cos())
        });
        let mut a: Vec<Complex64> = (0..2 * size)
            .map(|i| Complex64::new(1.0, i as f64))
            .collect();
        let mut b = a.clone();
        CroutInverse::new(&matrix).unwrap().solve(&mut a);
        Factors::new(matrix).unwrap().solve(&mut b);
        for (a, b) in a.iter().zip(&b) {
            assert!((a - b).norm() < 1e-10 * (1.0 + b.norm()));
        }
    }
}
