//! Error estimates: deviation from a second solution, and from the exact series of a circle.

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_physics::exact::cylinder::{CylinderSeries, Polarization};
use wavefield_physics::exact::sphere::Core;

use crate::error::Error;
use crate::field::far_amplitude;
use crate::interpolation;
use crate::result::Deviation;
use crate::system::{SurfaceFields, System};

/// Range below the maximum, in dB, in which the error of the scattering width is evaluated.
const FLOOR_DB: f64 = 30.0;

/// Solved system to be compared.
pub(crate) struct Solved<'a> {
    pub(crate) system: &'a System,
    /// Boundary fields of each incidence.
    pub(crate) fields: &'a [SurfaceFields],
    /// Far-field amplitude of each aspect.
    pub(crate) amplitudes: &'a [Complex64],
}

/// Returns the current of a polarization over the incident field: ηJ_z/E (TM), J_t/H (TE).
pub(crate) fn current(polarization: Polarization, fields: &SurfaceFields) -> Vec<Complex64> {
    match polarization {
        Polarization::Tm => fields.p.clone(),
        Polarization::Te => fields.u.iter().map(|u| -u).collect(),
    }
}

/// Returns the deviation of two solutions at the nodes of the coarser one.
pub(crate) fn difference(
    coarse: &Solved<'_>,
    fine: &Solved<'_>,
    polarization: Polarization,
) -> Deviation {
    let boundary = &coarse.system.boundary;
    let mut deviation = Measure::default();
    for (a, b) in coarse.fields.iter().zip(fine.fields) {
        let (a, b) = (current(polarization, a), current(polarization, b));
        for body in 0..boundary.bodies() {
            let panels = &boundary.panels[boundary.panels_of(body)];
            let places: Vec<(usize, f64)> = if panels.is_empty() {
                let count = boundary.nodes_of(body).len();
                (0..count).map(|i| (0, i as f64 / count as f64)).collect()
            } else {
                panels
                    .iter()
                    .flat_map(|panel| {
                        let nodes = &boundary.rule.nodes;
                        nodes.iter().map(|&x| (panel.piece, panel.parameter(x)))
                    })
                    .collect()
            };
            for (node, (piece, t)) in boundary.nodes_of(body).zip(places) {
                let other = interpolation::at(&fine.system.boundary, &b, body, piece, t);
                deviation.add(a[node], other, boundary.weight[node]);
            }
        }
    }
    deviation.close(coarse.amplitudes, fine.amplitudes)
}

/// Maximum number of incidences whose current is compared with the series of a circle.
const MAX_WAVES: usize = 4;
/// Maximum number of terms of the series summed per incidence; on larger circles nodes are skipped.
const MAX_TERMS: f64 = 2e8;

/// Single circle, for which a series exists.
#[derive(Clone, Debug)]
pub(crate) struct Canonical {
    pub(crate) center: [f64; 2],
    pub(crate) radius: f64,
    pub(crate) core: Core,
}

/// Returns the deviation from the exact series of a circle; `travels` are the angles of propagation, `aspects` the index of
/// the incidence and the observation angle of each amplitude.
pub(crate) fn exact(
    canonical: &Canonical,
    solved: &Solved<'_>,
    polarization: Polarization,
    frequency: f64,
    travels: &[f64],
    aspects: &[(usize, f64)],
) -> Result<Deviation, Error> {
    let boundary = &solved.system.boundary;
    let k = solved.system.wavenumber;
    let phase = |phi: f64| {
        let (sin, cos) = phi.sin_cos();
        Complex64::from_polar(
            1.0,
            k * (cos * canonical.center[0] + sin * canonical.center[1]),
        )
    };
    // The series is for propagation along φ = 0; other incidences rotate the circle.
    let series = CylinderSeries::new(
        canonical.radius,
        &canonical.core,
        polarization,
        0.0,
        frequency,
    )?;
    let scale = match polarization {
        Polarization::Tm => wavefield_physics::constants::VACUUM_IMPEDANCE,
        Polarization::Te => 1.0,
    };
    let mut deviation = Measure::default();
    // The error is the same for every incidence, so the current of the first few suffices.
    let waves = solved.fields.iter().zip(travels);
    for (fields, &travel) in waves.take(MAX_WAVES) {
        let current = current(polarization, fields);
        let arrival = phase(travel).conj();
        let terms = boundary.len() as f64 * k * canonical.radius;
        let every = (terms / MAX_TERMS).ceil().max(1.0) as usize;
        let nodes: Vec<usize> = (0..boundary.len()).step_by(every).collect();
        let references: Vec<Complex64> = (nodes.par_iter())
            .map(|&node| {
                let [x, y] = boundary.position(node);
                let phi = (y - canonical.center[1]).atan2(x - canonical.center[0]);
                scale * series.surface_current(phi - travel) * arrival
            })
            .collect();
        for (node, other) in nodes.into_iter().zip(references) {
            deviation.add(current[node], other, boundary.weight[node]);
        }
    }
    let amplitudes: Vec<Complex64> = aspects
        .par_iter()
        .map(|&(incidence, phi)| {
            let travel = travels[incidence];
            series.amplitude(phi - travel) * phase(travel).conj() * phase(phi)
        })
        .collect();
    Ok(deviation.close(solved.amplitudes, &amplitudes))
}

/// Returns the far-field amplitudes of all aspects.
pub(crate) fn amplitudes(
    system: &System,
    fields: &[SurfaceFields],
    aspects: &[(usize, f64)],
) -> Vec<Complex64> {
    aspects
        .par_iter()
        .map(|&(incidence, phi)| far_amplitude(system, &fields[incidence], phi))
        .collect()
}

/// Accumulated differences of currents.
#[derive(Default)]
struct Measure {
    largest: f64,
    largest_difference: f64,
    sum: f64,
    sum_of_differences: f64,
}

impl Measure {
    fn add(&mut self, value: Complex64, reference: Complex64, weight: f64) {
        let difference = (value - reference).norm();
        self.largest = self.largest.max(reference.norm());
        // NaN must not pass as a small difference.
        self.largest_difference = if difference > self.largest_difference || difference.is_nan() {
            difference
        } else {
            self.largest_difference
        };
        self.sum += weight * reference.norm();
        self.sum_of_differences += weight * difference;
    }

    fn close(self, amplitudes: &[Complex64], references: &[Complex64]) -> Deviation {
        let strongest = references.iter().map(|f| f.norm()).fold(0.0, f64::max);
        let floor = strongest * 10f64.powf(-FLOOR_DB / 20.0);
        let mut amplitude: f64 = 0.0;
        let mut rcs_db: f64 = 0.0;
        for (a, b) in amplitudes.iter().zip(references) {
            amplitude = amplitude.max((a - b).norm() / strongest);
            if b.norm() >= floor {
                rcs_db = rcs_db.max((20.0 * (a.norm() / b.norm()).log10()).abs());
            }
        }
        Deviation {
            current_max: self.largest_difference / self.largest,
            current_mean: self.sum_of_differences / self.sum,
            amplitude,
            rcs_db,
        }
    }
}
