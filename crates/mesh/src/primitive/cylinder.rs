use super::rings::{Profile, Ring, swept};
use super::{PrimitiveError, positive};
use crate::TriangleMesh;

/// Generates a closed circular cylinder along z around the origin.
///
/// The groups are "bottom", "side", and "top"; both rims are edges of the mesh.
pub fn cylinder(radius: f64, length: f64, edge: f64) -> Result<TriangleMesh, PrimitiveError> {
    positive("the radius", radius)?;
    positive("the length", length)?;
    positive("the edge length", edge)?;
    let half = 0.5 * length;
    let ring = |x: f64, r: f64| Ring { x, y: r, z: r };
    let bottom = |t: f64| ring(-half, radius * t);
    let side = |t: f64| ring(length * (t - 0.5), radius);
    let top = |t: f64| ring(half, radius * (1.0 - t));
    let mut mesh = swept(
        &[
            Profile {
                ring: &bottom,
                name: "bottom",
            },
            Profile {
                ring: &side,
                name: "side",
            },
            Profile {
                ring: &top,
                name: "top",
            },
        ],
        edge,
    )?;
    // The permutation x → z, y → x, z → y preserves handedness.
    for point in &mut mesh.points {
        let [x, y, z] = *point;
        *point = [y, z, x];
    }
    Ok(mesh)
}
