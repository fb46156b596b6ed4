use std::f64::consts::{PI, SQRT_2};

use super::lattice::Lattice;
use super::{PrimitiveError, affordable, pieces, positive};
use crate::TriangleMesh;

/// Generates a dihedral corner reflector, an open surface: two plates that share an edge on the z axis and
/// open toward +x.
///
/// Each plate is `width` wide and `height` high (along z, around the origin); the interior angle is
/// `opening` radians. Both normals point into the interior. The groups are "right" (y < 0) and "left" (y >
/// 0).
pub fn dihedral(
    width: f64,
    height: f64,
    opening: f64,
    edge: f64,
) -> Result<TriangleMesh, PrimitiveError> {
    positive("the width", width)?;
    positive("the height", height)?;
    positive("the edge length", edge)?;
    if !(opening > 0.0 && opening < PI) {
        return Err(PrimitiveError::OutOfRange {
            what: "the opening angle",
            value: opening,
            range: "between 0 and π radians",
        });
    }
    let cell = edge / SQRT_2;
    affordable(edge, 4.0 * (width / cell + 1.0) * (height / cell + 1.0))?;
    let across = pieces(width, cell);
    let up = pieces(height, cell);
    let (sin, cos) = (0.5 * opening).sin_cos();
    // Address: distance from the common edge, height, and the plate (0 on the common edge).
    let mut lattice = Lattice::new(|[i, j, plate]| {
        let out = width * f64::from(i) / f64::from(across);
        let side = if plate == 1 { -sin } else { sin };
        let z = height * (f64::from(j) / f64::from(up) - 0.5);
        [out * cos, if i == 0 { 0.0 } else { out * side }, z]
    });
    let on_plate = |i: u32, plate: u32| if i == 0 { 0 } else { plate };
    lattice.group("right");
    lattice.rectangle([up, across], |j, i| [i, j, on_plate(i, 1)]);
    lattice.group("left");
    lattice.rectangle([across, up], |i, j| [i, j, on_plate(i, 2)]);
    Ok(lattice.mesh)
}

/// Generates a square trihedral corner reflector: three plates in the coordinate planes that meet at the
/// origin and open toward (1, 1, 1).
///
/// An open surface whose normals point into the interior; the groups are "x", "y", and "z" after their
/// normals.
pub fn square_trihedral(side: f64, edge: f64) -> Result<TriangleMesh, PrimitiveError> {
    positive("the side", side)?;
    positive("the edge length", edge)?;
    let cell = edge / SQRT_2;
    affordable(edge, 6.0 * (side / cell + 1.0).powi(2))?;
    let count = pieces(side, cell);
    let mut lattice = coordinate_planes(side, count);
    for (normal, name) in ["x", "y", "z"].into_iter().enumerate() {
        lattice.group(name);
        lattice.rectangle([count, count], |i, j| on_plane(normal, i, j));
    }
    Ok(lattice.mesh)
}

/// Generates a triangular trihedral corner reflector: three right triangles in the coordinate planes that
/// meet at the origin and open toward (1, 1, 1).
///
/// `leg` is the length of the two equal sides. An open surface whose normals point into the interior; the
/// groups are "x", "y", and "z" after their normals.
pub fn triangular_trihedral(leg: f64, edge: f64) -> Result<TriangleMesh, PrimitiveError> {
    positive("the leg", leg)?;
    positive("the edge length", edge)?;
    let cell = edge / SQRT_2;
    affordable(edge, 3.0 * (leg / cell + 1.0).powi(2))?;
    let count = pieces(leg, cell);
    let mut lattice = coordinate_planes(leg, count);
    for (normal, name) in ["x", "y", "z"].into_iter().enumerate() {
        lattice.group(name);
        let at = |i, j| on_plane(normal, i, j);
        for i in 0..count {
            for j in 0..count - i {
                lattice.triangle([at(i, j), at(i + 1, j), at(i, j + 1)]);
                if i + j + 1 < count {
                    lattice.triangle([at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
                }
            }
        }
    }
    Ok(lattice.mesh)
}

fn coordinate_planes(side: f64, count: u32) -> Lattice<impl Fn([u32; 3]) -> [f64; 3]> {
    Lattice::new(move |address| address.map(|i| side * f64::from(i) / f64::from(count)))
}

/// Returns the address of a point in the plane with this normal, from the coordinates on the two axes that
/// follow it cyclically.
fn on_plane(normal: usize, i: u32, j: u32) -> [u32; 3] {
    let mut address = [0; 3];
    address[(normal + 1) % 3] = i;
    address[(normal + 2) % 3] = j;
    address
}
