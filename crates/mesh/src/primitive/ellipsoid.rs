use std::f64::consts::PI;

use super::rings::{Profile, Ring, swept};
use super::{PrimitiveError, positive};
use crate::TriangleMesh;

/// Generates an ellipsoid around the origin with the given semi-axes along x, y, and z.
pub fn ellipsoid(half_axes: [f64; 3], edge: f64) -> Result<TriangleMesh, PrimitiveError> {
    for half_axis in half_axes {
        positive("the half-axis", half_axis)?;
    }
    positive("the edge length", edge)?;
    // Rings around the longest axis are the smallest.
    let mut order = [0, 1, 2];
    order.sort_by(|&a, &b| half_axes[b].total_cmp(&half_axes[a]));
    let [long, middle, short] = order.map(|axis| half_axes[axis]);
    let ring = |t: f64| {
        let (sin, cos) = (PI * t).sin_cos();
        // Both ends must be exactly one point.
        let sin = if t == 0.0 || t == 1.0 { 0.0 } else { sin };
        Ring {
            x: -long * cos,
            y: middle * sin,
            z: short * sin,
        }
    };
    let profile = Profile {
        ring: &ring,
        name: "ellipsoid",
    };
    let mut mesh = swept(&[profile], edge)?;
    for point in &mut mesh.points {
        let swept = *point;
        for (&axis, value) in order.iter().zip(swept) {
            point[axis] = value;
        }
    }
    // An odd permutation of the axes is a reflection.
    if (order[0] + 1) % 3 != order[1] {
        mesh.flip();
    }
    Ok(mesh)
}
