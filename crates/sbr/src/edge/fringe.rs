//! Fringe-current coefficients of one face, integrated over an infinite strip.
//!
//! Let the face be y = 0, x > 0 with the edge along z and the exterior angle nπ, and let a wave be
//! incident from the angle φ' with the transverse wavenumber κ = k sin β'. By the exact solution of the
//! wedge (Sommerfeld's contour integral, closed on its residues) the fringe part of the surface field
//! has the moments
//!
//!   ∫ H_z e^{jκμx} dx = (2j/κ) h H_z⁰,   ∫ ∂E_z/∂y e^{jκμx} dx = −2 s E_z⁰,   0 < x < ∞,
//!
//! with cos δ = −μ and U = 1 on an illuminated face (φ' < π), 0 otherwise:
//!
//!   h = (1/n) sin(δ/n) / [sin δ (cos(φ'/n) − cos(δ/n))] − U/(cos φ' − cos δ)
//!   s = (1/n) sin(φ'/n) / (cos(φ'/n) − cos(δ/n)) − U sin φ'/(cos φ' − cos δ).
//!
//! The first terms are Michaeli's equivalent edge currents, the second terms those of physical optics.
//! At the reflection boundary δ = φ' both are singular and their difference is finite: with p, q = (δ ±
//! φ')/2 and g(x) = cot(x/n)/n − cot x,
//!
//!   h = [g(p) + g(q)]/(2 sin δ),   s = [g(q) − g(p)]/2   on an illuminated face,
//!
//! and g is evaluated by its series near zero.

use std::f64::consts::PI;

use num_complex::Complex64;

/// Moments of a strip relative to the incident field; see the equations of the module.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StripCoefficients {
    /// h: moment of the surface field H_z (hard polarization).
    pub hard: Complex64,
    /// s: moment of ∂E_z/∂y (soft polarization).
    pub soft: Complex64,
    /// Half the fringe field at the end of the strip, ½ H_z e^{jκμX}/H_z⁰; zero for an infinite strip.
    pub end: Complex64,
}

/// Threshold of the argument below which cotangents are evaluated by series.
pub(super) const SMALL: f64 = 0.5;

/// Coefficients c of cot x = 1/x − Σ cₘ x^{2m+1} from the Bernoulli numbers; at |x| = ½ the truncation
/// error is 1e-17.
pub(super) const COTANGENT: [f64; 10] = [
    1.0 / 3.0,
    1.0 / 45.0,
    2.0 / 945.0,
    1.0 / 4725.0,
    2.0 / 93555.0,
    1382.0 / 638512875.0,
    4.0 / 18243225.0,
    3617.0 / 162820783125.0,
    87734.0 / 38979295480125.0,
    349222.0 / 1531329465290625.0,
];

/// Returns cot(x/n)/n − cot(x/m)/m without the common pole at zero.
pub(super) fn cotangent_difference(x: Complex64, n: f64, m: f64) -> Complex64 {
    if x.norm() < SMALL {
        let mut power = x;
        let mut sum = Complex64::new(0.0, 0.0);
        for (order, c) in COTANGENT.iter().enumerate() {
            sum += c * series_weight(order, n, m) * power;
            power *= x * x;
        }
        sum
    } else {
        cotangent(x / n) / n - cotangent(x / m) / m
    }
}

/// Returns cot x as cos x/sin x: the tangent is singular at π/2, where every monostatic aspect of an
/// illuminated face lies.
fn cotangent(x: Complex64) -> Complex64 {
    x.cos() / x.sin()
}

/// Returns m^{−2(i+1)} − n^{−2(i+1)}: weight of the i-th term in the difference of two scaled
/// cotangents.
pub(super) fn series_weight(order: usize, n: f64, m: f64) -> f64 {
    let power = 2 * (order as i32 + 1);
    m.powi(-power) - n.powi(-power)
}

