//! LU factorization with partial pivoting, for many right-hand sides, with a condition estimate.

use num_complex::Complex64;
use wavefield_numerics::dense::{FactorError, Lu, Matrix};
use wavefield_numerics::observe::{Observer, Silent};

use crate::error::Error;

/// LU factors of a matrix.
#[derive(Clone, Debug)]
pub(crate) struct Factors {
    lu: Lu,
    norm_one: f64,
}

impl Factors {
    /// Factors a matrix.
    ///
    /// # Errors
    /// The matrix is singular, or an entry is not a number.
    pub(crate) fn new(matrix: Matrix) -> Result<Factors, Error> {
        Factors::watched(matrix, &Silent)
    }

    /// Factors a matrix with progress and cancellation.
    ///
    /// # Errors
    /// As [`new`](Factors::new), or the run was cancelled.
    pub(crate) fn watched(matrix: Matrix, observer: &dyn Observer) -> Result<Factors, Error> {
        let norm_one = matrix.norm1();
        let lu = Lu::factor(matrix, observer).map_err(|error| match error {
            FactorError::Singular { column } => Error::Singular { index: column },
            FactorError::Cancelled(cancelled) => Error::Cancelled(cancelled),
            other => Error::Factors(other),
        })?;
        Ok(Factors { lu, norm_one })
    }

    /// Returns the memory of a factorization including the matrix, bytes.
    pub(crate) fn memory(size: usize) -> usize {
        Lu::memory(size) as usize
    }

    /// Replaces the right-hand sides, concatenated in `columns`, by the solutions.
    pub(crate) fn solve(&self, columns: &mut [Complex64]) {
        self.lu.solve_in_place(columns);
    }

    /// Estimates the condition number ‖A‖₁‖A⁻¹‖₁, rarely too small by more than a factor of three.
    pub(crate) fn condition(&self) -> f64 {
        self.lu.condition(self.norm_one)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wavefield_numerics::krylov::Operator;

    fn some_matrix(size: usize) -> Matrix {
        Matrix::from_fn(size, size, |row, column| {
            let i = (column * size + row) as f64;
            Complex64::new((1.3 * i).sin(), (0.7 * i * i).cos())
        })
    }

    #[test]
    fn solutions_of_many_right_hand_sides_satisfy_the_equations() {
        let size = 90;
        let matrix = some_matrix(size);
        let right: Vec<Complex64> = (0..size * 70)
            .map(|i| Complex64::new((i as f64).cos(), 0.1 * i as f64 % 1.0))
            .collect();
        let factors = Factors::new(matrix.clone()).unwrap();
        let mut x = right.clone();
        factors.solve(&mut x);
        let mut image = vec![Complex64::new(0.0, 0.0); size];
        for (x, b) in x.chunks(size).zip(right.chunks(size)) {
            matrix.apply(x, &mut image);
            for (a, b) in image.iter().zip(b) {
                // Rounding error times a condition number of some thousands.
                assert!((a - b).norm() < 1e-10);
            }
        }
    }

    #[test]
    fn the_condition_estimate_is_that_of_the_inverse() {
        let size = 40;
        let matrix = some_matrix(size);
        let factors = Factors::new(matrix.clone()).unwrap();
        let mut inverse = Matrix::zeros(size, size);
        for i in 0..size {
            inverse.column_mut(i)[i] = Complex64::new(1.0, 0.0);
            factors.solve(inverse.column_mut(i));
        }
        let exact = matrix.norm1() * inverse.norm1();
        let ratio = factors.condition() / exact;
        assert!((0.3..1.0 + 1e-9).contains(&ratio), "{ratio}");
    }

    #[test]
    fn a_singular_matrix_is_refused() {
        assert!(matches!(
            Factors::new(Matrix::zeros(3, 3)),
            Err(Error::Singular { .. })
        ));
    }
}
