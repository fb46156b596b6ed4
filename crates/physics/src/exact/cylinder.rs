//! Scattering of a plane wave by an infinite circular cylinder along z at normal incidence: PEC or dielectric, TM
//! and TE.
//!
//! The field u is E_z (TM) or H_z (TE). For a wave that propagates at angle φ₀,
//!
//!   u = Σ (−j)ⁿ [Jₙ(kρ) + aₙHₙ⁽²⁾(kρ)] e^{jn(φ−φ₀)}.
//!
//! The body determines β = (∂u/∂(kρ))/u on its surface for every order: β = √(ε/µ) Jₙ′/Jₙ(k₁a) for TM, √(µ/ε)
//! Jₙ′/Jₙ for TE, ∞ for PEC in TM (u = 0), 0 for PEC in TE. With β = p/q and the Wronskian Jₙ′Hₙ − JₙHₙ′ =
//! 2j/(πx),
//!
//!   aₙ = −(pJₙ − qJₙ′)/(pHₙ − qHₙ′),  surface: (uₙ, uₙ′) = (q, p) · (2j/πx)/(pHₙ − qHₙ′).
//!
//! R. F. Harrington, Time-Harmonic Electromagnetic Fields, §5-9.

use std::f64::consts::PI;

use num_complex::Complex64;

use super::sphere::Core;
use super::{ExactError, MAX_INSIDE, MAX_OUTSIDE, limited, passive, positive};
use crate::constants::{VACUUM_IMPEDANCE, vacuum_wavenumber};
use crate::far_field::scattering_width;
use wavefield_numerics::special::{CylinderFunctions, log_derivative_j, series_length};

/// Polarization of a two-dimensional field: the component along the cylinder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polarization {
    /// TM: E along the axis.
    Tm,
    /// TE: H along the axis.
    Te,
}

/// Fields on the surface of the cylinder at one angle, for a unit incident E (TM) or H (TE).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceField {
    /// E_z (TM) or H_z (TE).
    pub axial: Complex64,
    /// H_φ in A/m for an incident E of 1 V/m (TM), or E_φ in V/m for an incident H of 1 A/m (TE).
    pub azimuthal: Complex64,
}

/// Partial-wave coefficients of a circular cylinder at one frequency.
#[derive(Clone, Debug)]
pub struct CylinderSeries {
    polarization: Polarization,
    wavenumber: f64,
    radius: f64,
    travel: f64,
    coefficients: Vec<Complex64>,
    surface: Vec<(Complex64, Complex64)>,
}

const ONE: Complex64 = Complex64::new(1.0, 0.0);

impl CylinderSeries {
    /// Computes the coefficients for a wave that propagates at angle `travel` (radians), at a frequency in Hz.
    pub fn new(
        radius: f64,
        material: &Core,
        polarization: Polarization,
        travel: f64,
        frequency: f64,
    ) -> Result<CylinderSeries, ExactError> {
        positive("the radius of the cylinder", radius)?;
        let wavenumber = vacuum_wavenumber(positive("the frequency", frequency)?);
        let x = wavenumber * radius;
        limited("the cylinder", x, MAX_OUTSIDE)?;
        let count = series_length(x);
        let outside = CylinderFunctions::new(count, x)?;
        let derivatives: Vec<(Complex64, Complex64)> = match material {
            Core::Pec => {
                let derivative = match polarization {
                    Polarization::Tm => (ONE, Complex64::ZERO),
                    Polarization::Te => (Complex64::ZERO, ONE),
                };
                vec![derivative; count + 1]
            }
            Core::Medium(medium) => {
                passive(medium)?;
                let inside = (medium.refractive_index() * x).norm();
                limited("the interior of the cylinder", inside, MAX_INSIDE)?;
                let weight = match polarization {
                    Polarization::Tm => 1.0 / medium.relative_impedance(),
                    Polarization::Te => medium.relative_impedance(),
                };
                log_derivative_j(count, medium.refractive_index() * x)?
                    .into_iter()
                    .map(|derivative| (weight * derivative, ONE))
                    .collect()
            }
        };
        let wronskian = Complex64::new(0.0, 2.0 / (PI * x));
        let mut coefficients = Vec::with_capacity(count + 1);
        let mut surface = Vec::with_capacity(count + 1);
        for (n, (p, q)) in derivatives.into_iter().enumerate() {
            let denominator = p * outside.hankel2(n) - q * outside.hankel2_prime(n);
            if !denominator.is_finite() {
                // Hₙ exceeds the range of f64: the partial wave is negligible.
                coefficients.push(Complex64::ZERO);
                surface.push((Complex64::ZERO, Complex64::ZERO));
                continue;
            }
            coefficients.push(-(p * outside.j(n) - q * outside.j_prime(n)) / denominator);
            surface.push((q * wronskian / denominator, p * wronskian / denominator));
        }
        Ok(CylinderSeries {
            polarization,
            wavenumber,
            radius,
            travel,
            coefficients,
            surface,
        })
    }

    /// Returns aₙ for n = 0, 1, …; a₋ₙ = aₙ.
    pub fn coefficients(&self) -> &[Complex64] {
        &self.coefficients
    }

    /// Returns u and ∂u/∂(kρ) on the surface for an incident wave Jₙ(kρ)e^{jnφ}.
    pub(super) fn surface_wave(&self, n: usize) -> (Complex64, Complex64) {
        self.surface[n]
    }

