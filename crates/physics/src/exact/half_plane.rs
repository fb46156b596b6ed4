//! Diffraction of a plane wave by a PEC half-plane (Sommerfeld 1896).
//!
//! The screen is y = 0, x ≥ 0; the wave is incident from angle φ₀: u_i = e^{jkρ cos(φ−φ₀)}. With
//! E(a) = ½ erfc(e^{jπ/4} a) the total field is
//!
//!   u = e^{jkρ cos(φ−φ₀)} E(−√(2kρ) cos ½(φ−φ₀)) ∓ e^{jkρ cos(φ+φ₀)} E(−√(2kρ) cos ½(φ+φ₀)),
//!
//! minus for TM (E_z = 0 on the screen), plus for TE (∂H_z/∂n = 0), 0 ≤ φ ≤ 2π.
//! M. Born, E. Wolf, Principles of Optics, §11.5.

use num_complex::Complex64;

use super::cylinder::Polarization;
use super::{ExactError, positive};
use wavefield_numerics::special::half_erfc_diagonal;

/// Returns the total field at (ρ, φ) with angles in radians, φ in [0, 2π] from the screen.
pub fn total_field(
    polarization: Polarization,
    wavenumber: f64,
    incidence: f64,
    rho: f64,
    phi: f64,
) -> Result<Complex64, ExactError> {
    positive("the wavenumber", wavenumber)?;
    if !(rho >= 0.0 && rho.is_finite()) {
        return Err(ExactError::NotPositive {
            what: "the distance from the edge",
            value: rho,
        });
    }
    let range = 0.0..=2.0 * std::f64::consts::PI;
    if !range.contains(&phi) || !range.contains(&incidence) {
        return Err(ExactError::Outside {
            where_: "at an angle outside 0 to 360 deg from the screen",
        });
    }
    let distance = wavenumber * rho;
    let part = |angle: f64| {
        let wave = Complex64::from_polar(1.0, distance * angle.cos());
        wave * half_erfc_diagonal(-(2.0 * distance).sqrt() * (0.5 * angle).cos())
    };
    let (direct, reflected) = (part(phi - incidence), part(phi + incidence));
    Ok(match polarization {
        Polarization::Tm => direct - reflected,
        Polarization::Te => direct + reflected,
    })
}
