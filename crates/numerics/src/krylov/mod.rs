//! GMRES (generalized minimal residual method) for one or several right-hand sides, with restarts and an optional right
//! preconditioner.
//!
//! The matrix is an [`Operator`]: anything that computes matrix–vector products.
//!
//! ```
//! use num_complex::Complex64;
//! use wavefield_numerics::dense::Matrix;
//! use wavefield_numerics::krylov::{Limits, gmres};
//! use wavefield_numerics::observe::Silent;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let matrix = Matrix::from_fn(50, 50, |i, j| {
//!     Complex64::cis(-(i.abs_diff(j) as f64)) / (1.0 + i.abs_diff(j) as f64).powi(3)
//! });
//! let limits = Limits { tolerance: 1e-10, restart: 30, iterations: 100, vectors: usize::MAX };
//! let found = gmres(&matrix, &vec![Complex64::ONE; 50], limits, &Silent)?;
//! assert!(found.residual <= 1e-10 && found.iterations < 30);
//! # Ok(())
//! # }
//! ```
//!
//! Y. Saad, M. H. Schultz, SIAM J. Sci. Stat. Comput. 7 (1986) 856–869, with Gram–Schmidt reorthogonalization where orthogonality
//! is lost, Givens rotations, and restarts. Block GMRES solves several right-hand sides in one common Krylov space (Y. Saad,
//! Iterative Methods for Sparse Linear Systems, 2nd ed. 2003, § 6.12); linearly dependent vectors are deflated, and only directions
//! that still contribute to residuals are multiplied (`turn.rs`).

mod error;
mod kernels;
mod least_squares;
mod operator;
mod orthonormal;
mod pivots;
#[cfg(test)]
mod tests;
mod turn;

use num_complex::Complex64;

pub use self::error::KrylovError;
use self::least_squares::LeastSquares;
pub use self::operator::Operator;
pub use self::orthonormal::norm;
use self::orthonormal::{Orthonormal, add_combinations};
pub use self::pivots::{inner_product, length, pivoted_gram_schmidt};
use self::turn::Turn;
use crate::observe::{Observer, Progress};

/// Stagnation threshold: a restart cycle that leaves more than this fraction of the residual has stagnated.
const STANDSTILL: f64 = 0.99;

/// Largest residual along directions that are not multiplied, relative to the tolerance.
const ABANDONED: f64 = 0.25;

/// Convergence tolerance and limits of GMRES.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Relative residual at which iteration stops.
    pub tolerance: f64,
    /// Iterations between restarts.
    pub restart: usize,
    /// Maximum number of iterations.
    pub iterations: usize,
    /// Maximum number of basis vectors. A basis that is full before its restart is replaced by two for half of the right-hand sides
    /// each.
    pub vectors: usize,
}

/// A solution with its iteration count and residual.
#[derive(Clone, Debug, PartialEq)]
pub struct Iterated {
    /// The solution.
    pub solution: Vec<Complex64>,
    /// Number of matrix–vector products.
    pub iterations: usize,
    /// Relative residual, recomputed from the solution at the end.
    pub residual: f64,
}

/// Solves Ax = b.
///
/// # Errors
/// Returns [`KrylovError`] if the tolerance was not reached or a stop was requested.
pub fn gmres(
    operator: &dyn Operator,
    right: &[Complex64],
    limits: Limits,
    observer: &dyn Observer,
) -> Result<Iterated, KrylovError> {
    preconditioned_gmres(operator, None, right, limits, observer)
}

/// Solves Ax = b with a right preconditioner M ≈ A⁻¹, as AMy = b with x = My; residuals are those of x.
///
/// # Errors
/// Returns [`KrylovError`] if the tolerance was not reached or a stop was requested.
pub fn preconditioned_gmres(
    operator: &dyn Operator,
    inverse: Option<&dyn Operator>,
    right: &[Complex64],
    limits: Limits,
    observer: &dyn Observer,
) -> Result<Iterated, KrylovError> {
    let mut columns = [right.to_vec()];
    let (iterations, residual) = block_gmres(operator, inverse, &mut columns, limits, observer)?;
    let [solution] = columns;
    Ok(Iterated {
        solution,
        iterations,
        residual,
    })
}

