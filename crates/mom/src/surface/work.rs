//! What a run has to do, for a guess at its time.

use wavefield_physics::constants::{SPEED_OF_LIGHT, vacuum_wavenumber};

use super::fft::{FftOperator, Lengths};
use super::plan::Plan;
use super::spec::{Fft, LinearSolver};
use super::symmetry::Symmetry;

/// Amounts of work, over all frequencies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// Operations with real numbers of factors and of solutions with them.
    pub operations: f64,
    /// Pairs of triangles of whole matrices.
    pub pairs: f64,
    /// Pairs of near triangles, which cost more each.
    pub near_pairs: f64,
    /// Products in iterations, times unknowns.
    pub products: f64,
    /// Points of grids that products transform, times the logarithm (of base 2) of the number in each.
    pub transformed: f64,
}

impl Plan {
    /// Unknowns of the matrices that are factored one after another, more than one where the body is symmetric; none with iterations.
    pub fn matrices(&self) -> Vec<usize> {
        match (&self.linear_solver, &self.symmetry) {
            (LinearSolver::Fft(_), _) => Vec::new(),
            (LinearSolver::Lu, None) => vec![self.basis.size],
            (LinearSolver::Lu, Some(symmetry)) => {
                symmetry.sizes(self.combination.is_symmetric(&self.basis))
            }
        }
    }

    /// What a run has to do; how many iterations it takes is a guess.
    pub fn work(&self) -> Work {
        let frequencies = self.frequencies().len() as f64;
        let size = self.basis.size as f64;
        let triangles = self.basis.triangles.len() as f64;
        match self.linear_solver {
            LinearSolver::Lu => {
                let matrices = self.matrices();
                let images = self.symmetry.as_ref().map_or(1, Symmetry::count) as f64;
                let right_sides = self.right_sides() as f64;
                let operations: f64 = (matrices.iter())
                    .map(|&size| {
                        (size as f64).powi(2) * (8.0 / 3.0 * size as f64 + 8.0 * right_sides)
                    })
                    .sum();
                Work {
                    operations: operations * frequencies,
                    pairs: triangles * triangles / images * matrices.len() as f64 * frequencies,
                    ..Work::default()
                }
            }
            LinearSolver::Fft(fft) => {
                let highest = self.frequencies().iter().copied().fold(0.0, f64::max);
                let lengths = Lengths::for_accuracy(fft.accuracy);
                let (near_pairs, transformed) =
                    FftOperator::work(&self.basis, vacuum_wavenumber(highest), lengths);
                let products = self.products(&fft, highest) * frequencies;
                Work {
                    near_pairs: near_pairs * frequencies,
                    products: products * size,
                    transformed: products * transformed,
                    ..Work::default()
                }
            }
        }
    }

    /// Products at a frequency. Measured to four digits: closed bodies without cavities take some 30 for a wave, open ones 15 times
    /// the root of their wavelengths; of the waves of a sweep some eight to a wavelength are independent.
    fn products(&self, fft: &Fft, frequency: f64) -> f64 {
        let diagonal = self.mesh().bounding_box().map_or(0.0, |b| b.diagonal());
        let wavelengths = diagonal * frequency / SPEED_OF_LIGHT;
        let closed =
            self.combination.magnetic != 0.0 && self.basis.triangles.iter().all(|t| t.closed);
        let four_digits = if closed {
            30.0
        } else {
            15.0 * wavelengths.sqrt().max(1.0)
        };
        let waves = (self.right_sides() as f64).min(8.0 * wavelengths.max(1.0));
        waves * four_digits * -fft.tolerance.log10() / 4.0
    }
}
