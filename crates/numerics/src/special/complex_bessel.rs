//! Bessel functions of integer order and complex argument (Amos's algorithm, crate
//! `complex-bessel`).

use complex_bessel::{Error, Scaling, besselj_seq, hankel2_seq};
use num_complex::Complex64;

use super::SpecialError;

fn typed(error: Error, max_order: usize, z: Complex64) -> SpecialError {
    match error {
        Error::InvalidInput => SpecialError::Argument { re: z.re, im: z.im },
        _ => SpecialError::Range {
            order: max_order,
            re: z.re,
            im: z.im,
        },
    }
}

/// Returns Jₙ(z) for n = 0…`max_order`.
pub fn bessel_j_sequence(max_order: usize, z: Complex64) -> Result<Vec<Complex64>, SpecialError> {
    besselj_seq(0.0, z, max_order + 1, Scaling::Unscaled)
        .map(|result| result.values)
        .map_err(|error| typed(error, max_order, z))
}

/// Returns Hₙ⁽²⁾(z) for n = 0…`max_order`.
pub fn hankel2_sequence(max_order: usize, z: Complex64) -> Result<Vec<Complex64>, SpecialError> {
    hankel2_seq(0.0, z, max_order + 1, Scaling::Unscaled)
        .map(|result| result.values)
        .map_err(|error| typed(error, max_order, z))
}

/// Returns the logarithmic derivatives Jₙ′(z)/Jₙ(z) for n = 0…`max_order` by downward recurrence,
/// also where J itself overflows or underflows. With the ratio r = Jₙ₊₁/Jₙ they are n/z − r.
pub fn log_derivative_j(max_order: usize, z: Complex64) -> Result<Vec<Complex64>, SpecialError> {
    let size = z.norm();
    if !(size > 0.0 && size.is_finite()) {
        return Err(SpecialError::Argument { re: z.re, im: z.im });
    }
    let start = (max_order + 1).max(size as usize + 1) + 30 + (8.5 * size.cbrt()) as usize;
    let mut derivatives = vec![Complex64::new(0.0, 0.0); max_order + 1];
    let mut ratio = Complex64::new(0.0, 0.0);
    for n in (0..start).rev() {
        let order = n as f64;
        ratio = 1.0 / (2.0 * (order + 1.0) / z - ratio);
        if n <= max_order {
            derivatives[n] = order / z - ratio;
        }
    }
    Ok(derivatives)
}
