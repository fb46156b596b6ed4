//! Estimate of the condition number κ₁ = ‖A‖₁‖A⁻¹‖₁ from a few solutions.
//!
//! N. J. Higham, "FORTRAN codes for estimating the one-norm of a real or complex matrix", ACM Trans. Math.
//! Softw. 14, 1988: Hager's gradient ascent over unit vectors, plus one vector of alternating signs against
//! counterexamples. The estimate is a lower bound, rarely low by more than a factor of three.

use std::convert::Infallible;

use num_complex::Complex64;

use super::lu::Lu;

/// Maximum steps of the ascent, which converges after two or three.
const STEPS: usize = 5;

impl Lu {
    /// Estimates the condition number in the 1-norm, a lower bound; `norm1` is
    /// [`Matrix::norm1`](super::Matrix::norm1) of the matrix before it was factored.
    #[must_use]
    pub fn condition(&self, norm1: f64) -> f64 {
        let Ok(inverse) = inverse_norm1::<Infallible>(
            self.order(),
            |x| {
                self.solve_in_place(x);
                Ok(())
            },
            |x| {
                self.solve_adjoint_in_place(x);
                Ok(())
            },
        );
        norm1 * inverse
    }
}

/// Estimates ‖A⁻¹‖₁ from below, given solvers for A and for its conjugate transpose.
///
/// # Errors
/// Returns the first error of a solution.
pub fn inverse_norm1<E>(
    order: usize,
    solve: impl Fn(&mut [Complex64]) -> Result<(), E>,
    solve_adjoint: impl Fn(&mut [Complex64]) -> Result<(), E>,
) -> Result<f64, E> {
    if order == 0 {
        return Ok(0.0);
    }
    let norm = |x: &[Complex64]| x.iter().map(|z| z.norm()).sum::<f64>();
    let mut x = vec![Complex64::from(1.0 / order as f64); order];
    solve(&mut x)?;
    let mut largest = norm(&x);
    let mut before = None;
    for _ in 0..STEPS {
        // The gradient of the norm at this vertex points to the next one.
        for z in &mut x {
            let size = z.norm();
            *z = if size > 0.0 {
                *z / size
            } else {
                Complex64::ONE
            };
        }
        solve_adjoint(&mut x)?;
        let sizes = x.iter().map(|z| z.norm()).enumerate();
        let (steepest, _) = sizes.fold((0, f64::NEG_INFINITY), |best, (at, size)| {
            if size > best.1 { (at, size) } else { best }
        });
        if before == Some(steepest) {
            break;
        }
        before = Some(steepest);
        x.fill(Complex64::ZERO);
        x[steepest] = Complex64::ONE;
        solve(&mut x)?;
        let size = norm(&x);
        if size <= largest {
            break;
        }
        largest = size;
    }
    for (at, z) in x.iter_mut().enumerate() {
        let growing = 1.0 + at as f64 / (order - 1).max(1) as f64;
        *z = Complex64::from(if at % 2 == 0 { growing } else { -growing });
    }
    solve(&mut x)?;
    Ok(largest.max(2.0 * norm(&x) / (3.0 * order as f64)))
}
