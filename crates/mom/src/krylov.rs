//! GMRES: the combination of x, Ax, A²x, … with the least residual.
//!
//! Y. Saad, M. H. Schultz, SIAM J. Sci. Stat. Comput. 7 (1986) 856–869; with Gram–Schmidt where needed
//! twice, Givens rotations and restarts.

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_compute::observe::{Observer, Progress};

use crate::error::Error;
use crate::operator::Operator;

const ZERO: Complex64 = Complex64::new(0.0, 0.0);

/// A vector of which less than this part is left beside the basis is made orthogonal again (W. Kahan; B. N. Parlett, The
/// Symmetric Eigenvalue Problem, 1980, § 6.9).
const TWICE: f64 = 0.7;

/// A residual that a whole basis leaves larger than this part of itself stands still.
const STANDSTILL: f64 = 0.99;

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
    let size = operator.size();
    let goal = norm(right);
    let mut solution = vec![ZERO; size];
    if goal == 0.0 {
        return Ok(Iterated {
            solution,
            iterations: 0,
            residual: 0.0,
        });
    }
    let mut iterations = 0;
    let mut before = f64::INFINITY;
    let mut image = vec![ZERO; size];
    loop {
        operator.apply(&solution, &mut image);
        let start: Vec<Complex64> = right.iter().zip(&image).map(|(b, a)| b - a).collect();
        let residual = norm(&start) / goal;
        if residual <= limits.tolerance {
            return Ok(Iterated {
                solution,
                iterations,
                residual,
            });
        }
        if iterations >= limits.iterations {
            return Err(Error::NotConverged {
                iterations,
                residual,
                tolerance: limits.tolerance,
            });
        }
        // Also where it is no number.
        let falls = residual < STANDSTILL * before;
        if !falls {
            return Err(Error::Stagnated {
                iterations,
                residual,
                before,
                restart: limits.restart,
            });
        }
        before = residual;
        let most = limits.restart.min(limits.iterations - iterations).max(1);
        let cycle = Cycle::run(
            operator,
            inverse,
            start,
            goal,
            limits.tolerance,
            most,
            |k, residual| {
                observer.progress(&Progress::iteration(
                    "iterations",
                    (iterations + k) as u64,
                    residual,
                ));
                observer.checkpoint().map_err(Error::from)
            },
        )?;
        iterations += cycle.basis.len() - 1;
        cycle.add_to(inverse, &mut solution);
    }
}

/// One stretch between restarts: an orthonormal basis and the triangle it makes of the operator.
struct Cycle {
    basis: Vec<Vec<Complex64>>,
    /// Columns of the triangle.
    triangle: Vec<Vec<Complex64>>,
    right: Vec<Complex64>,
}

impl Cycle {
    fn run(
        operator: &dyn Operator,
        inverse: Option<&dyn Operator>,
        start: Vec<Complex64>,
        goal: f64,
        tolerance: f64,
        most: usize,
        mut report: impl FnMut(usize, f64) -> Result<(), Error>,
    ) -> Result<Cycle, Error> {
        let size = operator.size();
        let length = norm(&start);
        let mut cycle = Cycle {
            basis: vec![start.iter().map(|z| z / length).collect()],
            triangle: Vec::new(),
            right: vec![Complex64::new(length, 0.0)],
        };
        let mut rotations: Vec<(f64, Complex64)> = Vec::new();
        for k in 0..most {
            let mut next = vec![ZERO; size];
            match inverse {
                None => operator.apply(&cycle.basis[k], &mut next),
                Some(inverse) => {
                    let mut image = vec![ZERO; size];
                    inverse.apply(&cycle.basis[k], &mut image);
                    operator.apply(&image, &mut next);
                }
            }
            let whole = norm(&next);
            let mut column = make_orthogonal(&cycle.basis, &mut next);
            let mut rest = norm(&next);
            // What is left of much is mostly rounding: twice is enough.
            if rest < TWICE * whole {
                let again = make_orthogonal(&cycle.basis, &mut next);
                for (along, more) in column.iter_mut().zip(again) {
                    *along += more;
                }
                rest = norm(&next);
            }
            for (i, &(c, s)) in rotations.iter().enumerate() {
                let (a, b) = (column[i], column[i + 1]);
                column[i] = c * a + s * b;
                column[i + 1] = -s.conj() * a + c * b;
            }
            // A rotation that turns (a, rest) onto the first axis.
            let a = column[k];
            let length = a.norm().hypot(rest);
            let (c, s) = if a == ZERO {
                (0.0, Complex64::new(1.0, 0.0))
            } else {
                (a.norm() / length, a / a.norm() * (rest / length))
            };
            column[k] = c * a + s * rest;
            let last = cycle.right[k];
            cycle.right[k] = c * last;
            cycle.right.push(-s.conj() * last);
            rotations.push((c, s));
            cycle.triangle.push(column);
            let residual = cycle.right[k + 1].norm() / goal;
            cycle.basis.push(next.iter().map(|z| z / rest).collect());
            report(k + 1, residual)?;
            // Half the tolerance, since rounding moves the true residual away from this one.
            if residual <= 0.5 * tolerance || rest == 0.0 {
                break;
            }
        }
        Ok(cycle)
    }