/// Replaces right-hand sides with the solutions of AX = B; returns the number of iterations and the largest relative residual.
///
/// # Errors
/// Returns [`KrylovError`] if a right-hand side did not reach the tolerance or a stop was requested.
pub fn block_gmres(
    operator: &dyn Operator,
    inverse: Option<&dyn Operator>,
    columns: &mut [Vec<Complex64>],
    limits: Limits,
    observer: &dyn Observer,
) -> Result<(usize, f64), KrylovError> {
    let mut solutions = vec![vec![Complex64::ZERO; operator.size()]; columns.len()];
    let found = improve(
        (operator, inverse),
        columns,
        &mut solutions,
        0,
        limits,
        observer,
    )?;
    columns.swap_with_slice(&mut solutions);
    Ok(found)
}

/// Returns the memory in bytes of the vectors of [`block_gmres`], without its right-hand sides, and of the triangular matrix.
pub fn memory(size: usize, block: usize, vectors: usize) -> usize {
    // Solutions; updates before and after the preconditioner, or two images of each vector that is multiplied; the probe of
    // orthogonality.
    let beside = 3 * block + 1;
    let triangle = vectors * vectors / 2;
    size_of::<Complex64>() * (size * (vectors + beside) + triangle)
}

/// Refines solutions, starting after `iterations` iterations, until all residuals reach the tolerance.
fn improve(
    (operator, inverse): (&dyn Operator, Option<&dyn Operator>),
    columns: &[Vec<Complex64>],
    solutions: &mut [Vec<Complex64>],
    mut iterations: usize,
    limits: Limits,
    observer: &dyn Observer,
) -> Result<(usize, f64), KrylovError> {
    let goals: Vec<f64> = columns.iter().map(|column| norm(column)).collect();
    let mut before = f64::INFINITY;
    loop {
        // Relative residuals, so that all right-hand sides have the same tolerance.
        let residuals = residuals(operator, columns, solutions, &goals, iterations);
        // A NaN counts as the largest.
        let worst = (residuals.iter().map(|residual| norm(residual))).fold(0.0, larger);
        if worst <= limits.tolerance {
            return Ok((iterations, worst));
        }
        if iterations >= limits.iterations {
            return Err(KrylovError::NotConverged {
                iterations,
                residual: worst,
                tolerance: limits.tolerance,
            });
        }
        let falls = worst < STANDSTILL * before;
        if !falls {
            return Err(KrylovError::Stagnated {
                iterations,
                residual: worst,
                before,
                restart: limits.restart,
            });
        }
        before = worst;
        let most = limits.restart.min(limits.iterations - iterations).max(1);
        let mut cycle = Cycle::new(residuals);
        let mut steps = 0;
        let mut full = false;
        while steps < most && !cycle.is_exhausted() {
            let next = cycle.choose(limits.tolerance);
            full = steps > 0 && cycle.basis.vectors.len() + next > limits.vectors;
            if full {
                break;
            }
            cycle.advance(next, operator, inverse);
            steps += 1;
            let residual = cycle.least_squares.residual();
            observer.progress(&Progress::iteration(
                "iterations",
                (iterations + steps) as u64,
                residual,
            ));
            observer.checkpoint()?;
            // Half the tolerance, since rounding separates the true residual from the recursive one.
            if residual <= 0.5 * limits.tolerance {
                break;
            }
        }
        iterations += steps;
        let updates = cycle.solutions(inverse);
        let sought = (solutions.iter_mut().zip(&goals)).filter(|(_, goal)| **goal > 0.0);
        for ((solution, goal), update) in sought.zip(&updates) {
            for (sum, part) in solution.iter_mut().zip(update) {
                *sum += goal * part;
            }
        }
        if full && columns.len() > 1 {
            drop((cycle, updates));
            let half = columns.len().div_ceil(2);
            let (first, second) = solutions.split_at_mut(half);
            let mut all = (0, 0.0_f64);
            for (columns, solutions) in [(&columns[..half], first), (&columns[half..], second)] {
                let both = (operator, inverse);
                let (steps, residual) =
                    improve(both, columns, solutions, iterations, limits, observer)?;
                all = (all.0.max(steps), all.1.max(residual));
            }
            return Ok(all);
        }
    }
}

