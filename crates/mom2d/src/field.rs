//! Fields away from the boundary, from u and p on it (Green's theorem).

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_numerics::special::SpecialError;

use crate::boundary::Boundary;
use crate::correction::{LocalCorrection, NEAR, Observation};
use crate::formulation::Surface;
use crate::kernels::{Coefficients, Points};
use crate::system::{SurfaceFields, System};
use crate::wave::Wave;

const ONE: Complex64 = Complex64::new(1.0, 0.0);

/// Returns the far-field amplitude f of u_s = √(2/πkρ) e^{−j(kρ−π/4)} f in direction φ:
///
///   f = (k/4) ∫ [(r̂·n)u − p] e^{jk r̂·r} ds.
pub(crate) fn far_amplitude(system: &System, fields: &SurfaceFields, phi: f64) -> Complex64 {
    let boundary = &system.boundary;
    let (sin, cos) = phi.sin_cos();
    let sum: Complex64 = (0..boundary.len())
        .map(|i| {
            let along = cos * boundary.normal_x[i] + sin * boundary.normal_y[i];
            let phase = system.wavenumber * (cos * boundary.x[i] + sin * boundary.y[i]);
            (along * fields.u[i] - fields.p[i]) * Complex64::from_polar(boundary.weight[i], phase)
        })
        .sum();
    0.25 * system.wavenumber * sum
}

/// Points evaluated together.
const BATCH: usize = 512;

/// Returns the total field at points, for one incidence with a direction of propagation: zero in conductors and behind surface
/// impedances.
pub(crate) fn total(
    system: &System,
    fields: &SurfaceFields,
    travel: [f64; 2],
    points: &[[f64; 2]],
) -> Result<Vec<Complex64>, SpecialError> {
    let curves = &system.boundary.curves;
    let lines: Vec<Vec<[f64; 2]>> = curves
        .iter()
        .map(|curve| curve.polyline(fineness(curve.pieces.len())))
        .collect();
    let correction = LocalCorrection::new();
    let batches: Vec<Vec<Complex64>> = points
        .par_chunks(BATCH)
        .map(|points| {
            let holder = |point: &[f64; 2]| {
                (0..lines.len()).find(|&body| curves[body].holds(*point, &lines[body]))
            };
            let held: Vec<Option<usize>> = points.iter().map(holder).collect();
            let mut field = vec![Complex64::ZERO; points.len()];
            for region in std::iter::once(None).chain((0..lines.len()).map(Some)) {
                let here: Vec<usize> = (0..points.len()).filter(|&i| held[i] == region).collect();
                let places: Vec<[f64; 2]> = here.iter().map(|&i| points[i]).collect();
                let Some(integral) = Representation::of(system, region) else {
                    continue;
                };
                let values = integral.field(system, fields, &places, &correction)?;
                for ((value, &place), point) in values.into_iter().zip(&here).zip(&places) {
                    field[place] = value;
                    if region.is_none() {
                        let along = travel[0] * point[0] + travel[1] * point[1];
                        field[place] += Complex64::from_polar(1.0, -system.wavenumber * along);
                    }
                }
            }
            Ok(field)
        })
        .collect::<Result<_, SpecialError>>()?;
    Ok(batches.into_iter().flatten().collect())
}

/// Representation of the field in one region by Green's theorem: `double`·Du + `single`·Sp over the curves of some bodies.
struct Representation {
    wave: Wave,
    bodies: std::ops::Range<usize>,
    double: Complex64,
    single: Complex64,
}

impl Representation {
    /// Returns the representation outside all bodies, Du − jkSp, or inside one of them, jkρS₁p − D₁u; `None` without a field.
    fn of(system: &System, region: Option<usize>) -> Option<Representation> {
        let jk = Complex64::new(0.0, system.wavenumber);
        match region {
            None => Some(Representation {
                wave: system.wave(),
                bodies: 0..system.boundary.bodies(),
                double: ONE,
                single: -jk,
            }),
            Some(body) => match system.equations[body].surface {
                Surface::Dielectric { wave, ratio } => Some(Representation {
                    wave,
                    bodies: body..body + 1,
                    double: -ONE,
                    single: jk * ratio,
                }),
                _ => None,
            },
        }
    }

