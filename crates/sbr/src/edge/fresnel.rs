//! Error function on the diagonal of the complex plane, in the two forms of truncated strips.
//!
//! Both are Fresnel integrals: erfc(cx) = (2c/√π) ∫ₓ^∞ e^{−jt²} dt with c = e^{jπ/4}.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use num_complex::Complex64;
use wavefield_numerics::special::half_erfc_diagonal;

/// e^{jπ/4}.
pub(super) const DIAGONAL: Complex64 = Complex64::new(FRAC_1_SQRT_2, FRAC_1_SQRT_2);

/// Returns w(x) = e^{jx²} erfc(e^{jπ/4} x) for x ≥ 0: w(0) = 1, with a monotonic decay like 1/(√π
/// e^{jπ/4} x).
pub(super) fn scaled_erfc_diagonal(x: f64) -> Complex64 {
    Complex64::from_polar(2.0, x * x) * half_erfc_diagonal(x)
}

/// Returns erf(e^{jπ/4} x)/x, finite at the origin.
pub(super) fn erf_diagonal_over(x: f64) -> Complex64 {
    if x.abs() > 0.5 {
        return (1.0 - 2.0 * half_erfc_diagonal(x)) / x;
    }
    // (2/√π) Σ (−1)ⁿ c^{2n+1} x^{2n}/(n!(2n+1)): at x = ½ the tenth term is below 1e-16.
    let minus_square = Complex64::new(0.0, -x * x);
    let mut power = DIAGONAL;
    let mut sum = power;
    for n in 1..12 {
        power = power * minus_square / f64::from(n);
        sum += power / f64::from(2 * n + 1);
    }
    sum * (2.0 / PI.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_is_continuous_between_its_branches() {
        let (inside, outside) = (
            erf_diagonal_over(0.5),
            erf_diagonal_over(0.5 + f64::EPSILON),
        );
        assert!((inside - outside).norm() < 1e-14);
        assert!((erf_diagonal_over(0.0) - DIAGONAL * (2.0 / PI.sqrt())).norm() < 1e-15);
    }

    #[test]
    fn the_scaled_function_falls_like_a_cylindrical_wave() {
        let x = 300.0;
        let leading = 1.0 / (PI.sqrt() * DIAGONAL * x);
        // The next term of the asymptotic series is 1/(2x²) of the first.
        assert!((scaled_erfc_diagonal(x) / leading - 1.0).norm() < 0.51 / (x * x) * 1.01);
    }
}
