//! The Fresnel integral in the form of edge diffraction.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use num_complex::Complex64;

/// Returns ½ erfc(e^{jπ/4} a) for real a: 1 deep in the illuminated region (a → −∞), ½ on the
/// shadow boundary, and decaying like a diffracted wave in the shadow (a → +∞).
///
/// Taylor series for |a| < 1.5, where its terms exceed the result by less than a factor of ten;
/// Laplace's continued fraction (DLMF 7.9.1) beyond.
pub fn half_erfc_diagonal(a: f64) -> Complex64 {
    let magnitude = a.abs();
    let tail = if magnitude < 1.5 {
        0.5 - half_erf_series(magnitude)
    } else {
        half_erfc_fraction(magnitude)
    };
    if a < 0.0 { 1.0 - tail } else { tail }
}

/// Returns ½ erf(z) = (1/√π) Σ (−1)ⁿ z^{2n+1}/(n!(2n+1)), z² = ja².
fn half_erf_series(a: f64) -> Complex64 {
    let z = Complex64::new(FRAC_1_SQRT_2, FRAC_1_SQRT_2) * a;
    let minus_square = Complex64::new(0.0, -a * a);
    let mut power = z;
    let mut sum = z;
    for n in 1..60 {
        power = power * minus_square / n as f64;
        let term = power / (2 * n + 1) as f64;
        sum += term;
        if term.norm() <= 1e-18 * sum.norm() {
            break;
        }
    }
    sum / PI.sqrt()
}

/// Returns ½ erfc z, erfc z = e^{−z²}/√π · 1/(z + ½/(z + 1/(z + 3⁄2/(z + …)))), evaluated backward.
fn half_erfc_fraction(a: f64) -> Complex64 {
    let z = Complex64::new(FRAC_1_SQRT_2, FRAC_1_SQRT_2) * a;
    // Convergence is slowest at a = 1.5; a test shows that the two branches agree there to
    // rounding.
    let terms = (900.0 / (a * a)) as usize + 10;
    let mut fraction = z;
    for k in (1..=terms).rev() {
        fraction = z + 0.5 * k as f64 / fraction;
    }
    let wave = Complex64::from_polar(1.0, -a * a);
    0.5 * wave / (PI.sqrt() * fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_branches_meet() {
        let (series, fraction) = (0.5 - half_erf_series(1.5), half_erfc_fraction(1.5));
        // Ten roundings of terms up to ten times the result.
        assert!((series - fraction).norm() < 1e-14, "{series} {fraction}");
    }

    #[test]
    fn the_lit_and_shadow_sides_add_to_one() {
        for a in [0.0, 0.3, 1.4, 1.6, 9.0, 1e4] {
            let sum = half_erfc_diagonal(a) + half_erfc_diagonal(-a);
            assert!((sum - 1.0).norm() < 1e-15);
        }
    }
}
