//! Directions of the residuals among basis vectors not yet multiplied: in block GMRES they soon span fewer directions than
//! there are right-hand sides, and only those are worth a product.
//!
//! M. Robbé, M. Sadkane, Linear Algebra Appl. 419 (2006) 265–285, drop directions by singular values of the residuals;
//! pivoting is used here, so that the dropped residual is known for every right-hand side.

use num_complex::Complex64;

use super::pivots::{inner_product, pivoted_gram_schmidt, remove};

/// A unitary rotation of the basis vectors from an index on: the first ones carry most of the residuals.
pub(super) struct Turn {
    /// Index of the first rotated vector.
    first: usize,
    /// Rotated vectors as combinations of the original ones.
    pub(super) columns: Vec<Vec<Complex64>>,
}

impl Turn {
    /// Computes the directions along which a residual, given by its components from the `first` vector on, exceeds `left`,
    /// followed by their orthogonal complement; also returns the number of the former.
    pub(super) fn new(
        first: usize,
        mut residuals: Vec<Vec<Complex64>>,
        left: f64,
    ) -> (Turn, usize) {
        let size = residuals.first().map_or(0, Vec::len);
        let mut columns = Vec::new();
        pivoted_gram_schmidt(&mut columns, &mut residuals, left);
        let count = columns.len();
        let mut axes: Vec<Vec<Complex64>> = (0..size)
            .map(|axis| {
                let mut vector = vec![Complex64::ZERO; size];
                vector[axis] = Complex64::new(1.0, 0.0);
                vector
            })
            .collect();
        for column in &columns {
            for axis in &mut axes {
                remove(axis, column);
            }
        }
        // The orthogonal complement contains an axis whose component is at least one over the square root of the dimension.
        pivoted_gram_schmidt(&mut columns, &mut axes, 0.5 / (size as f64).sqrt());
        (Turn { first, columns }, count)
    }

    /// Transforms coefficients from the rotated basis to the original one.
    pub(super) fn back(&self, parts: &mut [Complex64]) {
        let turned = &mut parts[self.first..self.first + self.columns.len()];
        let mut sum = vec![Complex64::ZERO; turned.len()];
        for (column, part) in self.columns.iter().zip(&*turned) {
            for (sum, value) in sum.iter_mut().zip(column) {
                *sum += value * part;
            }
        }
        turned.copy_from_slice(&sum);
    }

    /// Transforms coefficients from the original basis to the rotated one.
    pub(super) fn forth(&self, parts: &mut [Complex64]) {
        let turned = &mut parts[self.first..self.first + self.columns.len()];
        let along: Vec<Complex64> = (self.columns.iter())
            .map(|column| inner_product(column, turned))
            .collect();
        turned.copy_from_slice(&along);
    }
}

#[cfg(test)]
mod tests {
    use super::super::pivots::length;
    use super::*;

    #[test]
    fn what_comes_last_has_no_more_of_residuals_than_was_asked_for() {
        let size = 9;
        // Two significant directions, a third negligible one, and vectors before that stay unchanged.
        let residual = |wave: usize| -> Vec<Complex64> {
            (0..size)
                .map(|i| {
                    let (a, b) = ((wave * wave) as f64, 0.7 * wave as f64);
                    let wave = |k: f64| Complex64::from_polar(1.0, k * i as f64);
                    a * wave(0.3) + b * wave(1.1) + 1e-4 * b * wave(2.0)
                })
                .collect()
        };
        let residuals: Vec<Vec<Complex64>> = (1..6).map(residual).collect();
        let (turn, count) = Turn::new(3, residuals.clone(), 1e-2);
        assert_eq!((count, turn.columns.len()), (2, size));
        for residual in residuals {
            let before = [vec![Complex64::new(5.0, 1.0); 3], residual].concat();
            let mut parts = before.clone();
            turn.forth(&mut parts);
            assert_eq!(parts[..3], before[..3]);
            assert!(length(&parts[3 + count..]) <= 1e-2);
            turn.back(&mut parts);
            let apart: Vec<Complex64> = parts.iter().zip(&before).map(|(a, b)| a - b).collect();
            assert!(length(&apart) < 1e-12 * length(&before));
        }
    }
}
