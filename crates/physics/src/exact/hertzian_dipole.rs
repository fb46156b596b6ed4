//! Near and far field of a Hertzian dipole of current moment I·l along z at the origin.
//!
//! C. A. Balanis, Antenna Theory, eqs. (4-8) and (4-10).

use std::f64::consts::PI;

use num_complex::Complex64;

use super::{ExactError, positive};
use crate::constants::{VACUUM_IMPEDANCE, vacuum_wavenumber};
use crate::far_field::FarField;

/// Field of the dipole at one point; the other components vanish.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DipoleField {
    /// Radial electric field, in V/m.
    pub e_r: Complex64,
    /// Polar electric field, in V/m.
    pub e_theta: Complex64,
    /// Azimuthal magnetic field, in A/m.
    pub h_phi: Complex64,
}

/// Returns the field at distance r (m) and polar angle θ (rad) for a current moment I·l in A·m.
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

/// Returns the far field r·E·e^{jkr} = jηkIl sinθ/4π in V.
pub fn far_field(moment: Complex64, frequency: f64, theta: f64) -> Result<FarField, ExactError> {
    let k = vacuum_wavenumber(positive("the frequency", frequency)?);
    Ok(FarField {
        theta: moment * Complex64::new(0.0, VACUUM_IMPEDANCE * k * theta.sin() / (4.0 * PI)),
        phi: Complex64::new(0.0, 0.0),
    })
}

/// Returns the radiated power ηk²|Il|²/(12π) in W for a peak-value current moment.
pub fn radiated_power(moment: Complex64, frequency: f64) -> Result<f64, ExactError> {
    let k = vacuum_wavenumber(positive("the frequency", frequency)?);
    Ok(VACUUM_IMPEDANCE * k * k * moment.norm_sqr() / (12.0 * PI))
}
