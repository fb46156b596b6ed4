//! Extinction error: the extinction error inside closed surfaces, where the scattered field must cancel the incident wave.
//!
//! A current contaminated by an interior resonance radiates nothing outside but fills the interior; the extinction error
//! reveals it.

use num_complex::Complex64;
use rayon::prelude::*;
use std::f64::consts::TAU;
use wavefield_mesh::BoundingBox;
use wavefield_numerics::vector::{Vector, cross, dot, norm, sub};
use wavefield_physics::direction::Direction;

use crate::basis::Basis;
use crate::near_field;
use crate::pair::Pairs;
use crate::wave::both_waves;

/// Candidate points along each axis of the bounding box.
const ACROSS: usize = 5;
/// Maximum number of points.
const MAX: usize = 12;

/// Returns points inside closed surfaces, farther from the surface than the size of its triangles.
pub(crate) fn inner_points(basis: &Basis) -> Vec<Vector> {
    let closed = || basis.triangles.iter().filter(|t| t.closed);
    let corners: Vec<Vector> = closed().flat_map(|t| t.corners).collect();
    let Some(bounds) = BoundingBox::of(&corners) else {
        return Vec::new();
    };
    let candidates: Vec<Vector> = (0..ACROSS.pow(3))
        .map(|number| {
            let place = [
                number / (ACROSS * ACROSS),
                number / ACROSS % ACROSS,
                number % ACROSS,
            ];
            // Off center, where symmetry may hide a mode.
            std::array::from_fn(|axis| {
                let part = (place[axis] as f64 + 0.6) / (ACROSS as f64 + 0.3);
                bounds.min[axis] + part * (bounds.max[axis] - bounds.min[axis])
            })
        })
        .collect();
    let inside: Vec<Vector> = candidates
        .into_par_iter()
        .filter(|&point| {
            let mut angle = 0.0;
            for triangle in closed() {
                let r = triangle.corners.map(|corner| sub(corner, point));
                if norm(sub(triangle.center, point)) < 2.5 * triangle.radius {
                    return false;
                }
                angle += solid_angle(r);
            }
            angle > TAU
        })
        .collect();
    let every = inside.len().div_ceil(MAX).max(1);
    inside.into_iter().step_by(every).collect()
}

/// Returns the solid angle of a triangle at the origin, sr (A. van Oosterom, J. Strackee, IEEE Trans. Biomed. Eng. 30 (1983)
/// 125–126).
fn solid_angle([a, b, c]: [Vector; 3]) -> f64 {
    let (la, lb, lc) = (norm(a), norm(b), norm(c));
    let below = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    2.0 * dot(a, cross(b, c)).atan2(below)
}

/// Returns the largest of |E| and |ηH| at interior points, for the two polarizations of a direction.
pub(crate) fn extinction_error(
    pairs: &Pairs<'_>,
    points: &[Vector],
    from: Direction,
    solutions: [&[Complex64]; 2],
) -> Option<f64> {
    let size = |field: [Complex64; 3]| field.iter().map(Complex64::norm_sqr).sum::<f64>().sqrt();
    (solutions.iter().zip(both_waves(from, pairs.wavenumber())))
        .flat_map(|(solution, wave)| near_field::whole(pairs, Some(wave), solution, points))
        .map(|left| size(left.electric).max(size(left.magnetic)))
        .reduce(f64::max)
}
