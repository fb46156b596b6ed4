//! Operation counts of a run, for the time estimate.

use wavefield_physics::constants::{SPEED_OF_LIGHT, vacuum_wavenumber};

use crate::aim::{AimOperator, Lengths};
use crate::basis::Triangle;
use crate::pair::Reach;
use crate::plan::Plan;
use crate::solver::RightSides;
use crate::spec::{Aim, LinearSolver};
use crate::symmetry::Symmetry;

/// Maximum number of triangles whose near triangles are counted.
const SAMPLED: usize = 64;

/// Operation counts, over all frequencies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// Real floating-point operations of LU factorizations and solves.
    pub operations: f64,
    /// Far and near pairs of triangles of dense matrices.
    pub pairs: f64,
    /// Near pairs of triangles, which cost more.
    pub near_pairs: f64,
    /// AIM matrix–vector products times unknowns.
    pub products: f64,
    /// FFT points of the AIM grid, times log₂ of their number.
    pub transformed: f64,
}

impl Plan {
    /// Returns the numbers of unknowns of the matrices that are factored one after another; several for symmetric bodies, none
    /// with GMRES.
    pub fn matrices(&self) -> Vec<usize> {
        match (&self.linear_solver, &self.symmetry) {
            (LinearSolver::Aim(_), _) => Vec::new(),
            (LinearSolver::Lu, None) => vec![self.basis.size],
            (LinearSolver::Lu, Some(symmetry)) => {
                symmetry.sizes(self.combination.is_symmetric(&self.basis))
            }
        }
    }

    /// Estimates the operation counts of a run; the number of iterations is an empirical estimate.
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
                let pairs = triangles / images * matrices.len() as f64 * frequencies;
                Work {
                    operations: operations * frequencies,
                    pairs: pairs * triangles,
                    near_pairs: pairs * self.near_triangles(),
                    ..Work::default()
                }
            }
            LinearSolver::Aim(aim) => {
                let highest = self.frequencies().iter().copied().fold(0.0, f64::max);
                let lengths = Lengths::for_accuracy(aim.accuracy);
                let wavenumber = vacuum_wavenumber(highest);
                let (near_pairs, transformed) =
                    AimOperator::work(&self.basis, wavenumber, lengths, self.combination);
                let steps = self.steps(&aim, highest);
                let products = self.independent(highest) as f64 * steps * frequencies;
                Work {
                    near_pairs: near_pairs * frequencies,
                    products: products * size,
                    transformed: products * transformed,
                    ..Work::default()
                }
            }
        }
    }

    /// Estimates the number of triangles near a triangle, from evenly spaced ones.
    fn near_triangles(&self) -> f64 {
        let all = &self.basis.triangles;
        let counts: Vec<usize> = (all.iter())
            .step_by(all.len().div_ceil(SAMPLED).max(1))
            .map(|own| {
                let near = |other: &&Triangle| Reach::of(own, other) != Reach::Far;
                all.iter().filter(near).count()
            })
            .collect();
        counts.iter().sum::<usize>() as f64 / counts.len().max(1) as f64
    }

    /// Returns the diagonal of the body, wavelengths.
    fn wavelengths(&self, frequency: f64) -> f64 {
        let diagonal = self.mesh().bounding_box().map_or(0.0, |b| b.diagonal());
        diagonal * frequency / SPEED_OF_LIGHT
    }

    /// Estimates the iterations at a frequency. Measured to four digits: closed bodies without cavities take about 30
    /// iterations, open ones 15 times the square root of their size in wavelengths.
    fn steps(&self, aim: &Aim, frequency: f64) -> f64 {
        let closed =
            self.combination.magnetic != 0.0 && self.basis.triangles.iter().all(|t| t.closed);
        let four_digits = if closed {
            30.0
        } else {
            15.0 * self.wavelengths(frequency).sqrt().max(1.0)
        };
        four_digits * -aim.tolerance.log10() / 4.0
    }

    /// Estimates the independent right-hand sides at a frequency: about eight per wavelength in a sweep of plane waves.
    fn independent(&self, frequency: f64) -> usize {
        let most = 8.0 * self.wavelengths(frequency).max(1.0);
        self.right_sides_together().min(most.ceil() as usize)
    }

    /// Estimates the right-hand sides of a solve at a frequency: the Krylov basis has room for the iterations that a block is
    /// likely to need, and for all iterations before a restart of one right-hand side.
    pub(crate) fn right_sides_solved(&self, frequency: f64) -> RightSides {
        let independent = self.independent(frequency);
        let vectors = match &self.linear_solver {
            LinearSolver::Lu => 0,
            LinearSolver::Aim(aim) => {
                let restart = aim.restart.min(aim.max_iterations);
                let block = independent
                    .div_ceil(independent.div_ceil(aim.block_size).max(1))
                    .max(1);
                let steps = (self.steps(aim, frequency).ceil() as usize).min(restart);
                (block * (steps + 1)).max(restart + 1)
            }
        };
        RightSides {
            waves: self.right_sides_together(),
            independent,
            vectors,
        }
    }
}
