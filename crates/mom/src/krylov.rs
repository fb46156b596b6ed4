//! GMRES: the combination of x, Ax, A²x, … with the least residual.
//!
//! Y. Saad, M. H. Schultz, SIAM J. Sci. Stat. Comput. 7 (1986) 856–869; with modified Gram–Schmidt, Givens
//! rotations and restarts.

use num_complex::Complex64;
use wavefield_compute::observe::{Observer, Progress};

use crate::error::Error;
use crate::operator::Operator;

const ZERO: Complex64 = Complex64::new(0.0, 0.0);

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
        cycle.add_to(&mut solution);
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
            operator.apply(&cycle.basis[k], &mut next);
            let mut column = Vec::with_capacity(k + 2);
            for vector in &cycle.basis {
                let along: Complex64 = vector.iter().zip(&next).map(|(v, n)| v.conj() * n).sum();
                for (n, v) in next.iter_mut().zip(vector) {
                    *n -= along * v;
                }
                column.push(along);
            }
            let rest = norm(&next);
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
    fn add_to(&self, solution: &mut [Complex64]) {
        let count = self.triangle.len();
        let mut weights = self.right[..count].to_vec();
        for i in (0..count).rev() {
            weights[i] /= self.triangle[i][i];
            let value = weights[i];
            for (j, weight) in weights[..i].iter_mut().enumerate() {
                *weight -= self.triangle[i][j] * value;
            }
        }
        for (vector, weight) in self.basis.iter().zip(weights) {
            for (x, v) in solution.iter_mut().zip(vector) {
                *x += weight * v;
            }
        }
    }
}

fn norm(vector: &[Complex64]) -> f64 {
    vector.iter().map(Complex64::norm_sqr).sum::<f64>().sqrt()
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