    /// Evaluates the field at points: quadrature over the nodes, corrected on near panels.
    fn field(
        &self,
        system: &System,
        fields: &SurfaceFields,
        points: &[[f64; 2]],
        correction: &LocalCorrection,
    ) -> Result<Vec<Complex64>, SpecialError> {
        let boundary = &system.boundary;
        let mut sum = vec![Complex64::ZERO; points.len()];
        for body in self.bodies.clone() {
            let panels = boundary.panels_of(body);
            if panels.is_empty() {
                let all: Vec<usize> = (0..points.len()).collect();
                self.add_plain(
                    system,
                    fields,
                    boundary.nodes_of(body),
                    points,
                    &all,
                    &mut sum,
                )?;
            }
            for panel in panels {
                let geometry = boundary.panels[panel];
                let is_far = |i: &usize| Boundary::clearance(&geometry, points[*i]) >= NEAR;
                let (far, near): (Vec<usize>, Vec<usize>) = (0..points.len()).partition(is_far);
                let nodes = geometry.first..geometry.first + boundary.rule.order();
                self.add_plain(system, fields, nodes.clone(), points, &far, &mut sum)?;
                for place in near {
                    let observation = Observation {
                        at: points[place],
                        normal: [1.0, 0.0],
                        on: None,
                    };
                    let samples = correction.samples(boundary, panel, &observation);
                    let hankel = samples.hankel(self.wave)?;
                    for (coefficients, values) in [
                        (
                            Coefficients {
                                double: self.double,
                                ..NO_KERNEL
                            },
                            &fields.u,
                        ),
                        (
                            Coefficients {
                                single: self.single,
                                ..NO_KERNEL
                            },
                            &fields.p,
                        ),
                    ] {
                        let weights = samples.weights(&boundary.rule, &hankel, &coefficients);
                        let terms = weights.iter().zip(&values[nodes.clone()]);
                        sum[place] += terms
                            .map(|(weight, value)| weight * value)
                            .sum::<Complex64>();
                    }
                }
            }
        }
        Ok(sum)
    }

    /// Adds the uncorrected quadrature over some nodes at some of the points.
    fn add_plain(
        &self,
        system: &System,
        fields: &SurfaceFields,
        nodes: std::ops::Range<usize>,
        points: &[[f64; 2]],
        some: &[usize],
        sum: &mut [Complex64],
    ) -> Result<(), SpecialError> {
        let boundary = &system.boundary;
        let [x, y] = [0, 1].map(|axis| some.iter().map(|&i| points[i][axis]).collect::<Vec<_>>());
        let (one, zero) = (vec![1.0; some.len()], vec![0.0; some.len()]);
        let at = Points {
            x: &x,
            y: &y,
            normal_x: &one,
            normal_y: &zero,
        };
        let mut values = vec![Complex64::ZERO; some.len()];
        for node in nodes {
            let weight = boundary.weight[node];
            let coefficients = Coefficients {
                double: self.double * fields.u[node] * weight,
                single: self.single * fields.p[node] * weight,
                ..NO_KERNEL
            };
            let source = boundary.source(node);
            self.wave
                .add_column(at, source, &coefficients, &mut values)?;
        }
        for (&place, value) in some.iter().zip(values) {
            sum[place] += value;
        }
        Ok(())
    }
}

pub(crate) const NO_KERNEL: Coefficients = Coefficients {
    single: Complex64::ZERO,
    double: Complex64::ZERO,
    adjoint: Complex64::ZERO,
    hyper: Complex64::ZERO,
};

/// Returns the number of chords per piece for the inside test.
pub(crate) fn fineness(pieces: usize) -> usize {
    (720 / pieces.max(1)).max(8)
}