    /// Returns the wavenumber in rad/m.
    pub fn wavenumber(&self) -> f64 {
        self.wavenumber
    }

    /// Returns the far-field amplitude f(φ) = Σ aₙ e^{jn(φ−φ₀)} of u_s = √(2/πkρ) e^{−j(kρ−π/4)} f.
    pub fn amplitude(&self, phi: f64) -> Complex64 {
        let angle = phi - self.travel;
        let [sum] = even_series(angle, |n| [self.coefficients[n]], self.coefficients.len());
        sum
    }

    /// Returns the scattering width σ(φ) in m.
    pub fn width(&self, phi: f64) -> f64 {
        scattering_width(self.amplitude(phi), self.wavenumber)
    }

    /// Returns the extinction width −(4/k) Re f(forward) in m: extinct power per length relative to the incident
    /// power density.
    pub fn extinction(&self) -> f64 {
        -4.0 / self.wavenumber * self.amplitude(self.travel).re
    }

    /// Returns the total scattering width (4/k) Σ |aₙ|² over all integers n, in m.
    pub fn total_scattering(&self) -> f64 {
        let (first, rest) = self.coefficients.split_at(1);
        let sum = first[0].norm_sqr() + 2.0 * rest.iter().map(Complex64::norm_sqr).sum::<f64>();
        4.0 / self.wavenumber * sum
    }

    /// Returns the fields on the surface at angle φ.
    pub fn surface_field(&self, phi: f64) -> SurfaceField {
        let [axial, derivative] = even_series(
            phi - self.travel,
            |n| {
                let (value, derivative) = self.surface[n];
                [value, derivative].map(|wave| minus_j_power(n) * wave)
            },
            self.surface.len(),
        );
        let azimuthal = match self.polarization {
            // H_φ = (1/jωµ) ∂E_z/∂ρ = −j/η · ∂E_z/∂(kρ).
            Polarization::Tm => Complex64::new(0.0, -1.0 / VACUUM_IMPEDANCE) * derivative,
            // E_φ = −(1/jωε) ∂H_z/∂ρ = jη · ∂H_z/∂(kρ).
            Polarization::Te => Complex64::new(0.0, VACUUM_IMPEDANCE) * derivative,
        };
        SurfaceField { axial, azimuthal }
    }

    /// Returns the electric surface current J = n̂ × H at angle φ: J_z in (A/m)/(V/m) for TM, J_φ in (A/m)/(A/m)
    /// for TE.
    pub fn surface_current(&self, phi: f64) -> Complex64 {
        let field = self.surface_field(phi);
        match self.polarization {
            Polarization::Tm => field.azimuthal,
            Polarization::Te => -field.axial,
        }
    }

    /// Returns the total field u at (ρ, φ), outside the cylinder or on it.
    pub fn total_field(&self, rho: f64, phi: f64) -> Result<Complex64, ExactError> {
        let angle = phi - self.travel;
        let incident = Complex64::from_polar(1.0, -self.wavenumber * rho * angle.cos());
        Ok(incident + self.scattered_field(rho, phi)?)
    }

    /// Returns the scattered field u at (ρ, φ), outside the cylinder or on it.
    pub fn scattered_field(&self, rho: f64, phi: f64) -> Result<Complex64, ExactError> {
        if rho < self.radius * (1.0 - 1e-12) || !rho.is_finite() {
            return Err(ExactError::Outside {
                where_: "inside the cylinder",
            });
        }
        let count = self.coefficients.len();
        let functions = CylinderFunctions::new(count - 1, self.wavenumber * rho)?;
        let [sum] = even_series(
            phi - self.travel,
            |n| {
                let hankel = functions.hankel2(n);
                // The coefficient underflows to zero before Hₙ overflows.
                if hankel.im.is_infinite() {
                    [Complex64::ZERO]
                } else {
                    [minus_j_power(n) * self.coefficients[n] * hankel]
                }
            },
            count,
        );
        Ok(sum)
    }
}

/// Number of rotations after which e^{jnα} is evaluated anew, to limit the rounding error of the recurrence.
const TURNS: usize = 16;

/// Returns Σ cₙ e^{jnα} over all integers n for c₋ₙ = cₙ, summed from the smallest terms, for `N` series at once.
fn even_series<const N: usize>(
    angle: f64,
    terms: impl Fn(usize) -> [Complex64; N],
    count: usize,
) -> [Complex64; N] {
    let mut sums = [Complex64::ZERO; N];
    let back = Complex64::from_polar(1.0, -angle);
    let mut turned = ONE;
    for (i, n) in (1..count).rev().enumerate() {
        turned = if i % TURNS == 0 {
            Complex64::from_polar(1.0, n as f64 * angle)
        } else {
            turned * back
        };
        for (sum, term) in sums.iter_mut().zip(terms(n)) {
            *sum += 2.0 * term * turned.re;
        }
    }
    for (sum, term) in sums.iter_mut().zip(terms(0)) {
        *sum += term;
    }
    sums
}

/// Returns (−j)ⁿ.
pub(super) fn minus_j_power(n: usize) -> Complex64 {
    match n % 4 {
        0 => Complex64::new(1.0, 0.0),
        1 => Complex64::new(0.0, -1.0),
        2 => Complex64::new(-1.0, 0.0),
        _ => Complex64::new(0.0, 1.0),
    }
}
