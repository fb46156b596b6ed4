//! Zernike polynomials over the disc around the array: smooth phases by few coefficients (F. Zernike, Physica 1
//! (1934) 689–704). Ordered by degree, so that a larger set begins with the smaller one.

use crate::aperture::Aperture;
use crate::modes::Modes;

/// A polynomial R_n^|m|(ρ) times cos mθ for m ≥ 0, sin |m|θ for m < 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Zernike {
    degree: u32,
    azimuth: i32,
}

impl Zernike {
    /// Returns all polynomials up to a degree except the constant, which does not affect the pattern.
    fn up_to(degree: u32) -> Vec<Zernike> {
        (1..=degree)
            .flat_map(|degree| {
                let m = degree as i32;
                (-m..=m)
                    .step_by(2)
                    .map(move |azimuth| Zernike { degree, azimuth })
            })
            .collect()
    }

    /// Evaluates the polynomial at a point of the unit disc, by Kintner's recurrence in the degree.
    fn at(self, x: f64, y: f64) -> f64 {
        let m = self.azimuth.unsigned_abs();
        let square = x * x + y * y;
        // ρ^m cos mθ and ρ^m sin mθ.
        let turned = num_complex::Complex64::new(x, y).powu(m);
        let angular = if self.azimuth < 0 {
            turned.im
        } else {
            turned.re
        };
        // R_n^m/ρ^m, n = m, m + 2, …
        let (mut before, mut radial) = (0.0, 1.0);
        for n in (m..self.degree).step_by(2) {
            let next = if n == m {
                f64::from(m + 2) * square - f64::from(m + 1)
            } else {
                let (n, m) = (f64::from(n + 2), f64::from(m));
                let k1 = (n + m) * (n - m) * (n - 2.0) / 2.0;
                let k2 = 2.0 * n * (n - 1.0) * (n - 2.0);
                let k3 = -m * m * (n - 1.0) - n * (n - 1.0) * (n - 2.0);
                let k4 = -n * (n + m - 2.0) * (n - m - 2.0) / 2.0;
                ((k2 * square + k3) * radial + k4 * before) / k1
            };
            (before, radial) = (radial, next);
        }
        radial * angular
    }

    /// Returns dR/dρ at the edge of the disc, (n(n + 2) − m²)/2.
    fn edge_slope(self) -> f64 {
        let (n, m) = (f64::from(self.degree), f64::from(self.azimuth));
        0.5 * (n * (n + 2.0) - m * m)
    }
}

/// Returns half the diagonal of an array, the radius of its disc, m.
fn radius(aperture: &Aperture) -> f64 {
    let reach = |places: &[f64]| places.iter().fold(0.0_f64, |most, p| most.max(p.abs()));
    reach(&aperture.columns).hypot(reach(&aperture.rows))
}

/// Returns the polynomials at the elements of an array.
pub(crate) fn modes(aperture: &Aperture, degree: u32) -> Modes {
    let polynomials = Zernike::up_to(degree);
    let radius = radius(aperture);
    let values = aperture
        .places()
        .flat_map(|[x, y]| {
            let (x, y) = (x / radius, y / radius);
            polynomials.iter().map(move |p| p.at(x, y))
        })
        .collect();
    Modes::new(polynomials.len(), values)
}

/// Range of the global search by degree, relative to the coefficient whose ray at the edge of the disc meets
/// the edge of the coverage.
const RANGE: [f64; 2] = [0.2, 1.2];

/// Maximum degree of the global search.
pub(crate) const SEARCHED: u32 = RANGE.len() as u32;

/// Returns the maximum coefficients of the global search over a coverage of the given half widths.
pub(crate) fn ranges(aperture: &Aperture, half_widths: [f64; 2]) -> Vec<f64> {
    let reach = aperture.wavenumber() * radius(aperture) * half_widths[0].max(half_widths[1]);
    Zernike::up_to(SEARCHED)
        .iter()
        .map(|p| RANGE[p.degree as usize - 1] * reach / p.edge_slope())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn the_polynomials_are_orthogonal_over_the_disc() {
        // The trapezoidal rule in θ is exact, and a fine midpoint rule in ρ² suffices.
        let polynomials = Zernike::up_to(6);
        let (rings, turns) = (2000, 32);
        for (i, a) in polynomials.iter().enumerate() {
            for b in &polynomials[..=i] {
                let mut sum = 0.0;
                for ring in 0..rings {
                    let rho = ((f64::from(ring) + 0.5) / f64::from(rings)).sqrt();
                    for turn in 0..turns {
                        let theta = 2.0 * PI * f64::from(turn) / f64::from(turns);
                        let (x, y) = (rho * theta.cos(), rho * theta.sin());
                        sum += a.at(x, y) * b.at(x, y);
                    }
                }
                let mean = sum / f64::from(rings * turns);
                let twice = if a.azimuth == 0 { 1.0 } else { 2.0 };
                let expected = if a == b {
                    1.0 / (twice * f64::from(a.degree + 1))
                } else {
                    0.0
                };
                assert!((mean - expected).abs() < 1e-5, "{a:?} {b:?} {mean}");
            }
        }
    }

    #[test]
    fn the_slope_at_the_edge_is_the_derivative_there() {
        for polynomial in Zernike::up_to(8) {
            let angle = if polynomial.azimuth < 0 {
                0.5 * PI / f64::from(-polynomial.azimuth)
            } else {
                0.0
            };
            let radial = |rho: f64| polynomial.at(rho * angle.cos(), rho * angle.sin());
            // Central differences have an error of h²/6 times the third derivative, which is below 1e4 here.
            let step = 1e-5;
            let gradient = (radial(1.0 + step) - radial(1.0 - step)) / (2.0 * step);
            assert!((radial(1.0) - 1.0).abs() < 1e-12);
            assert!(
                (gradient - polynomial.edge_slope()).abs() < 2e-7,
                "{polynomial:?} {gradient}"
            );
        }
    }
}
