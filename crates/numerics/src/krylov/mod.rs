//! GMRES: the combination of x, Ax, A²x, … with the least residual, for several right-hand sides at once.
//!
//! A matrix is an [`Operator`]: anything that makes products with vectors.
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
//! Y. Saad, M. H. Schultz, SIAM J. Sci. Stat. Comput. 7 (1986) 856–869; with Gram–Schmidt twice where orthogonality is lost, Givens
//! rotations and restarts. Several right-hand sides look for their solutions among what all of them have made (Y. Saad,
//! Iterative Methods for Sparse Linear Systems, 2nd ed. 2003, § 6.12); what has become dependent is left out, and only
//! directions in which residuals still point are multiplied (`turn.rs`).

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

/// A residual that a whole basis leaves larger than this part of itself stands still.
const STANDSTILL: f64 = 0.99;

/// What residuals may keep along vectors that are not multiplied, in tolerances.
const ABANDONED: f64 = 0.25;

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Residual over the right-hand side at which the solution is good.
    pub tolerance: f64,
    /// Products after which the basis is thrown away.
    pub restart: usize,
    /// Products after which it is given up.
    pub iterations: usize,
    /// Most vectors of a basis. One that is full before its restart goes on with half of the right-hand sides at a time.
    pub vectors: usize,
}

/// A solution and how it was reached.
#[derive(Clone, Debug, PartialEq)]
pub struct Iterated {
    /// The solution.
    pub solution: Vec<Complex64>,
    /// Products with the operator.
    pub iterations: usize,
    /// Norm of the residual over that of the right-hand side, computed afresh at the end.
    pub residual: f64,
}

/// Solves Ax = b.
///
/// # Errors
/// The tolerance was not reached, or a stop was requested.
pub fn gmres(
    operator: &dyn Operator,
    right: &[Complex64],
    limits: Limits,
    observer: &dyn Observer,
) -> Result<Iterated, KrylovError> {
    preconditioned_gmres(operator, None, right, limits, observer)
}

/// Solves Ax = b as AMy = b, x = My, M being close to the inverse of A: residuals are those of x.
///
/// # Errors
/// The tolerance was not reached, or a stop was requested.
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

/// Replaces right-hand sides by the solutions of AX = B; returns the number of steps and the largest residual.
///
/// # Errors
/// The tolerance was not reached by all, or a stop was requested.
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

/// Returns the bytes of the vectors of [`block_gmres`] beside its right-hand sides, and of the triangle over them.
pub fn memory(size: usize, block: usize, vectors: usize) -> usize {
    // Solutions; corrections before and after the inverse, or two images of each vector that is multiplied; the probe of
    // orthogonality.
    let beside = 3 * block + 1;
    let triangle = vectors * vectors / 2;
    size_of::<Complex64>() * (size * (vectors + beside) + triangle)
}

/// Improves solutions after so many steps until all are good.
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
        // Parts of the right-hand sides, so that all have the same goal.
        let residuals = residuals(operator, columns, solutions, &goals, iterations);
        // Also where it is no number.
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
            // Half the tolerance, since rounding moves the true residual away from this one.
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

/// Residuals of solutions after so many steps, each over its right-hand side; none of right-hand sides that are zero.
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

/// The larger of two, or what is no number.
fn larger(a: f64, b: f64) -> f64 {
    if b.is_nan() || b > a { b } else { a }
}

/// One stretch between restarts: an orthonormal basis and what the operator makes of its first vectors.
struct Cycle {
    basis: Orthonormal,
    least_squares: LeastSquares,
    /// How vectors of the basis were changed before they were multiplied.
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

    /// Whether the operator makes nothing new.
    fn is_exhausted(&self) -> bool {
        self.least_squares.columns() == self.basis.vectors.len()
    }

    /// Turns vectors that have not been multiplied so that those come first along which residuals have something to lose, and
    /// tells their number; all of them where there are none.
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
        // Nothing to choose, or residuals that are no numbers.
        if count == 0 || count == waiting.len() || turn.columns.len() < waiting.len() {
            return waiting.len();
        }
        let mut turned = vec![vec![Complex64::ZERO; waiting[0].len()]; waiting.len()];
        add_combinations(waiting, &turn.columns, &mut turned);
        waiting.swap_with_slice(&mut turned);
        self.turns.push(turn);
        count
    }

    /// Multiplies so many vectors that come next.
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

    /// The combinations with the least residuals.
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