/// Returns the moments of an infinite strip.
///
/// `mu` ≤ 1 is the direction of observation along the face (1: along the strip, where h is singular
/// unless the strip is truncated); `incidence` is φ' in 0 … nπ.
pub fn endless(mu: f64, incidence: f64, n: f64) -> StripCoefficients {
    // The moments are even in δ. For μ ≪ −1 the complex arc cosine of the library suffers cancellation.
    let delta = if mu < -1.0 {
        Complex64::new(0.0, (-mu).acosh())
    } else {
        Complex64::new((-mu).acos(), 0.0)
    };
    let (p, q) = (0.5 * (delta + incidence), 0.5 * (delta - incidence));
    let lit = incidence < PI;
    let (hard, soft) = if lit && q.norm() < SMALL {
        let (gp, gq) = (
            cotangent_difference(p, n, 1.0),
            cotangent_difference(q, n, 1.0),
        );
        let hard = if p.norm() < SMALL {
            sum_over_total(p, q, n) * 0.5 / sine_ratio(delta)
        } else {
            (gp + gq) / (2.0 * delta.sin())
        };
        (hard, 0.5 * (gq - gp))
    } else {
        let wedge = 2.0 * n * (p / n).sin() * (q / n).sin();
        let ratio = sine_ratio(delta / n) / (n * sine_ratio(delta));
        let (mut hard, mut soft) = (ratio / wedge, (incidence / n).sin() / wedge);
        if lit {
            let plane = 2.0 * p.sin() * q.sin();
            hard -= plane.inv();
            soft -= incidence.sin() / plane;
        }
        (hard, soft)
    };
    StripCoefficients {
        hard,
        soft,
        end: Complex64::new(0.0, 0.0),
    }
}

/// Returns sin(x)/x.
pub(super) fn sine_ratio(x: Complex64) -> Complex64 {
    if x.norm() < 1e-4 {
        1.0 - x * x / 6.0
    } else {
        x.sin() / x
    }
}

/// Returns [g(p) + g(q)]/(p + q) by the series, for small arguments.
fn sum_over_total(p: Complex64, q: Complex64, n: f64) -> Complex64 {
    let mut sum = Complex64::new(0.0, 0.0);
    for (order, c) in COTANGENT.iter().enumerate() {
        sum += c * series_weight(order, n, 1.0) * odd_power_quotient(p, -q, order);
    }
    sum
}

