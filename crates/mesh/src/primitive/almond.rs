use std::f64::consts::{FRAC_PI_2, PI};

use super::rings::{Profile, Ring, swept};
use super::{PrimitiveError, positive};
use crate::TriangleMesh;

/// Length of the benchmark almond, 9.936 inches, in meters.
pub const ALMOND_LENGTH: f64 = 9.936 * 0.0254;

/// Generates the NASA almond, a smooth benchmark target with one tip, at +x.
///
/// With d the length and ψ the angle around the x axis, the rear −5/12 ≤ x/d ≤ 0 is half an ellipsoid,
///
/// y = 29/150 d √(1 − (12x/5d)²) cos ψ,
/// z = 29/450 d √(1 − (12x/5d)²) sin ψ,
///
/// and the front 0 ≤ x/d ≤ 7/12 extends to the tip along circular arcs,
///
/// y = 29/6 d (√(1 − (12x/25d)²) − 0.96) cos ψ,
/// z = 29/18 d (√(1 − (12x/25d)²) − 0.96) sin ψ.
///
/// A. C. Woo, H. T. G. Wang, M. J. Schuh, M. L. Sanders, "Benchmark radar targets for the validation of
/// computational electromagnetics programs", IEEE Antennas and Propagation Magazine 35 (1), 1993. The
/// printed decimals (0.416667, 0.193333, 0.064444, 4.83345, 1.61115, 2.08335) have a step of 5·10⁻⁶ d
/// between the halves; the fractions above are these decimals without the step.
///
/// The origin is at the junction of the two halves. The groups are "rear" and "front".
pub fn almond(length: f64, edge: f64) -> Result<TriangleMesh, PrimitiveError> {
    positive("the length", length)?;
    positive("the edge length", edge)?;
    let d = length;
    let [half_width, half_height] = [29.0 / 150.0 * d, 29.0 / 450.0 * d];
    // Both halves are parametrized by an angle, for uniform steps where the outline is steep.
    let rear = |t: f64| {
        let (sin, cos) = (FRAC_PI_2 * t).sin_cos();
        Ring {
            x: -5.0 / 12.0 * d * cos,
            y: half_width * sin,
            z: half_height * sin,
        }
    };
    let tip_angle = 0.28_f64.asin();
    let front = |t: f64| {
        let (sin, cos) = (tip_angle * t).sin_cos();
        // 1 at the junction and 0 at the tip.
        let taper = if t == 1.0 { 0.0 } else { (cos - 0.96) / 0.04 };
        Ring {
            x: 25.0 / 12.0 * d * sin,
            y: half_width * taper,
            z: half_height * taper,
        }
    };
    swept(
        &[
            Profile {
                ring: &rear,
                name: "rear",
            },
            Profile {
                ring: &front,
                name: "front",
            },
        ],
        edge,
    )
}

/// Returns the volume of an almond.
///
/// With u = sin of the angle of the arcs at the tip, 0.28, and c = cos, 0.96, the front is
/// π ab ∫ ((√(1 − (12x/25d)²) − c)/0.04)² dx = π ab d 25/12 (u − u³/3 − c arcsin u)/0.04².
pub fn almond_volume(length: f64) -> f64 {
    let (u, c) = (0.28_f64, 0.96);
    let front = 25.0 / 12.0 * (u - u.powi(3) / 3.0 - c * u.asin()) / 0.0016;
    let rear = 2.0 / 3.0 * 5.0 / 12.0;
    PI * 29.0 / 150.0 * 29.0 / 450.0 * (rear + front) * length.powi(3)
}
