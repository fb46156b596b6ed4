//! Plane waves tested on a basis: right-hand sides and far fields.
//!
//! A wave incident from r̂ is e^{jk r̂·r}, and by reciprocity so is the phase factor of a current at r in the far field toward
//! r̂: V = ∫ f·ê e^{jk r̂·r} dS serves both. In the unknown u = ηJ the right-hand side of the EFIE is V, that of the MFIE ∫
//! f·[n × (k̂ × ê)] e^{jk r̂·r} dS with k̂ = −r̂; the far-field amplitude along ê is −(jk/4π) Σ u V.

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_numerics::vector::{Vector, dot, scaled, sub};
use wavefield_physics::direction::Direction;
use wavefield_physics::plane_wave::PlaneWave;

use crate::basis::Basis;
use crate::pair::Pairs;
use crate::quadrature::{self, Node};

/// Plane waves on a basis at one wavenumber.
#[derive(Clone, Debug)]
pub(crate) struct PlaneWaves<'a> {
    pub(crate) basis: &'a Basis,
    pub(crate) wavenumber: f64,
    rule: Vec<Node>,
}

/// Returns the unit-amplitude plane waves incident from a direction, V and H.
pub(crate) fn both_waves(from: Direction, wavenumber: f64) -> [PlaneWave; 2] {
    let (all, none) = (Complex64::new(1.0, 0.0), Complex64::ZERO);
    [(all, none), (none, all)].map(|polarization| PlaneWave {
        from,
        polarization,
        wavenumber,
    })
}

/// Returns the polarization vectors of a direction, V and H.
fn polarizations(direction: Direction) -> [Vector; 2] {
    [direction.theta_hat(), direction.phi_hat()]
}

impl<'a> PlaneWaves<'a> {
    pub(crate) fn new(basis: &'a Basis, wavenumber: f64) -> PlaneWaves<'a> {
        PlaneWaves {
            basis,
            wavenumber,
            rule: quadrature::seven_points(),
        }
    }

    /// Writes the right-hand sides of the plane waves incident from a direction, V then H.
    pub(crate) fn excite(&self, from: Direction, pairs: &Pairs<'_>, right: [&mut [Complex64]; 2]) {
        let travel = scaled(from.unit(), -1.0);
        for (out, polarization) in right.into_iter().zip(polarizations(from)) {
            out.fill(Complex64::ZERO);
            for number in 0..self.basis.triangles.len() {
                let triangle = &self.basis.triangles[number];
                let weights = pairs.weights(triangle);
                // n × (k̂ × ê) = k̂ (n·ê) − ê (n·k̂).
                let (across, against) = (
                    dot(triangle.normal, polarization),
                    dot(triangle.normal, travel),
                );
                let tested = std::array::from_fn(|axis| {
                    weights.electric * polarization[axis]
                        + weights.magnetic * (travel[axis] * across - polarization[axis] * against)
                });
                self.project(number, from.unit(), tested, out);
            }
        }
    }

    /// Returns Σ u V for both polarizations of a direction: the far-field amplitude times j4π/k.
    pub(crate) fn far_field_amplitudes(
        &self,
        to: Direction,
        solution: &[Complex64],
    ) -> [Complex64; 2] {
        let mut amplitude = [Complex64::ZERO; 2];
        let own = polarizations(to);
        for number in 0..self.basis.triangles.len() {
            let triangle = &self.basis.triangles[number];
            for (at, weight, phase) in self.phases(number, to.unit()) {
                for share in self.basis.shares(number) {
                    let arm = sub(at, triangle.corners[share.corner as usize]);
                    let part =
                        0.5 * weight * share.weight * phase * solution[share.function as usize];
                    for (amplitude, polarization) in amplitude.iter_mut().zip(own) {
                        *amplitude += dot(arm, polarization) * part;
                    }
                }
            }
        }
        amplitude
    }

    /// Returns the V and H far-field amplitudes in all directions, m times the unit of the incident wave.
    pub(crate) fn amplitudes(
        &self,
        to: &[Direction],
        solution: &[Complex64],
    ) -> Vec<[Complex64; 2]> {
        let scale = Complex64::new(0.0, -self.wavenumber / (4.0 * std::f64::consts::PI));
        to.par_iter()
            .map(|&to| {
                self.far_field_amplitudes(to, solution)
                    .map(|amplitude| scale * amplitude)
            })
            .collect()
    }

    /// Adds ∫ f·v e^{jk r̂·r} dS of the basis functions on a triangle.
    fn project(&self, number: usize, along: Vector, v: Vector, out: &mut [Complex64]) {
        let triangle = &self.basis.triangles[number];
        for (at, weight, phase) in self.phases(number, along) {
            for share in self.basis.shares(number) {
                let arm = sub(at, triangle.corners[share.corner as usize]);
                out[share.function as usize] += 0.5 * weight * share.weight * dot(arm, v) * phase;
            }
        }
    }

    /// Returns the quadrature points of a triangle with their weights and e^{jk r̂·r}.
    fn phases(
        &self,
        number: usize,
        along: Vector,
    ) -> impl Iterator<Item = (Vector, f64, Complex64)> + '_ {
        let triangle = &self.basis.triangles[number];
        self.rule.iter().map(move |&(weights, weight)| {
            let at = triangle.at(weights);
            let phase = Complex64::from_polar(1.0, self.wavenumber * dot(along, at));
            (at, weight, phase)
        })
    }
}
