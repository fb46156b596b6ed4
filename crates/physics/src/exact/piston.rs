//! Sound field of a circular piston in a rigid baffle, at any point in front of it.
//!
//! In polar coordinates about the projection of the observation point onto the baffle, the radial
//! part of the Rayleigh integral is elementary (s ds = R dR), which leaves an integral along the
//! rim (Schoch 1941):
//!
//!   p = ρcU [χ e^{−jkz} − (1/2π) ∮ e^{−jkR(α)} (dψ/dα) dα],
//!   dψ/dα = a(a − r cosα)/(a² + r² − 2ar cosα),
//!
//! χ is 1 over the piston, 0 beside it, and ½ on the rim. The integrand is periodic and analytic,
//! so the trapezoidal rule converges exponentially; near the rim it is replaced by Gauss–Legendre
//! quadrature graded toward the nearest point.

use std::f64::consts::PI;

use num_complex::Complex64;

use super::{ExactError, MAX_SOURCE, limited, positive, sounding};
use crate::medium::Fluid;
use wavefield_numerics::special::gauss_legendre;

/// A piston of radius a at the origin in the plane z = 0, vibrating along z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piston {
    /// Radius, in m.
    pub radius: f64,
    /// Velocity amplitude, in m/s.
    pub velocity: Complex64,
}

/// Tolerance of the adaptive quadrature: change of the pressure on doubling the points, relative to
/// ρcU.
const TOLERANCE: f64 = 1e-14;

/// Maximum number of quadrature points on the rim, sufficient for a piston of a thousand
/// wavelengths.
const MAX_POINTS: usize = 1 << 15;

impl Piston {
    /// Checks that the pressure at distance r from the axis and z from the plane is defined and its integral not too
    /// large, without computing it; returns the wavenumber.
    pub fn check(&self, fluid: &Fluid, frequency: f64, r: f64, z: f64) -> Result<f64, ExactError> {
        let a = positive("the radius of the piston", self.radius)?;
        sounding(fluid)?;
        let k = fluid.wavenumber(positive("the frequency", frequency)?);
        limited("the piston", k * a, MAX_SOURCE)?;
        if !(z >= 0.0 && z.is_finite() && r.is_finite()) {
            return Err(ExactError::Outside {
                where_: "behind the baffle",
            });
        }
        Ok(k)
    }

    /// Returns the pressure in Pa at distance r from the axis and z ≥ 0 from the plane.
    pub fn pressure(
        &self,
        fluid: &Fluid,
        frequency: f64,
        r: f64,
        z: f64,
    ) -> Result<Complex64, ExactError> {
        let k = self.check(fluid, frequency, r, z)?;
        let (a, r) = (self.radius, r.abs());
        let on_rim = r == a;
        let rim = |alpha: f64| {
            // Evaluates a² + r² − 2ar cosα without cancellation near the rim.
            let half = (0.5 * alpha).sin();
            let square = (a - r) * (a - r) + 4.0 * a * r * half * half;
            let turn = if on_rim {
                0.5
            } else {
                a * ((a - r) + 2.0 * r * half * half) / square
            };
            Complex64::from_polar(turn, -k * (z * z + square).sqrt())
        };
        // Distance of the nearest singularity of the integrand from the real axis, in radians.
        let closeness = if on_rim {
            z / a
        } else {
            (a - r).abs() / (a * r).sqrt()
        };
        let tolerance = TOLERANCE + f64::EPSILON * k * (z + a + r);
        let mean = if closeness > 0.5 {
            periodic_mean(&rim, tolerance)
        } else {
            graded_mean(&rim, closeness, tolerance)
        };
        let inside = if on_rim {
            0.5
        } else if r < a {
            1.0
        } else {
            0.0
        };
        Ok(fluid.impedance() * self.velocity * (Complex64::from_polar(inside, -k * z) - mean))
    }

    /// Returns the pressure on the axis in closed form: ρcU (e^{−jkz} − e^{−jk√(z²+a²)}).
    pub fn on_axis(&self, fluid: &Fluid, frequency: f64, z: f64) -> Result<Complex64, ExactError> {
        positive("the radius of the piston", self.radius)?;
        let k = fluid.wavenumber(positive("the frequency", frequency)?);
        let wave = |distance: f64| Complex64::from_polar(1.0, -k * distance);
        Ok(fluid.impedance() * self.velocity * (wave(z) - wave(z.hypot(self.radius))))
    }

    /// Returns the far-field directivity 2J₁(ka sinθ)/(ka sinθ), 1 on the axis.
    pub fn directivity(
        &self,
        fluid: &Fluid,
        frequency: f64,
        theta: f64,
    ) -> Result<f64, ExactError> {
        let a = positive("the radius of the piston", self.radius)?;
        let x = fluid.wavenumber(positive("the frequency", frequency)?) * a * theta.sin();
        Ok(if x.abs() < 1e-8 {
            1.0
        } else {
            2.0 * libm::j1(x) / x
        })
    }
}

/// Returns the mean over a full turn by the trapezoidal rule, doubled until convergence.
fn periodic_mean(rim: &impl Fn(f64) -> Complex64, tolerance: f64) -> Complex64 {
    let mut points = 16;
    let mut sum: Complex64 = (0..points)
        .map(|i| rim(2.0 * PI * i as f64 / points as f64))
        .sum();
    loop {
        let coarse = sum / points as f64;
        sum += (0..points)
            .map(|i| rim(2.0 * PI * (i as f64 + 0.5) / points as f64))
            .sum::<Complex64>();
        points *= 2;
        let fine = sum / points as f64;
        if (fine - coarse).norm() < tolerance || points >= MAX_POINTS {
            return fine;
        }
    }
}

/// Returns the mean over a full turn of an even function with a singularity at distance `closeness`
/// from angle zero, by the substitution α = δ sinh u over half a turn, or α itself where the
/// function is smooth up to the end.
fn graded_mean(rim: &impl Fn(f64) -> Complex64, closeness: f64, tolerance: f64) -> Complex64 {
    let rule = |points: usize| -> Complex64 {
        let (nodes, weights) = gauss_legendre(points);
        let end = if closeness > 0.0 {
            (PI / closeness).asinh()
        } else {
            PI
        };
        let pairs = nodes.iter().zip(&weights);
        let sum: Complex64 = pairs
            .map(|(x, w)| {
                let u = 0.5 * end * (1.0 + x);
                if closeness > 0.0 {
                    rim(closeness * u.sinh()) * (w * closeness * u.cosh())
                } else {
                    rim(u) * *w
                }
            })
            .sum();
        sum * (0.5 * end / PI)
    };
    let mut points = 32;
    let mut coarse = rule(points);
    loop {
        points *= 2;
        let fine = rule(points);
        if (fine - coarse).norm() < tolerance || points >= MAX_POINTS {
            return fine;
        }
        coarse = fine;
    }
}
