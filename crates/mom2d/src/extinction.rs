//! Extinction error: the total field inside closed bodies, where the scattered field must cancel the incident wave. It reveals
//! interior resonances.

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_numerics::special::SpecialError;

use crate::boundary::Boundary;
use crate::correction::{LocalCorrection, NEAR, Observation};
use crate::field::{NO_KERNEL, fineness};
use crate::kernels::{Coefficients, Source, Weights};
use crate::piece::{minus, norm};
use crate::system::{SurfaceFields, System};

/// Candidate points to each side of the center of a body.
const ACROSS: i32 = 7;
/// Points, incidences, and nodes processed together: the weights of one point at `NODES` nodes fill half of an L1 cache, the
/// boundary values of `WAVES` incidences at these nodes a quarter of an L2 cache.
const POINTS: usize = 64;
const WAVES: usize = 16;
/// Maximum memory of the weights of points processed together, bytes.
const ROOM: usize = 256 << 20;
const NODES: usize = 512;

/// Returns the largest total field inside closed bodies, for unit-amplitude incident waves with directions of propagation
/// `travels`; `None` without a closed body.
pub(crate) fn extinction(
    system: &System,
    solutions: &[SurfaceFields],
    travels: &[[f64; 2]],
) -> Result<Option<f64>, SpecialError> {
    let correction = LocalCorrection::new();
    let mut worst = None;
    // The weights of many nodes take much memory.
    let of_point = 2 * size_of::<[f64; 4]>() * system.boundary.len().max(1);
    let at_once = (ROOM / of_point).clamp(1, POINTS);
    for points in inner_points(system).chunks(at_once) {
        let weights: Vec<FieldWeights> = points
            .par_iter()
            .map(|&point| FieldWeights::new(system, point, &correction))
            .collect::<Result<_, _>>()?;
        let left = solutions
            .par_chunks(WAVES)
            .zip(travels.par_chunks(WAVES))
            .map(|(solutions, travels)| largest_left(system, points, &weights, solutions, travels))
            .reduce(|| 0.0, larger);
        worst = Some(larger(worst.unwrap_or(0.0), left));
    }
    Ok(worst)
}

/// Returns the larger of two numbers; NaN is larger than all.
fn larger(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}

/// Returns the largest total field for some points and some incidences.
fn largest_left(
    system: &System,
    points: &[[f64; 2]],
    weights: &[FieldWeights],
    solutions: &[SurfaceFields],
    travels: &[[f64; 2]],
) -> f64 {
    let mut fields: Vec<Complex64> = points
        .iter()
        .flat_map(|point| {
            travels.iter().map(|travel| {
                let along = travel[0] * point[0] + travel[1] * point[1];
                Complex64::from_polar(1.0, -system.wavenumber * along)
            })
        })
        .collect();
    let count = system.boundary.len();
    for first in (0..count).step_by(NODES) {
        let nodes = first..count.min(first + NODES);
        for (fields, weights) in fields.chunks_mut(solutions.len()).zip(weights) {
            for (field, solution) in fields.iter_mut().zip(solutions) {
                weights.u.add_sum(nodes.clone(), &solution.u, field);
                weights.p.add_sum(nodes.clone(), &solution.p, field);
            }
        }
    }
    fields.iter().map(|z| z.norm()).fold(0.0, larger)
}

/// Weights of u and p at every node in the field at one point.
struct FieldWeights {
    u: Weights,
    p: Weights,
}

impl FieldWeights {
    /// Returns the weights of the scattered field Du − jkSp at a point, from the outer boundary values.
    fn new(
        system: &System,
        point: [f64; 2],
        correction: &LocalCorrection,
    ) -> Result<FieldWeights, SpecialError> {
        let boundary = &system.boundary;
        let wave = system.wave();
        let single = Complex64::new(0.0, -system.wavenumber);
        let source = Source {
            at: point,
            normal: [1.0, 0.0],
        };
        let observation = Observation {
            at: point,
            normal: source.normal,
            on: None,
        };
        // By reciprocity the kernel from a node to the point is that from the point to the node, with the normal at the node.
        let one = Complex64::new(1.0, 0.0);
        let of_u = Coefficients {
            adjoint: one,
            ..NO_KERNEL
        };
        let near_of_u = Coefficients {
            double: one,
            ..NO_KERNEL
        };
        let of_p = Coefficients {
            single,
            ..NO_KERNEL
        };
        let mut u = vec![Complex64::new(0.0, 0.0); boundary.len()];
        let mut p = u.clone();
        let points = boundary.points(0..boundary.len());
        wave.add_columns(points, source, &mut [(of_u, &mut u), (of_p, &mut p)])?;
        for ((u, p), weight) in u.iter_mut().zip(&mut p).zip(&boundary.weight) {
            *u *= *weight;
            *p *= *weight;
        }
        for (panel, geometry) in boundary.panels.iter().enumerate() {
            if Boundary::clearance(geometry, point) < NEAR {
                let samples = correction.samples(boundary, panel, &observation);
                let hankel = samples.hankel(wave)?;
                for (coefficients, out) in [(near_of_u, &mut u), (of_p, &mut p)] {
                    let weights = samples.weights(&boundary.rule, &hankel, &coefficients);
                    out[geometry.first..geometry.first + weights.len()].copy_from_slice(&weights);
                }
            }
        }
        Ok(FieldWeights {
            u: Weights::new(&u),
            p: Weights::new(&p),
        })
    }
}

/// Returns points inside closed bodies, at a distance from their contours.
fn inner_points(system: &System) -> Vec<[f64; 2]> {
    let mut points = Vec::new();
    for (body, curve) in system.boundary.curves.iter().enumerate() {
        if !curve.closed {
            continue;
        }
        let line = curve.polyline(fineness(curve.pieces.len()));
        let bound = |axis: usize, pick: fn(f64, f64) -> f64| {
            line.iter().map(|p| p[axis]).reduce(pick).unwrap_or(0.0)
        };
        let (low, high) = (
            [bound(0, f64::min), bound(1, f64::min)],
            [bound(0, f64::max), bound(1, f64::max)],
        );
        let nodes = system.boundary.nodes_of(body);
        let size = (high[0] - low[0]).min(high[1] - low[1]);
        for i in 1..=ACROSS {
            for j in 1..=ACROSS {
                // Off the axes of symmetry, on which odd modes vanish.
                let part = |i: i32| (f64::from(i) - 0.4) / (f64::from(ACROSS) + 0.3);
                let point = [
                    low[0] + part(i) * (high[0] - low[0]),
                    low[1] + part(j) * (high[1] - low[1]),
                ];
                let clear = nodes
                    .clone()
                    .map(|n| norm(minus(system.boundary.position(n), point)))
                    .fold(f64::INFINITY, f64::min);
                if clear > 0.04 * size && curve.holds(point, &line) {
                    points.push(point);
                }
            }
        }
    }
    points
}
