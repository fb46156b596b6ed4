//! Reference solution of a thin-walled tube dipole with a gap: a 1-D integral equation for its axially symmetric
//! current.
//!
//! With K(s) = (1/π) ∫₀^π e^{−jkR}/4πR dφ, R² = s² + 4a² sin²(φ/2), and triangular basis functions Λ along the tube,
//!
//!   Z_mn = jkη ∬ Λ_m Λ_n K − (jη/k) ∬ Λ_m′ Λ_n′ K,
//!
//! which depends on m − n only: the correlation of two triangular functions is a cubic B-spline, that of their
//! derivatives its second derivative.

use num_complex::Complex64;
use std::f64::consts::{FRAC_PI_2, PI};
use wavefield_numerics::special::gauss_legendre;
use wavefield_physics::antenna::solved;
use wavefield_physics::constants::VACUUM_IMPEDANCE;

const J: Complex64 = Complex64::new(0.0, 1.0);
const NODES: usize = 24;

/// Returns the input admittance of a tube, S; lengths in meters, even number of segments.
pub(super) fn admittance(wavenumber: f64, length: f64, radius: f64, pieces: usize) -> Complex64 {
    let rule = unit_rule();
    let h = length / pieces as f64;
    // K at the nodes of every interval; in the first it is logarithmic, hence s = h t⁴.
    let sampled: Vec<Vec<(f64, f64, Complex64)>> = (0..pieces + 2)
        .map(|interval| {
            (rule.iter())
                .map(|&(t, weight)| {
                    let (place, weight) = if interval == 0 {
                        (t.powi(4), weight * 4.0 * t.powi(3))
                    } else {
                        (interval as f64 + t, weight)
                    };
                    (
                        place,
                        h * weight,
                        kernel(wavenumber, radius, place * h, &rule),
                    )
                })
                .collect()
        })
        .collect();
    let unknowns = pieces - 1;
    let by_distance: Vec<Complex64> = (0..unknowns as i64)
        .map(|distance| {
            let (mut hats, mut slopes) = (Complex64::ZERO, Complex64::ZERO);
            for interval in distance - 2..distance + 2 {
                // K is even.
                let (own, sign) = if interval < 0 {
                    (-interval - 1, -1.0)
                } else {
                    (interval, 1.0)
                };
                for &(place, weight, k) in &sampled[own as usize] {
                    let (spline, bend) = spline((sign * place - distance as f64).abs());
                    hats += weight * h * spline * k;
                    slopes -= weight / h * bend * k;
                }
            }
            VACUUM_IMPEDANCE * J * (wavenumber * hats - slopes / wavenumber)
        })
        .collect();
    let matrix = (0..unknowns * unknowns)
        .map(|at| by_distance[(at / unknowns).abs_diff(at % unknowns)])
        .collect();
    let mut volts = vec![Complex64::ZERO; unknowns];
    volts[unknowns / 2] = Complex64::ONE;
    solved(unknowns, matrix, volts)[unknowns / 2]
}

/// Returns the cubic B-spline, the correlation of two triangular functions of unit width, and its second derivative.
fn spline(x: f64) -> (f64, f64) {
    if x < 1.0 {
        (2.0 / 3.0 - x * x + 0.5 * x.powi(3), -2.0 + 3.0 * x)
    } else {
        let rest = (2.0 - x).max(0.0);
        (rest.powi(3) / 6.0, rest)
    }
}

/// Near φ = 0, the substitution 2a sin(φ/2) = s sinh u makes dφ/R = du/(a cos(φ/2)), which is smooth.
fn kernel(wavenumber: f64, radius: f64, s: f64, rule: &[(f64, f64)]) -> Complex64 {
    let wave = |distance: f64| Complex64::from_polar(1.0 / (4.0 * PI), -wavenumber * distance);
    let last = (2.0_f64.sqrt() * radius / s).asinh();
    let mut sum = Complex64::ZERO;
    for &(t, weight) in rule {
        let u = last * t;
        let half = (0.5 * s * u.sinh() / radius).asin();
        sum += weight * last / (radius * half.cos()) * wave(s * u.cosh());
        let phi = FRAC_PI_2 * (1.0 + t);
        let distance = s.hypot(2.0 * radius * (0.5 * phi).sin());
        sum += weight * FRAC_PI_2 / distance * wave(distance);
    }
    sum / PI
}

/// Returns the Gauss–Legendre rule on [0, 1].
fn unit_rule() -> Vec<(f64, f64)> {
    let (nodes, weights) = gauss_legendre(NODES);
    (nodes.iter().zip(weights))
        .map(|(x, w)| (0.5 + 0.5 * x, 0.5 * w))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_is_the_potential_of_a_ring() {
        let (k, a) = (2.0 * PI, 0.01);
        let rule = unit_rule();
        for s in [1e-4_f64, 3e-3, 0.02, 0.4] {
            let count = 400_000;
            let plain: Complex64 = (0..count)
                .map(|i| {
                    let phi = PI * (f64::from(i) + 0.5) / f64::from(count);
                    let r = s.hypot(2.0 * a * (0.5 * phi).sin());
                    Complex64::from_polar(1.0 / (4.0 * PI * r), -k * r)
                })
                .sum::<Complex64>()
                / f64::from(count);
            let found = kernel(k, a, s, &rule);
            assert!(
                (found - plain).norm() < 1e-8 * plain.norm(),
                "{s}: {found} {plain}"
            );
        }
    }

    #[test]
    fn a_short_thin_dipole_radiates_as_theory_says() {
        // 20 (kL/2)² Ω and a small capacitance.
        let length = 0.02;
        let z = admittance(2.0 * PI, length, 1e-5, 40).inv();
        assert!(
            (z.re / (20.0 * (PI * length).powi(2)) - 1.0).abs() < 0.1,
            "{z}"
        );
        assert!(z.im < -1000.0);
    }
}