/// Returns the relative residuals of solutions after `iterations` iterations; right-hand sides that are zero have none.
fn residuals(
    operator: &dyn Operator,
    columns: &[Vec<Complex64>],
    solutions: &[Vec<Complex64>],
    goals: &[f64],
    iterations: usize,
) -> Vec<Vec<Complex64>> {
    if iterations == 0 {
        return (columns.iter().zip(goals))
            .filter(|(_, goal)| **goal > 0.0)
            .map(|(b, goal)| b.iter().map(|b| b / goal).collect())
            .collect();
    }
    let mut images = vec![vec![Complex64::ZERO; operator.size()]; columns.len()];
    operator.apply_many(solutions, &mut images);
    (columns.iter().zip(images).zip(goals))
        .filter(|(_, goal)| **goal > 0.0)
        .map(|((b, a), goal)| b.iter().zip(a).map(|(b, a)| (b - a) / goal).collect())
        .collect()
}

/// Returns the larger of two numbers; NaN if either is NaN.
fn larger(a: f64, b: f64) -> f64 {
    if b.is_nan() || b > a { b } else { a }
}

/// One restart cycle: an orthonormal basis and the images of its first vectors under the operator.
struct Cycle {
    basis: Orthonormal,
    least_squares: LeastSquares,
    /// Rotations of basis vectors before they were multiplied.
    turns: Vec<Turn>,
}

impl Cycle {
    fn new(residuals: Vec<Vec<Complex64>>) -> Cycle {
        let mut basis = Orthonormal::default();
        let parts = basis.extend(residuals);
        Cycle {
            basis,
            least_squares: LeastSquares::new(parts),
            turns: Vec::new(),
        }
    }

    /// Returns whether the Krylov space is exhausted.
    fn is_exhausted(&self) -> bool {
        self.least_squares.columns() == self.basis.vectors.len()
    }

    /// Rotates the basis vectors not yet multiplied so that those that carry residuals come first, and returns their number; all of
    /// them if no choice is possible.
    fn choose(&mut self, tolerance: f64) -> usize {
        let (first, size) = (self.least_squares.columns(), self.basis.vectors.len());
        let waiting = &mut self.basis.vectors[first..];
        if waiting.len() == 1 {
            return 1;
        }
        let residuals = (self.least_squares.residuals(size).into_iter())
            .map(|mut parts| {
                for turn in &self.turns {
                    turn.forth(&mut parts);
                }
                parts.split_off(first)
            })
            .collect();
        let (turn, count) = Turn::new(first, residuals, ABANDONED * tolerance);
        // No choice, or residuals that are not finite.
        if count == 0 || count == waiting.len() || turn.columns.len() < waiting.len() {
            return waiting.len();
        }
        let mut turned = vec![vec![Complex64::ZERO; waiting[0].len()]; waiting.len()];
        add_combinations(waiting, &turn.columns, &mut turned);
        waiting.swap_with_slice(&mut turned);
        self.turns.push(turn);
        count
    }

    /// Multiplies the next `next` basis vectors.
    fn advance(&mut self, next: usize, operator: &dyn Operator, inverse: Option<&dyn Operator>) {
        let first = self.least_squares.columns();
        let last = &self.basis.vectors[first..first + next];
        let mut images = vec![vec![Complex64::ZERO; operator.size()]; last.len()];
        match inverse {
            None => operator.apply_many(last, &mut images),
            Some(inverse) => {
                let mut inner = images.clone();
                inverse.apply_many(last, &mut inner);
                operator.apply_many(&inner, &mut images);
            }
        }
        for mut parts in self.basis.extend(images) {
            for turn in self.turns.iter().rev() {
                turn.back(&mut parts);
            }
            self.least_squares.add_column(parts);
        }
    }

    /// Returns the combinations with the least residuals.
    fn solutions(&self, inverse: Option<&dyn Operator>) -> Vec<Vec<Complex64>> {
        let size = self.basis.vectors[0].len();
        let weights = self.least_squares.solutions();
        let mut sums = vec![vec![Complex64::ZERO; size]; weights.len()];
        add_combinations(&self.basis.vectors, &weights, &mut sums);
        let Some(inverse) = inverse else {
            return sums;
        };
        let mut images = vec![vec![Complex64::ZERO; size]; sums.len()];
        inverse.apply_many(&sums, &mut images);
        images
    }
}
