//! The horn that lights the array.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wavefield_physics::quantity::Length;

/// A feed whose field falls off as cosᵐθ from its axis, which points at the middle of the array
/// (eq. 1: the array lies in the far zone of the feed).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FeedSpec {
    /// Phase centre [x, y, z]; the array lies in the plane z = 0 around the origin and faces +z.
    pub position: [Length; 3],
    /// The power m of the cosine.
    pub exponent: f64,
}

/// A feed in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Feed {
    /// Phase centre, m.
    pub position: [f64; 3],
    /// The power m of the cosine.
    pub exponent: f64,
}

/// What a feed brings to a place of the array.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Illumination {
    /// Distance r from the feed, m.
    pub distance: f64,
    /// Field cosᵐθ/r, 1/m.
    pub field: f64,
    /// Its derivatives by x and y, 1/m².
    pub slope: [f64; 2],
}

impl Feed {
    /// The field at a place in the plane of the array.
    pub fn at(&self, x: f64, y: f64) -> Illumination {
        let [fx, fy, fz] = self.position;
        let m = self.exponent;
        let reach = (fx * fx + fy * fy + fz * fz).sqrt();
        let axis = [-fx / reach, -fy / reach, -fz / reach];
        let ray = [x - fx, y - fy, -fz];
        let distance = (ray[0] * ray[0] + ray[1] * ray[1] + ray[2] * ray[2]).sqrt();
        // cosθ = along/r, and the field alongᵐ/rᵐ⁺¹.
        let along = axis[0] * ray[0] + axis[1] * ray[1] + axis[2] * ray[2];
        if along <= 0.0 {
            return Illumination {
                distance,
                field: 0.0,
                slope: [0.0; 2],
            };
        }
        let field = (along / distance).powf(m) / distance;
        let slope =
            |i: usize| field * (m * axis[i] / along - (m + 1.0) * ray[i] / (distance * distance));
        Illumination {
            distance,
            field,
            slope: [slope(0), slope(1)],
        }
    }

    /// Power of the feed: ∫ cos²ᵐθ dΩ over its front half space.
    pub fn power(&self) -> f64 {
        2.0 * std::f64::consts::PI / (2.0 * self.exponent + 1.0)
    }
}