    /// Solves the triangle and adds the combination of basis vectors.
    fn add_to(&self, inverse: Option<&dyn Operator>, solution: &mut [Complex64]) {
        let count = self.triangle.len();
        let mut weights = self.right[..count].to_vec();
        for i in (0..count).rev() {
            weights[i] /= self.triangle[i][i];
            let value = weights[i];
            for (j, weight) in weights[..i].iter_mut().enumerate() {
                *weight -= self.triangle[i][j] * value;
            }
        }
        let Some(inverse) = inverse else {
            for (vector, weight) in self.basis.iter().zip(weights) {
                add_times(solution, weight, vector);
            }
            return;
        };
        let mut sum = vec![ZERO; solution.len()];
        for (vector, weight) in self.basis.iter().zip(weights) {
            add_times(&mut sum, weight, vector);
        }
        let mut image = vec![ZERO; solution.len()];
        inverse.apply(&sum, &mut image);
        add_times(solution, Complex64::new(1.0, 0.0), &image);
    }
}

/// Numbers that are added up together: sums do not depend on the number of threads.
const PIECE: usize = 1 << 14;

/// Takes the parts along an orthonormal basis off a vector and returns them. The basis is read piece by piece, while a
/// piece of the vector is at hand (classical Gram–Schmidt).
fn make_orthogonal(basis: &[Vec<Complex64>], vector: &mut [Complex64]) -> Vec<Complex64> {
    let of_pieces: Vec<Vec<Complex64>> = (vector.par_chunks(PIECE).enumerate())
        .map(|(piece, vector)| {
            let along = |other: &Vec<Complex64>| -> Complex64 {
                let other = other[piece * PIECE..].iter();
                other.zip(vector).map(|(o, v)| o.conj() * v).sum()
            };
            basis.iter().map(along).collect()
        })
        .collect();
    let along: Vec<Complex64> = (0..basis.len())
        .map(|number| of_pieces.iter().map(|of_piece| of_piece[number]).sum())
        .collect();
    (vector.par_chunks_mut(PIECE).enumerate()).for_each(|(piece, vector)| {
        for (other, along) in basis.iter().zip(&along) {
            for (v, o) in vector.iter_mut().zip(&other[piece * PIECE..]) {
                *v -= along * o;
            }
        }
    });
    along
}

/// Σ a*·b.
fn inner_product(a: &[Complex64], b: &[Complex64]) -> Complex64 {
    let pieces: Vec<Complex64> = (a.par_chunks(PIECE).zip(b.par_chunks(PIECE)))
        .map(|(a, b)| a.iter().zip(b).map(|(a, b)| a.conj() * b).sum())
        .collect();
    pieces.into_iter().sum()
}

/// Adds a multiple of a vector to another.
fn add_times(sum: &mut [Complex64], factor: Complex64, vector: &[Complex64]) {
    sum.par_chunks_mut(PIECE)
        .zip(vector.par_chunks(PIECE))
        .for_each(|(sum, vector)| {
            for (sum, v) in sum.iter_mut().zip(vector) {
                *sum += factor * v;
            }
        });
}

fn norm(vector: &[Complex64]) -> f64 {
    inner_product(vector, vector).re.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use wavefield_compute::observe::Silent;

    /// Turns every unknown into the next, or into what is no number.
    struct Turn {
        size: usize,
        broken: bool,
    }

    impl Operator for Turn {
        fn size(&self) -> usize {
            self.size
        }

        fn apply(&self, x: &[Complex64], y: &mut [Complex64]) {
            for (at, value) in x.iter().enumerate() {
                y[(at + 1) % self.size] = *value;
            }
            if self.broken {
                y[0] = Complex64::new(f64::NAN, 0.0);
            }
        }
    }

    /// Around a ring nothing is won before the whole way is gone.
    #[test]
    fn an_iteration_that_stands_still_says_so() {
        let solve = |restart: usize, broken: bool| {
            let turn = Turn { size: 20, broken };
            let mut right = vec![ZERO; 20];
            right[0] = Complex64::new(1.0, 0.0);
            let limits = Limits {
                tolerance: 1e-9,
                restart,
                iterations: 1000,
            };
            gmres(&turn, &right, limits, &Silent)
        };
        assert_eq!(solve(20, false).unwrap().iterations, 20);
        match solve(5, false).unwrap_err() {
            Error::Stagnated { iterations, .. } => assert_eq!(iterations, 5),
            other => panic!("{other}"),
        }
        assert!(matches!(
            solve(20, true).unwrap_err(),
            Error::Stagnated { .. }
        ));
    }
}
