use std::f64::consts::SQRT_2;

use super::lattice::Lattice;
use super::{PrimitiveError, affordable, pieces, positive};
use crate::TriangleMesh;

/// Generates a flat rectangle in the x–y plane around the origin with normal +z, an open surface.
pub fn plate(width_x: f64, width_y: f64, edge: f64) -> Result<TriangleMesh, PrimitiveError> {
    positive("the width", width_x)?;
    positive("the width", width_y)?;
    positive("the edge length", edge)?;
    let cell = edge / SQRT_2;
    affordable(edge, 2.0 * (width_x / cell + 1.0) * (width_y / cell + 1.0))?;
    let counts = [pieces(width_x, cell), pieces(width_y, cell)];
    let mut lattice = Lattice::new(|[i, j, _]| {
        [
            on_side(width_x, i, counts[0]),
            on_side(width_y, j, counts[1]),
            0.0,
        ]
    });
    lattice.group("plate");
    lattice.rectangle(counts, |i, j| [i, j, 0]);
    Ok(lattice.mesh)
}

/// Generates a cuboid around the origin with the given sides along x, y, and z.
///
/// The six faces are the groups "x-", "x+", "y-", "y+", "z-", and "z+".
pub fn cuboid(size: [f64; 3], edge: f64) -> Result<TriangleMesh, PrimitiveError> {
    for length in size {
        positive("the side of the box", length)?;
    }
    positive("the edge length", edge)?;
    let cell = edge / SQRT_2;
    let cells = size.map(|length| length / cell + 1.0);
    let faces = cells[0] * cells[1] + cells[1] * cells[2] + cells[2] * cells[0];
    affordable(edge, 4.0 * faces)?;
    let counts = size.map(|length| pieces(length, cell));
    let mut lattice = Lattice::new(|address| {
        [0, 1, 2].map(|axis| on_side(size[axis], address[axis], counts[axis]))
    });
    for (normal, name) in ["x", "y", "z"].into_iter().enumerate() {
        // Seen from the positive side, `first` rotates counterclockwise into `second`.
        let (first, second) = ((normal + 1) % 3, (normal + 2) % 3);
        for (sign, level) in [("-", 0), ("+", counts[normal])] {
            lattice.group(&format!("{name}{sign}"));
            let (u, v) = if level == 0 {
                (second, first)
            } else {
                (first, second)
            };
            lattice.rectangle([counts[u], counts[v]], |i, j| {
                let mut address = [level; 3];
                address[u] = i;
                address[v] = j;
                address
            });
        }
    }
    Ok(lattice.mesh)
}

/// Returns the coordinate of grid line `i` of `count` on a side around the origin, exact at both
/// ends.
fn on_side(length: f64, i: u32, count: u32) -> f64 {
    length * (f64::from(i) / f64::from(count) - 0.5)
}
