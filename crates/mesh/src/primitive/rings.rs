use std::f64::consts::{SQRT_2, TAU};

use super::{PrimitiveError, affordable, pieces};
use crate::{Group, TriangleMesh};

/// An ellipse around the x axis, or a point on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ring {
    pub(super) x: f64,
    /// Semi-axis along y, not smaller than that along z.
    pub(super) y: f64,
    /// Semi-axis along z.
    pub(super) z: f64,
}

/// A section of a body of rings: the ring as a function of a parameter from 0 to 1, and the name of the
/// surface.
pub(super) struct Profile<'a> {
    pub(super) ring: &'a dyn Fn(f64) -> Ring,
    pub(super) name: &'static str,
}

/// Sweeps rings along +x into a surface, closed by a point at either end.
///
/// The number of points of a ring follows from its circumference, and adjacent rings are stitched
/// together, so that triangles keep their shape where the body is thin.
pub(super) fn swept(profiles: &[Profile], edge: f64) -> Result<TriangleMesh, PrimitiveError> {
    // A stitch spans at most one step along the axis and one around it.
    let step = edge / SQRT_2;
    let mut mesh = TriangleMesh::default();
    let mut previous: Option<(u32, u32)> = None;
    for profile in profiles {
        let parameters = equal_steps(profile.ring, step, edge)?;
        let widest = (parameters.iter()).fold(0.0_f64, |w, &p| w.max((profile.ring)(p).y));
        let around = TAU * widest / step + 6.0;
        affordable(edge, 2.0 * parameters.len() as f64 * around)?;
        mesh.groups.push(Group::named(profile.name));
        let rest = usize::from(previous.is_some());
        for &parameter in &parameters[rest..] {
            let ring = (profile.ring)(parameter);
            let first = mesh.points.len() as u32;
            let count = if ring.y == 0.0 {
                1
            } else {
                pieces(TAU * ring.y, step).max(6)
            };
            for k in 0..count {
                let (sin, cos) = (TAU * f64::from(k) / f64::from(count)).sin_cos();
                mesh.points.push([ring.x, ring.y * cos, ring.z * sin]);
            }
            if let Some(previous) = previous {
                stitch(&mut mesh.triangles, previous, (first, count));
            }
            previous = Some((first, count));
        }
        let group = (mesh.groups.len() - 1) as u32;
        mesh.group_of.resize(mesh.triangles.len(), group);
    }
    Ok(mesh)
}

/// Returns parameters from 0 to 1 between which the outline (x, y) advances by equal arc lengths of at
/// most `step`.
fn equal_steps(
    ring: &dyn Fn(f64) -> Ring,
    step: f64,
    edge: f64,
) -> Result<Vec<f64>, PrimitiveError> {
    // Fine enough for the length of the outline to a relative error of 1e-3.
    const SAMPLES: u32 = 4096;
    let mut length = vec![0.0];
    for k in 1..=SAMPLES {
        let [a, b] = [k - 1, k].map(|k| ring(f64::from(k) / f64::from(SAMPLES)));
        let chord = (b.x - a.x).hypot(b.y - a.y);
        length.push(length[k as usize - 1] + chord);
    }
    let total = length[SAMPLES as usize];
    affordable(edge, total / step)?;
    // A margin of 1 % for the sampling error of the outline.
    let count = pieces(total, 0.99 * step);
    let mut parameters = Vec::with_capacity(count as usize + 1);
    let mut sample = 0;
    for k in 0..=count {
        let wanted = total * f64::from(k) / f64::from(count);
        while sample + 1 < SAMPLES as usize && length[sample + 1] < wanted {
            sample += 1;
        }
        let within = (wanted - length[sample]) / (length[sample + 1] - length[sample]);
        parameters.push((sample as f64 + within) / f64::from(SAMPLES));
    }
    // Exact at both ends, where sections meet.
    parameters[0] = 0.0;
    parameters[count as usize] = 1.0;
    Ok(parameters)
}

/// Triangulates the band between two rings, given by their first point and their number of points.
pub(super) fn stitch(triangles: &mut Vec<[u32; 3]>, left: (u32, u32), right: (u32, u32)) {
    let at = |ring: (u32, u32), k: u32| ring.0 + k % ring.1;
    let (mut i, mut j) = (0, 0);
    // A ring of one point is never advanced.
    let steps = |ring: (u32, u32)| if ring.1 == 1 { 0 } else { ring.1 };
    while i < steps(left) || j < steps(right) {
        // Advancing the side whose next step has its midpoint first keeps the stitches short.
        let left_middle = u64::from(2 * i + 1) * u64::from(right.1);
        let right_middle = u64::from(2 * j + 1) * u64::from(left.1);
        let advance_left = j >= steps(right) || (i < steps(left) && left_middle < right_middle);
        if advance_left {
            triangles.push([at(left, i), at(left, i + 1), at(right, j)]);
            i += 1;
        } else {
            triangles.push([at(left, i), at(right, j + 1), at(right, j)]);
            j += 1;
        }
    }
}
