//! The short electric dipole of moment I·l along z, at the origin, near and far.
//!
//! C. A. Balanis, Antenna Theory, eqs. (4-8) and (4-10).

use std::f64::consts::PI;

use num_complex::Complex64;

use super::{ExactError, positive};
use crate::constants::{VACUUM_IMPEDANCE, vacuum_wavenumber};
use crate::far_field::FarField;

/// The field of the dipole at one point; the other components vanish.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DipoleField {
    /// Radial electric field, V/m.
    pub e_r: Complex64,
    /// Polar electric field, V/m.
    pub e_theta: Complex64,
    /// Azimuthal magnetic field, A/m.
    pub h_phi: Complex64,
}

/// The field at distance r (m) and polar angle θ (rad) for a moment I·l in A·m.
pub fn field(
    moment: Complex64,
    frequency: f64,
    r: f64,
    theta: f64,
) -> Result<DipoleField, ExactError> {
    positive("the distance from the dipole", r)?;
    let k = vacuum_wavenumber(positive("the frequency", frequency)?);
    let (sine, cosine) = theta.sin_cos();
    let inverse = 1.0 / Complex64::new(0.0, k * r);
    let wave = moment * Complex64::from_polar(1.0, -k * r) / (4.0 * PI * r);
    let j_k = Complex64::new(0.0, k);
    Ok(DipoleField {
        e_r: wave * (2.0 * VACUUM_IMPEDANCE * cosine / r) * (1.0 + inverse),
        e_theta: wave * j_k * (VACUUM_IMPEDANCE * sine) * (1.0 + inverse + inverse * inverse),
        h_phi: wave * j_k * sine * (1.0 + inverse),
    })
}

/// The far field r·E·e^{jkr} = jηkIl sinθ/4π.
pub fn far_field(moment: Complex64, frequency: f64, theta: f64) -> Result<FarField, ExactError> {
    let k = vacuum_wavenumber(positive("the frequency", frequency)?);
    Ok(FarField {
        theta: moment * Complex64::new(0.0, VACUUM_IMPEDANCE * k * theta.sin() / (4.0 * PI)),
        phi: Complex64::new(0.0, 0.0),
    })
}

/// Radiated power η k² |Il|²/(12π), W, for a moment given as a peak value.
pub fn radiated_power(moment: Complex64, frequency: f64) -> Result<f64, ExactError> {
    let k = vacuum_wavenumber(positive("the frequency", frequency)?);
    Ok(VACUUM_IMPEDANCE * k * k * moment.norm_sqr() / (12.0 * PI))
}