/// Returns (a^{2m+1} − b^{2m+1})/(a − b) = Σ a^{2m−i} bⁱ.
pub(super) fn odd_power_quotient(a: Complex64, b: Complex64, m: usize) -> Complex64 {
    (0..=2 * m)
        .map(|i| a.powu((2 * m - i) as u32) * b.powu(i as u32))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keller's diffraction coefficients of a wedge at k = 1, soft and hard, without the distance
    /// dependence e^{−jkρ}/√ρ (J. B. Keller, J. Opt. Soc. Am. 52, 1962).
    fn keller(n: f64, phi: f64, incidence: f64) -> [Complex64; 2] {
        let front = Complex64::from_polar((PI / n).sin() / (n * (2.0 * PI).sqrt()), -PI / 4.0);
        let part = |angle: f64| 1.0 / ((PI / n).cos() - (angle / n).cos());
        let (minus, plus) = (part(phi - incidence), part(phi + incidence));
        [front * (minus - plus), front * (minus + plus)]
    }

    /// Returns the same coefficients from the strips of both faces plus the edge terms of physical
    /// optics.
    fn from_strips(n: f64, phi: f64, incidence: f64) -> [Complex64; 2] {
        let radiation = Complex64::new(0.0, 2.0 / PI).sqrt();
        let mut sum = [Complex64::new(0.0, 0.0); 2];
        for (phi, incidence) in [(phi, incidence), (n * PI - phi, n * PI - incidence)] {
            let mu = phi.cos();
            let strip = endless(mu, incidence, n);
            let optics = if incidence < PI {
                1.0 / (incidence.cos() + mu)
            } else {
                0.0
            };
            let (hard, soft) = (strip.hard + optics, strip.soft + optics * incidence.sin());
            // E_z = −¼ √(2j/π) ∫J_z, and H_z = ¼ sin φ √(2j/π) ∫J_x.
            sum[0] -= 0.25 * radiation * Complex64::new(0.0, 2.0) * soft;
            sum[1] += 0.25 * phi.sin() * radiation * Complex64::new(0.0, 2.0) * hard;
        }
        sum
    }

    #[test]
    fn strips_of_both_faces_give_the_exact_wedge_in_amplitude_and_phase() {
        for n in [2.0, 1.5, 1.75, 1.2] {
            for i in 1..24 {
                for o in 1..24 {
                    let incidence = n * PI * (f64::from(i) + 0.13) / 24.0;
                    let phi = n * PI * (f64::from(o) - 0.29) / 24.0;
                    let (exact, strips) =
                        (keller(n, phi, incidence), from_strips(n, phi, incidence));
                    for (e, s) in exact.iter().zip(strips) {
                        // Physical optics and Keller's coefficients are large near their boundaries and
                        // cancel.
                        assert!(
                            (e - s).norm() < 1e-12 * (1.0 + e.norm_sqr()),
                            "{n} {phi} {incidence}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn nothing_happens_at_the_reflection_boundary() {
        for n in [2.0, 1.5] {
            for incidence in [1e-4, 0.02, 0.7, 1.5, 2.9] {
                let at = |shift: f64| endless(-f64::cos(incidence) + shift, incidence, n);
                let middle = at(0.0);
                assert!(middle.hard.is_finite() && middle.soft.is_finite());
                for shift in [1e-13, 1e-9, 1e-6] {
                    let (below, above) = (at(-shift), at(shift));
                    // The derivative of h reaches 223 at φ' = 2.9.
                    assert!((below.hard - above.hard).norm() < 500.0 * shift + 1e-11);
                    assert!((0.5 * (below.hard + above.hard) - middle.hard).norm() < 1e-7);
                    assert!((below.soft - above.soft).norm() < 100.0 * shift + 1e-11);
                }
            }
        }
    }

    #[test]
    fn the_monostatic_aspect_is_like_its_neighbors() {
        // μ = cos φ' makes p = π/2 to rounding.
        for step in 1..300 {
            let incidence = 0.01 * f64::from(step);
            let (at, beside) = (
                endless(incidence.cos(), incidence, 1.58),
                endless(incidence.cos() - 1e-9, incidence, 1.58),
            );
            // The derivative of h grows like (1−μ)^{−3/2} toward the face.
            assert!(
                (at.hard - beside.hard).norm() < 1e-3 * at.hard.norm(),
                "{incidence}"
            );
            assert!((at.soft - beside.soft).norm() < 1e-6, "{incidence}");
        }
    }

    #[test]
    fn a_wave_almost_along_the_edge_has_finite_moments() {
        // sin β' = ε gives μ ≈ −2/ε². For large −μ, h falls like 1/μ.
        for epsilon in [1e-2, 1.22e-4, 1e-4] {
            let mu = -2.0 / (epsilon * epsilon);
            for incidence in [0.5, 2.0, 4.0] {
                let strip = endless(mu, incidence, 1.5);
                assert!((mu * strip.hard).norm() < 2.0 && strip.soft.norm() < 2.0);
            }
        }
    }

    #[test]
    fn a_flat_surface_has_no_fringe() {
        for (mu, incidence) in [(0.3, 1.0), (-0.8, 2.0), (-2.0, 0.4)] {
            let strip = endless(mu, incidence, 1.0 + 1e-9);
            assert!(strip.hard.norm() < 1e-8 && strip.soft.norm() < 1e-8);
        }
    }

    #[test]
    fn the_half_plane_has_its_short_form() {
        // h = ±1/(2a(a+b)), s = −sin(φ'/2)/(√2(a+b)), a² = 1−μ, b² = 1+cos φ'.
        for (mu, incidence) in [
            (0.3, 1.0),
            (-0.8, 2.0),
            (-2.5, 0.4),
            (0.9, 4.0),
            (-1.0, 5.5),
        ] {
            let strip = endless(mu, incidence, 2.0);
            let (a, b) = ((1.0f64 - mu).sqrt(), (1.0 + f64::cos(incidence)).sqrt());
            let sign = if incidence < PI { 1.0 } else { -1.0 };
            assert!((strip.hard - sign / (2.0 * a * (a + b))).norm() < 1e-13);
            let soft = -(0.5 * incidence).sin() / (2f64.sqrt() * (a + b));
            assert!((strip.soft - soft).norm() < 1e-13);
        }
    }
}
