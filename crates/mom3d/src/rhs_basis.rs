//! Compression of right-hand sides: a sweep over angles has no more independent right-hand sides than about four per
//! wavelength of the body.

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_numerics::krylov::{inner_product, length, pivoted_gram_schmidt};

/// Orthonormal basis of right-hand sides, with the coefficients of each right-hand side.
pub(crate) struct RhsBasis {
    pub(crate) basis: Vec<Vec<Complex64>>,
    /// Coefficients of every right-hand side in the basis.
    parts: Vec<Vec<Complex64>>,
}

impl RhsBasis {
    /// Builds the basis of concatenated columns by pivoted Gram–Schmidt, until the remainder of every column is below
    /// `tolerance` relative to the column.
    pub(crate) fn of(columns: &[Complex64], size: usize, tolerance: f64) -> RhsBasis {
        let mut left: Vec<Vec<Complex64>> = (columns.par_chunks(size))
            .filter_map(|column| {
                let whole = length(column);
                (whole > 0.0).then(|| column.iter().map(|z| z / whole).collect())
            })
            .collect();
        let mut basis = Vec::new();
        pivoted_gram_schmidt(&mut basis, &mut left, tolerance);
        let parts = (columns.par_chunks(size))
            .map(|column| {
                basis
                    .iter()
                    .map(|vector| inner_product(vector, column))
                    .collect()
            })
            .collect();
        RhsBasis { basis, parts }
    }

    /// Writes the linear combinations of the transformed basis to `columns`.
    pub(crate) fn combine(&self, columns: &mut [Complex64]) {
        let size = columns.len() / self.parts.len().max(1);
        (columns.par_chunks_mut(size.max(1)).zip(&self.parts)).for_each(|(column, parts)| {
            column.fill(Complex64::ZERO);
            for (part, vector) in parts.iter().zip(&self.basis) {
                for (sum, value) in column.iter_mut().zip(vector) {
                    *sum += part * value;
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_are_the_columns_and_few_are_needed() {
        // Plane waves sampled along a line of four wavelengths, from 200 directions.
        let size = 400;
        let columns: Vec<Complex64> = (0..200)
            .flat_map(|wave| {
                let u = (f64::from(wave) * 0.0157).cos();
                (0..size).map(move |at| Complex64::from_polar(1.0, 0.0628 * u * f64::from(at)))
            })
            .collect();
        let few = RhsBasis::of(&columns, size as usize, 1e-6);
        assert!(few.basis.len() < 30, "{}", few.basis.len());
        let mut found = columns.clone();
        few.combine(&mut found);
        let apart: f64 = (found.iter().zip(&columns))
            .map(|(a, b)| (a - b).norm())
            .fold(0.0, f64::max);
        assert!(apart < 1e-5, "{apart:e}");
    }
}
