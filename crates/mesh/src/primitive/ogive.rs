use super::rings::{Profile, Ring, swept};
use super::{PrimitiveError, positive};
use crate::TriangleMesh;

/// Length of the benchmark ogive, 10 inches, in meters.
pub const OGIVE_LENGTH: f64 = 10.0 * 0.0254;

/// Angle in radians between axis and surface at the tips of the benchmark ogive: 22.62°, the angle with
/// tangent 5/12.
pub const OGIVE_HALF_ANGLE: f64 = 0.394_791_119_699_761_5;

/// Generates the metallic ogive of the benchmark targets, along x around the origin with a tip at either
/// end.
///
/// The surface is a circular arc rotated about its chord. With half the length h and half angle α at the
/// tips, the arc has radius R = h/sin α and the body r(x) = √(R² − x²) − R cos α. A. C. Woo, H. T. G.
/// Wang, M. J. Schuh, M. L. Sanders, "Benchmark radar targets for the validation of computational
/// electromagnetics programs", IEEE Antennas and Propagation Magazine 35 (1), 1993.
pub fn ogive(length: f64, half_angle: f64, edge: f64) -> Result<TriangleMesh, PrimitiveError> {
    positive("the length", length)?;
    positive("the edge length", edge)?;
    if !(half_angle > 0.0 && half_angle <= std::f64::consts::FRAC_PI_2) {
        return Err(PrimitiveError::OutOfRange {
            what: "the half angle",
            value: half_angle,
            range: "above 0 and at most π/2 radians",
        });
    }
    let arc_radius = 0.5 * length / half_angle.sin();
    // The arc from tip to tip is parametrized by the angle at its center, for uniform arc length.
    let ring = |t: f64| {
        let angle = half_angle * (2.0 * t - 1.0);
        let tip = t == 0.0 || t == 1.0;
        let radius = arc_radius * (angle.cos() - half_angle.cos());
        let radius = if tip { 0.0 } else { radius };
        Ring {
            x: arc_radius * angle.sin(),
            y: radius,
            z: radius,
        }
    };
    swept(
        &[Profile {
            ring: &ring,
            name: "ogive",
        }],
        edge,
    )
}
