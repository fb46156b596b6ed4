//! LU factors with partial pivoting: solutions for many right-hand sides and the condition number.

use std::convert::Infallible;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::lu::partial_pivoting::{factor, solve};
use faer::perm::PermRef;
use faer::{Conj, MatMut, MatRef, Par, Spec};
use num_complex::Complex64;
use rayon::prelude::*;

use crate::condition::inverse_norm_one;
use crate::error::Error;
use crate::operator::{DenseMatrix, Operator};

/// Right-hand sides solved together; fixed, so that sums run in the same order for any number of threads.
const RIGHT_SIDES: usize = 32;

/// The factors of a matrix, in its place.
#[derive(Clone, Debug)]
pub struct Factors {
    size: usize,
    entries: Vec<Complex64>,
    forward: Vec<usize>,
    inverse: Vec<usize>,
    norm_one: f64,
}

impl Factors {
    /// Factors a matrix.
    ///
    /// # Errors
    /// A pivot is exactly zero.
    pub fn new(matrix: DenseMatrix) -> Result<Factors, Error> {
        let size = matrix.size();
        let norm_one = matrix.norm_one();
        let mut factors = Factors {
            size,
            entries: matrix.into_columns(),
            forward: vec![0; size],
            inverse: vec![0; size],
            norm_one,
        };
        let params = Spec::default();
        let request = factor::lu_in_place_scratch::<usize, Complex64>(size, size, Par::Seq, params);
        factor::lu_in_place(
            MatMut::from_column_major_slice_mut(&mut factors.entries, size, size),
            &mut factors.forward,
            &mut factors.inverse,
            Par::Seq,
            MemStack::new(&mut MemBuffer::new(request)),
            params,
        );
        let zero = (0..size).find(|i| {
            let pivot = factors.entries[i * size + i];
            pivot.norm_sqr() == 0.0 || !pivot.is_finite()
        });
        match zero {
            Some(index) => Err(Error::Singular { index }),
            None => Ok(factors),
        }
    }

    fn matrix(&self) -> MatRef<'_, Complex64> {
        MatRef::from_column_major_slice(&self.entries, self.size, self.size)
    }

    /// Replaces right-hand sides, one after another in `columns`, by the solutions.
    pub fn solve(&self, columns: &mut [Complex64]) {
        self.each(columns, |part, count, stack| {
            let factors = self.matrix();
            let permutation = PermRef::new_checked(&self.forward, &self.inverse, self.size);
            let part = MatMut::from_column_major_slice_mut(part, self.size, count);
            solve::solve_in_place_with_conj(
                factors,
                factors,
                permutation,
                Conj::No,
                part,
                Par::Seq,
                stack,
            );
        });
    }

    /// The same with the conjugate transpose of the matrix.
    pub fn solve_adjoint(&self, columns: &mut [Complex64]) {
        self.each(columns, |part, count, stack| {
            let factors = self.matrix();
            let permutation = PermRef::new_checked(&self.forward, &self.inverse, self.size);
            let part = MatMut::from_column_major_slice_mut(part, self.size, count);
            solve::solve_transpose_in_place_with_conj(
                factors,
                factors,
                permutation,
                Conj::Yes,
                part,
                Par::Seq,
                stack,
            );
        });
    }

    fn each(
        &self,
        columns: &mut [Complex64],
        work: impl Fn(&mut [Complex64], usize, &mut MemStack) + Sync,
    ) {
        if self.size == 0 {
            return;
        }
        columns
            .par_chunks_mut(RIGHT_SIDES * self.size)
            .for_each(|part| {
                let count = part.len() / self.size;
                let request =
                    solve::solve_in_place_scratch::<usize, Complex64>(self.size, count, Par::Seq);
                work(part, count, MemStack::new(&mut MemBuffer::new(request)));
            });
    }

    /// An estimate of the condition number ‖A‖₁‖A⁻¹‖₁, rarely more than three times too small.
    pub fn condition(&self) -> f64 {
        let inverse = inverse_norm_one(
            self.size,
            |x| {
                self.solve(x);
                Ok::<(), Infallible>(())
            },
            |x| {
                self.solve_adjoint(x);
                Ok(())
            },
        );
        let Ok(inverse) = inverse;
        self.norm_one * inverse
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some_matrix(size: usize) -> DenseMatrix {
        let mut matrix = DenseMatrix::zeros(size);
        for (i, z) in matrix.columns_mut().iter_mut().enumerate() {
            let i = i as f64;
            *z = Complex64::new((1.3 * i).sin(), (0.7 * i * i).cos());
        }
        matrix
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
                // Rounding times a condition number of some thousands.
                assert!((a - b).norm() < 1e-10);
            }
        }
    }

    #[test]
    fn the_condition_estimate_is_that_of_the_inverse() {
        let size = 40;
        let matrix = some_matrix(size);
        let factors = Factors::new(matrix.clone()).unwrap();
        let mut inverse = DenseMatrix::zeros(size);
        for i in 0..size {
            inverse.columns_mut()[i * size + i] = Complex64::new(1.0, 0.0);
        }
        factors.solve(inverse.columns_mut());
        let exact = matrix.norm_one() * inverse.norm_one();
        let ratio = factors.condition() / exact;
        assert!((0.3..1.0 + 1e-9).contains(&ratio), "{ratio}");
    }

    #[test]
    fn a_singular_matrix_is_refused() {
        assert!(matches!(
            Factors::new(DenseMatrix::zeros(3)),
            Err(Error::Singular { .. })
        ));
    }
}
