//! Near-to-far-field transformation (NTFF) of the tangential fields on a Huygens surface, for many frequencies in one
//! run.
//!
//! With the equivalent currents J = n × H and M = −n × E on the surface, and their radiation integrals N and L = ∫ …
//! e^{jk r̂·r'} dS', rE_θ = −jk/4π (L_φ + η N_θ) and rE_φ = jk/4π (L_θ − η N_φ), times e^{−jkr}. C. A. Balanis,
//! *Antenna Theory*, Wiley 2016, section 12.2.

use std::f64::consts::PI;

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_numerics::vector::dot;
use wavefield_physics::direction::Direction;
use wavefield_physics::far_field::FarField;

use crate::discretization::Discretization;
use crate::huygens::HuygensSurface;
use crate::spectrum::{Phasors, Spectrum, cross};

/// Quadrature point of the surface.
#[derive(Clone, Copy, Debug)]
struct SurfacePoint {
    position: [f64; 3],
    normal: [f64; 3],
    /// Quadrature weight, m².
    weight: f64,
}

/// Near-to-far-field transformation: running Fourier transforms of the fields on the outside of a Huygens surface.
#[derive(Clone, Debug)]
pub struct NearToFarField {
    points: Vec<SurfacePoint>,
    pub(crate) spectrum: Spectrum,
}

impl NearToFarField {
    /// Creates a transformation with zero spectra for some wavenumbers (rad/m).
    pub fn new(
        d: &Discretization,
        surface: &HuygensSurface,
        wavenumbers: &[f64],
    ) -> NearToFarField {
        let average: Vec<f64> = d.reference.face_average().collect();
        let mut points = Vec::new();
        let mut watched = Vec::new();
        for face in &surface.faces {
            let (element, face) = (face.outside.0 as usize, face.outside.1 as usize);
            let shape = &d.geometry[element];
            for (&node, share) in d.reference.face_nodes(face).iter().zip(&average) {
                points.push(SurfacePoint {
                    position: d.position(element, node),
                    // Out of the surface is into the element outside.
                    normal: shape.normal(face).map(|x| -x),
                    weight: share * shape.area(face),
                });
                watched.push((element as u32, node as u16));
            }
        }
        NearToFarField {
            points,
            spectrum: Spectrum::new(watched, wavenumbers),
        }
    }

    /// Returns the elements and nodes whose fields are transformed.
    pub fn watched(&self) -> &[(u32, u16)] {
        self.spectrum.watched()
    }

    /// Returns the far field at a frequency, by its index, in some directions.
    pub fn far_field(&self, frequency: usize, directions: &[Direction]) -> Vec<FarField> {
        let k = self.spectrum.wavenumber(frequency);
        let phasors = self.spectrum.at(frequency);
        let currents: Vec<Phasors> = (self.points.iter().zip(phasors))
            .map(|(point, [e, h])| {
                let turned = |f| cross(point.normal, f).map(|x| x * point.weight);
                [turned(h), turned(e).map(|x| -x)]
            })
            .collect();
        directions
            .par_iter()
            .map(|direction| {
                let toward = direction.unit();
                let (theta, phi) = (direction.theta_hat(), direction.phi_hat());
                let along = |current: &[Complex64; 3], axis: [f64; 3]| -> Complex64 {
                    (0..3).map(|c| current[c] * axis[c]).sum()
                };
                let [mut n_theta, mut n_phi, mut l_theta, mut l_phi] = [Complex64::ZERO; 4];
                for (point, [j, m]) in self.points.iter().zip(&currents) {
                    let phase = Complex64::from_polar(1.0, k * dot(toward, point.position));
                    n_theta += along(j, theta) * phase;
                    n_phi += along(j, phi) * phase;
                    l_theta += along(m, theta) * phase;
                    l_phi += along(m, phi) * phase;
                }
                // H stands for Z₀H, so N stands for ηN.
                let factor = Complex64::new(0.0, k / (4.0 * PI));
                FarField {
                    theta: -factor * (l_phi + n_theta),
                    phi: factor * (l_theta - n_phi),
                }
            })
            .collect()
    }

    /// Returns the power through the surface at a frequency, by its index: Re ∫ E × Z₀H* · n dS, in V²/Hz².
    pub fn power(&self, frequency: usize) -> f64 {
        let phasors = self.spectrum.at(frequency);
        (self.points.iter().zip(phasors))
            .map(|(point, [e, h])| {
                let through: f64 = (0..3)
                    .map(|c| {
                        let (a, b) = ((c + 1) % 3, (c + 2) % 3);
                        (e[a] * h[b].conj() - e[b] * h[a].conj()).re * point.normal[c]
                    })
                    .sum();
                point.weight * through
            })
            .sum()
    }
}
