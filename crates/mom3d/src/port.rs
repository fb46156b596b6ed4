//! Ports: delta-gap sources, a voltage across a gap of zero width.
//!
//! A source of V volts across edges has the field V δ, which excites the basis functions that cross them: a function that
//! carries unit current density across an edge of length l is excited by l V, and I = Σ l J flows through the gap. With p the
//! vector of these lengths and u = ηJ, Y_ij = p_i·u_j/η for unit voltages.

use num_complex::Complex64;
use std::f64::consts::TAU;
use wavefield_mesh::{Disc, TriangleMesh};
use wavefield_numerics::special::gauss_legendre;
use wavefield_numerics::vector::{Vector, norm, sub};
use wavefield_physics::antenna::solved;
use wavefield_physics::constants::VACUUM_IMPEDANCE;
use wavefield_physics::direction::Direction;
use wavefield_physics::far_field::FarField;
use wavefield_solver::scene::DeltaGap;

use crate::basis::Basis;
use crate::error::Error;
use crate::wave::PlaneWaves;

/// Plane of a port, before basis functions exist.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap {
    disc: Disc,
    resistance: f64,
    tolerance: f64,
}

/// A delta gap as the basis functions that cross it.
#[derive(Clone, Debug)]
pub(crate) struct Port {
    /// Basis functions with the lengths of their edges, positive if they flow along the direction of the port.
    crossing: Vec<(usize, f64)>,
    pub(crate) resistance: f64,
}

impl Gap {
    /// Creates a delta gap; vertices closer than `tolerance` (m) are merged.
    ///
    /// # Errors
    /// The direction is zero.
    pub(crate) fn new(
        port: usize,
        asked: &DeltaGap,
        wavelength: f64,
        tolerance: f64,
    ) -> Result<Gap, Error> {
        let radius = asked.radius.meters(wavelength);
        let center = asked.position.map(|x| x.meters(wavelength));
        Ok(Gap {
            disc: Disc::new(center, asked.direction, radius + tolerance)
                .ok_or(Error::PortDirection { port })?,
            resistance: asked.reference_impedance,
            tolerance,
        })
    }

    /// Splits the triangles of the mesh along the gap.
    pub(crate) fn cut(&self, mesh: &mut TriangleMesh) {
        mesh.cut(&self.disc, self.tolerance);
    }

    /// Returns the functions that cross the gap. The triangles beyond the gap are at one potential and all others at another;
    /// each function is excited by the potential difference between its two triangles.
    ///
    /// # Errors
    /// No basis function crosses the gap.
    pub(crate) fn port(&self, number: usize, basis: &Basis) -> Result<Port, Error> {
        let mut lengths = std::collections::BTreeMap::new();
        for (at, triangle) in basis.triangles.iter().enumerate() {
            if self.disc.height(triangle.center) <= self.tolerance {
                continue;
            }
            for share in basis.shares(at) {
                let on_gap = (0..3)
                    .filter(|&c| c != share.corner as usize)
                    .all(|corner| {
                        let point = triangle.corners[corner];
                        self.disc.height(point).abs() <= self.tolerance && self.disc.reaches(point)
                    });
                if on_gap {
                    *lengths.entry(share.function as usize).or_insert(0.0) -= share.weight;
                }
            }
        }
        let crossing: Vec<(usize, f64)> = lengths.into_iter().filter(|(_, l)| *l != 0.0).collect();
        if crossing.is_empty() {
            return Err(Error::NoGap { port: number });
        }
        Ok(Port {
            crossing,
            resistance: self.resistance,
        })
    }
}

impl Port {
    /// Adds the right-hand side for 1 V.
    pub(crate) fn excite(&self, right: &mut [Complex64]) {
        right.fill(Complex64::ZERO);
        for &(function, length) in &self.crossing {
            right[function] = Complex64::new(length, 0.0);
        }
    }

    /// Returns the port current, A.
    fn current(&self, solution: &[Complex64]) -> Complex64 {
        let across: Complex64 = (self.crossing.iter())
            .map(|&(function, length)| length * solution[function])
            .sum();
        across / VACUUM_IMPEDANCE
    }
}

/// Returns the admittance matrix by row and column, S; `solutions` are the solutions for 1 V at each port.
pub(crate) fn admittances(ports: &[Port], solutions: &[Complex64], size: usize) -> Vec<Complex64> {
    (ports.iter())
        .flat_map(|port| {
            solutions
                .chunks(size)
                .map(|solution| port.current(solution))
        })
        .collect()
}

/// Returns the current with 1 V behind the reference impedance of the first port and the others terminated, and the power
/// accepted by all ports, W.
///
/// V = V₀ − R I and I = Y V give (1 + R Y) V = V₀.
pub(crate) fn driven(
    ports: &[Port],
    admittances: &[Complex64],
    solutions: &[Complex64],
    size: usize,
) -> (Vec<Complex64>, f64) {
    let count = ports.len();
    let loaded = (0..count * count)
        .map(|at| {
            let own = if at / count == at % count { 1.0 } else { 0.0 };
            ports[at / count].resistance * admittances[at] + own
        })
        .collect();
    let mut behind = vec![Complex64::ZERO; count];
    behind[0] = Complex64::new(1.0, 0.0);
    let voltages = solved(count, loaded, behind);
    let mut current = vec![Complex64::ZERO; size];
    for (solution, voltage) in solutions.chunks(size).zip(&voltages) {
        for (sum, u) in current.iter_mut().zip(solution) {
            *sum += voltage * u;
        }
    }
    let power = (ports.iter().zip(&voltages))
        .map(|(port, voltage)| 0.5 * (voltage * port.current(&current).conj()).re)
        .sum();
    (current, power)
}

/// Returns the radiated power of a current, W, integrated over the far-field sphere.
pub(crate) fn radiated(waves: &PlaneWaves<'_>, current: &[Complex64]) -> f64 {
    let (triangles, wavenumber) = (&waves.basis.triangles, waves.wavenumber);
    let middle = triangles[0].center;
    let far = |corner: &Vector| norm(sub(*corner, middle));
    let reach = (triangles.iter())
        .flat_map(|t| t.corners.map(|corner| far(&corner)))
        .fold(0.0, f64::max);
    // |F|² has twice the bandwidth of F, which is a little more than k times the radius.
    let degree = (wavenumber * reach + 4.0 * (wavenumber * reach).cbrt()).ceil() as usize + 4;
    let (nodes, weights) = gauss_legendre(degree + 1);
    let around = 2 * degree + 1;
    let mut sum = 0.0;
    for (cosine, weight) in nodes.iter().zip(weights) {
        let ring: Vec<Direction> = (0..around)
            .map(|number| Direction::new(cosine.acos(), TAU * number as f64 / around as f64))
            .collect();
        let heard: f64 = waves
            .amplitudes(&ring, current)
            .into_iter()
            .map(|[theta, phi]| FarField { theta, phi }.power())
            .sum();
        sum += weight * heard * TAU / around as f64;
    }
    sum / (2.0 * VACUUM_IMPEDANCE)
}
