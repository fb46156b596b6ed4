//! GMRES: the combination of x, Ax, A²x, … with the least residual, for several right-hand sides at once.
//!
//! Y. Saad, M. H. Schultz, SIAM J. Sci. Stat. Comput. 7 (1986) 856–869; with Gram–Schmidt where needed twice, Givens
//! rotations and restarts. Several right-hand sides look for their solutions among what all of them have made (Y. Saad,
//! Iterative Methods for Sparse Linear Systems, 2nd ed. 2003, § 6.12); what has become dependent is left out, and only
//! directions in which residuals still point are multiplied (`turn.rs`).

mod least_squares;
mod orthonormal;
mod pivots;
#[cfg(test)]
mod tests;
mod turn;

use num_complex::Complex64;
use wavefield_compute::observe::{Observer, Progress};

use self::least_squares::LeastSquares;
pub(crate) use self::orthonormal::norm;
use self::orthonormal::{Orthonormal, add_combinations};
pub(crate) use self::pivots::{inner_product, length, take_directions};
use self::turn::Turn;
use crate::error::Error;
use crate::operator::Operator;

const ZERO: Complex64 = Complex64::new(0.0, 0.0);

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
) -> Result<Iterated, Error> {
    preconditioned_gmres(operator, None, right, limits, observer)
}

/// Solves Ax = b as AMy = b, x = My, M being close to the inverse of A: residuals are those of x.
///
/// # Errors
/// The tolerance was not reached, or a stop was requested.
pub(crate) fn preconditioned_gmres(
    operator: &dyn Operator,
    inverse: Option<&dyn Operator>,
    right: &[Complex64],
    limits: Limits,
    observer: &dyn Observer,
) -> Result<Iterated, Error> {
    let mut columns = [right.to_vec()];
    let (iterations, residual) = block_gmres(operator, inverse, &mut columns, limits, observer)?;
    let [solution] = columns;
    Ok(Iterated {
        solution,
        iterations,
        residual,
    })
}

/// Replaces right-hand sides by the solutions of AX = B; tells how many steps of products with them that took, and the
/// largest residual.
///
/// # Errors
/// The tolerance was not reached by all, or a stop was requested.
pub(crate) fn block_gmres(
    operator: &dyn Operator,
    inverse: Option<&dyn Operator>,
    columns: &mut [Vec<Complex64>],
    limits: Limits,
    observer: &dyn Observer,
) -> Result<(usize, f64), Error> {
    let zero = || vec![vec![ZERO; operator.size()]; columns.len()];
    let (mut solutions, mut images) = (zero(), zero());
    let goals: Vec<f64> = columns.iter().map(|column| norm(column)).collect();
    let mut iterations = 0;
    let mut before = f64::INFINITY;
    loop {
        if iterations > 0 {
            operator.apply_many(&solutions, &mut images);
        }
        // Parts of the right-hand sides, so that all have the same goal.
        let residuals: Vec<Vec<Complex64>> = (columns.iter().zip(&images).zip(&goals))
            .filter(|(_, goal)| **goal > 0.0)
            .map(|((b, a), goal)| b.iter().zip(a).map(|(b, a)| (b - a) / goal).collect())
            .collect();
        // Also where it is no number.
        let worst = (residuals.iter().map(|residual| norm(residual))).fold(0.0, larger);
        if worst <= limits.tolerance {
            columns.swap_with_slice(&mut solutions);
            return Ok((iterations, worst));
        }
        if iterations >= limits.iterations {
            return Err(Error::NotConverged {
                iterations,
                residual: worst,
                tolerance: limits.tolerance,
            });
        }
        let falls = worst < STANDSTILL * before;
        if !falls {
            return Err(Error::Stagnated {
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
        while steps < most && !cycle.is_exhausted() {
            let next = cycle.choose(limits.tolerance);
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
    }
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
        let mut turned = vec![vec![ZERO; waiting[0].len()]; waiting.len()];
        add_combinations(waiting, &turn.columns, &mut turned);
        waiting.swap_with_slice(&mut turned);
        self.turns.push(turn);
        count
    }

    /// Multiplies so many vectors that come next.
    fn advance(&mut self, next: usize, operator: &dyn Operator, inverse: Option<&dyn Operator>) {
        let first = self.least_squares.columns();
        let last = &self.basis.vectors[first..first + next];
        let mut images = vec![vec![ZERO; operator.size()]; last.len()];
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
        let mut sums = vec![vec![ZERO; size]; weights.len()];
        add_combinations(&self.basis.vectors, &weights, &mut sums);
        let Some(inverse) = inverse else {
            return sums;
        };
        let mut images = vec![vec![ZERO; size]; sums.len()];
        inverse.apply_many(&sums, &mut images);
        images
    }
}
