//! Acoustic point sources: the monopole and the dipole.
//!
//! The pressure of a monopole of volume velocity Q is p = jωρQ e^{−jkr}/(4πr). The dipole is the
//! limit of two opposite monopoles, +Q at d/2 and −Q at −d/2, of moment D = Qd: p = jωρ (D·r̂)(jk +
//! 1/r) e^{−jkr}/(4πr). The particle velocity follows from Euler's equation v = −∇p/(jωρ).

use std::f64::consts::PI;

use num_complex::Complex64;

use super::{ExactError, positive, sounding};
use crate::constants::angular_frequency;
use crate::medium::Fluid;
use wavefield_numerics::vector::{Vector, dot, norm, scaled};

/// Sound field at a point: complex pressure and particle velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoundField {
    /// Pressure, in Pa.
    pub pressure: Complex64,
    /// Particle velocity, in m/s.
    pub velocity: [Complex64; 3],
}

impl SoundField {
    /// Returns the time-averaged intensity ½ Re(p v*) in W/m².
    pub fn intensity(&self) -> Vector {
        std::array::from_fn(|i| 0.5 * (self.pressure * self.velocity[i].conj()).re)
    }
}

/// Returns the sound field at `point` of a monopole at the origin with volume velocity Q (m³/s).
pub fn monopole(
    fluid: &Fluid,
    volume_velocity: Complex64,
    frequency: f64,
    point: Vector,
) -> Result<SoundField, ExactError> {
    sounding(fluid)?;
    let r = positive("the distance from the source", norm(point))?;
    let k = fluid.wavenumber(positive("the frequency", frequency)?);
    let pressure =
        source_strength(fluid, frequency) * volume_velocity * Complex64::from_polar(1.0, -k * r)
            / (4.0 * PI * r);
    let radial = pressure / fluid.impedance() * (1.0 + 1.0 / Complex64::new(0.0, k * r));
    let unit = scaled(point, 1.0 / r);
    Ok(SoundField {
        pressure,
        velocity: unit.map(|u| radial * u),
    })
}

/// Returns the sound field at `point` of a dipole at the origin with moment D = Qd (m⁴/s).
pub fn dipole(
    fluid: &Fluid,
    moment: Vector,
    frequency: f64,
    point: Vector,
) -> Result<SoundField, ExactError> {
    sounding(fluid)?;
    let r = positive("the distance from the source", norm(point))?;
    let k = fluid.wavenumber(positive("the frequency", frequency)?);
    let unit = scaled(point, 1.0 / r);
    let along = dot(moment, unit);
    let strength = source_strength(fluid, frequency);
    let green = Complex64::from_polar(1.0, -k * r) / (4.0 * PI * r);
    // p = −jωρ D·∇G with G′ = −(jk + 1/r) G; the velocity is D·∇(∇G).
    let first = -(Complex64::new(1.0 / r, k)) * green;
    let second = (Complex64::new(2.0 / (r * r) - k * k, 2.0 * k / r)) * green;
    let pressure = -strength * along * first;
    let velocity = std::array::from_fn(|i| {
        second * along * unit[i] + first / r * (moment[i] - along * unit[i])
    });
    Ok(SoundField { pressure, velocity })
}

/// Returns jωρ.
fn source_strength(fluid: &Fluid, frequency: f64) -> Complex64 {
    Complex64::new(0.0, angular_frequency(frequency) * fluid.density)
}
