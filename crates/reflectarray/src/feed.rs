//! Feed and illumination of the array.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wavefield_physics::quantity::Length;
use wavefield_solver::scene::Issues;

/// A feed with the field pattern cos^q θ (power pattern cos^2q θ) about its axis, which points at the center of
/// the array (eq. 1: the array lies in the far field of the feed).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FeedSpec {
    /// Phase center [x, y, z]; the array lies in the plane z = 0 around the origin and faces +z.
    pub position: [Length; 3],
    /// Exponent q of the field pattern cos^q θ; the power pattern is cos^2q θ.
    pub q: f64,
}

/// Maximum exponent q.
const MAX_Q: f64 = 1e4;

impl FeedSpec {
    /// Adds everything that is wrong with the feed; without a wavelength, heights in wavelengths are checked by sign.
    pub(crate) fn check(&self, wavelength: Option<f64>, issues: &mut Issues) {
        let meters = |length: Length| length.meters(wavelength.unwrap_or(1.0));
        let path = "feed.position";
        if !self.position.map(meters).iter().all(|x| x.is_finite()) {
            issues.add(path, format!("`{path}` must be finite"));
        } else if meters(self.position[2]) <= 0.0 {
            issues.add(
                path,
                format!(
                    "`{path}`: the feed must be in front of the array, at z > 0, not at z = {}",
                    self.position[2]
                ),
            );
        }
        issues.range("feed.q", self.q, 0.0, MAX_Q);
    }
}

/// A feed in meters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Feed {
    /// Phase center, m.
    pub position: [f64; 3],
    /// Exponent q of the field pattern.
    pub exponent: f64,
}

/// Illumination of the array at one point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Illumination {
    /// Distance r from the feed, m.
    pub distance: f64,
    /// Aperture field f√cosθ in 1/m, f = cos^q θ_f / r being the incident field and θ the angle of incidence:
    /// its square is the power per unit area of the array.
    pub field: f64,
    /// Derivatives of the aperture field by x and y, 1/m².
    pub gradient: [f64; 2],
}

impl Feed {
    /// Returns the illumination of a point in the plane of the array.
    ///
    /// A cell of area A presents the projected area A cosθ to the ray from the feed, with cosθ = z_f/r, and
    /// intercepts f²A cosθ. A lossless cell reradiates that power, so that the field over the cell is f√cosθ.
    pub fn at(&self, x: f64, y: f64) -> Illumination {
        let [fx, fy, fz] = self.position;
        let q = self.exponent;
        let reach = (fx * fx + fy * fy + fz * fz).sqrt();
        let axis = [-fx / reach, -fy / reach, -fz / reach];
        let ray = [x - fx, y - fy, -fz];
        let distance = (ray[0] * ray[0] + ray[1] * ray[1] + ray[2] * ray[2]).sqrt();
        // cosθ_f = along/r: the aperture field is along^q z_f^½ / r^(q + 3/2).
        let along = axis[0] * ray[0] + axis[1] * ray[1] + axis[2] * ray[2];
        if along <= 0.0 || fz <= 0.0 {
            return Illumination {
                distance,
                field: 0.0,
                gradient: [0.0; 2],
            };
        }
        let field = (along / distance).powf(q) * (fz / distance).sqrt() / distance;
        let gradient =
            |i: usize| field * (q * axis[i] / along - (q + 1.5) * ray[i] / (distance * distance));
        Illumination {
            distance,
            field,
            gradient: [gradient(0), gradient(1)],
        }
    }

    /// Returns the power of the feed, ∫ cos^2q θ dΩ over its front half space.
    pub fn power(&self) -> f64 {
        2.0 * std::f64::consts::PI / (2.0 * self.exponent + 1.0)
    }
}
