//! Many waves as combinations of few: a sweep over angles has no more independent right-hand sides than the body has
//! wavelengths, some four to each.

use num_complex::Complex64;
use rayon::prelude::*;

const ZERO: Complex64 = Complex64::new(0.0, 0.0);

/// An orthonormal basis of right-hand sides, and each of them in it.
pub(crate) struct IndependentWaves {
    pub(crate) basis: Vec<Vec<Complex64>>,
    /// Parts along the basis, of every right-hand side.
    parts: Vec<Vec<Complex64>>,
}

impl IndependentWaves {
    /// Of columns one after another: the one of which most is left is taken next (Gram–Schmidt with pivots), until no
    /// more than `tolerance` of any is left.
    pub(crate) fn of(columns: &[Complex64], size: usize, tolerance: f64) -> IndependentWaves {
        let mut left: Vec<Vec<Complex64>> = columns.par_chunks(size).map(<[_]>::to_vec).collect();
        let whole: Vec<f64> = left.par_iter().map(|column| length(column)).collect();
        let mut parts = vec![Vec::new(); left.len()];
        let mut basis: Vec<Vec<Complex64>> = Vec::new();
        loop {
            let remaining: Vec<f64> = (left.par_iter().zip(&whole))
                .map(|(column, &whole)| {
                    if whole > 0.0 {
                        length(column) / whole
                    } else {
                        0.0
                    }
                })
                .collect();
            let largest = (0..left.len()).max_by(|&a, &b| {
                // The earlier of equals.
                remaining[a].total_cmp(&remaining[b]).then(b.cmp(&a))
            });
            let Some(next) = largest.filter(|&next| remaining[next] > tolerance) else {
                break;
            };
            let mut vector = left[next].clone();
            // What is left of much is mostly rounding: once more.
            for other in &basis {
                let along = inner_product(other, &vector);
                subtract(&mut vector, along, other);
            }
            let size = length(&vector);
            for z in &mut vector {
                *z /= size;
            }
            (left.par_iter_mut().zip(&mut parts)).for_each(|(column, parts)| {
                let along = inner_product(&vector, column);
                subtract(column, along, &vector);
                parts.push(along);
            });
            basis.push(vector);
        }
        IndependentWaves { basis, parts }
    }

    /// Writes the combinations of what has become of the basis.
    pub(crate) fn combine(&self, columns: &mut [Complex64]) {
        let size = columns.len() / self.parts.len().max(1);
        (columns.par_chunks_mut(size.max(1)).zip(&self.parts)).for_each(|(column, parts)| {
            column.fill(ZERO);
            for (part, vector) in parts.iter().zip(&self.basis) {
                subtract(column, -part, vector);
            }
        });
    }
}

fn inner_product(a: &[Complex64], b: &[Complex64]) -> Complex64 {
    a.iter().zip(b).map(|(a, b)| a.conj() * b).sum()
}

fn length(vector: &[Complex64]) -> f64 {
    vector.iter().map(Complex64::norm_sqr).sum::<f64>().sqrt()
}

fn subtract(from: &mut [Complex64], factor: Complex64, vector: &[Complex64]) {
    for (x, v) in from.iter_mut().zip(vector) {
        *x -= factor * v;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_are_the_columns_and_few_are_needed() {
        // Waves along a line of four wavelengths, from 200 directions.
        let size = 400;
        let columns: Vec<Complex64> = (0..200)
            .flat_map(|wave| {
                let u = (f64::from(wave) * 0.0157).cos();
                (0..size).map(move |at| Complex64::from_polar(1.0, 0.0628 * u * f64::from(at)))
            })
            .collect();
        let waves = IndependentWaves::of(&columns, size as usize, 1e-6);
        assert!(waves.basis.len() < 30, "{}", waves.basis.len());
        let mut found = columns.clone();
        waves.combine(&mut found);
        let apart: f64 = (found.iter().zip(&columns))
            .map(|(a, b)| (a - b).norm())
            .fold(0.0, f64::max);
        assert!(apart < 1e-5, "{apart:e}");
    }
}
