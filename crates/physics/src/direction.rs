//! Directions in space and their representations: angles, unit vectors, azimuth and elevation,
//! direction cosines (u, v).
//!
//! θ is measured from +z and φ from +x. The polarization vectors of a direction are V = θ̂ and H =
//! φ̂.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};
use wavefield_numerics::vector::Vector;

/// A direction in space from the origin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Direction {
    /// Angle from +z in radians, 0 to π; −π to 0 is the opposite half-plane of a cut through the pole, with θ̂ and φ̂
    /// reversed.
    pub theta: f64,
    /// Angle from +x in radians.
    pub phi: f64,
}

impl Direction {
    /// Creates a direction from its angles in radians.
    pub fn new(theta: f64, phi: f64) -> Direction {
        Direction { theta, phi }
    }

    /// Creates a direction from its angles in degrees.
    pub fn from_degrees(theta: f64, phi: f64) -> Direction {
        Direction::new(theta.to_radians(), phi.to_radians())
    }

    /// Creates the direction of a nonzero vector.
    pub fn from_vector(v: Vector) -> Direction {
        Direction {
            theta: v[0].hypot(v[1]).atan2(v[2]),
            phi: v[1].atan2(v[0]),
        }
    }

    /// Creates a direction from azimuth (from +x toward +y) and elevation above the x–y plane, in
    /// radians.
    pub fn from_azimuth_elevation(azimuth: f64, elevation: f64) -> Direction {
        Direction::new(PI / 2.0 - elevation, azimuth)
    }

    /// Creates a direction from u = sinθ cosφ, v = sinθ sinφ in the upper half-space; `None`
    /// outside visible space.
    pub fn from_uv(u: f64, v: f64) -> Option<Direction> {
        let radius = u.hypot(v);
        (radius <= 1.0).then(|| Direction::new(radius.asin(), v.atan2(u)))
    }

    /// Returns azimuth and elevation in radians.
    pub fn azimuth_elevation(&self) -> (f64, f64) {
        (self.phi, PI / 2.0 - self.theta)
    }

    /// Returns the direction cosines (u, v) = (sinθ cosφ, sinθ sinφ).
    pub fn uv(&self) -> (f64, f64) {
        let [u, v, _] = self.unit();
        (u, v)
    }

    /// Returns the unit vector r̂.
    pub fn unit(&self) -> Vector {
        let (st, ct) = self.theta.sin_cos();
        let (sp, cp) = self.phi.sin_cos();
        [st * cp, st * sp, ct]
    }

    /// Returns the unit vector θ̂, the polarization V.
    pub fn theta_hat(&self) -> Vector {
        let (st, ct) = self.theta.sin_cos();
        let (sp, cp) = self.phi.sin_cos();
        [ct * cp, ct * sp, -st]
    }

    /// Returns the unit vector φ̂, the polarization H.
    pub fn phi_hat(&self) -> Vector {
        let (sp, cp) = self.phi.sin_cos();
        [-sp, cp, 0.0]
    }

    /// Returns the co- and cross-polar unit vectors by Ludwig's third definition; the co-polar
    /// vector is at angle `reference` (radians) from x̂ in the aperture plane, π/2 for y
    /// polarization. A. C. Ludwig, IEEE Trans. Antennas Propag. AP-21 (1973) 116–119.
    pub fn ludwig3(&self, reference: f64) -> (Vector, Vector) {
        let (s, c) = (self.phi - reference).sin_cos();
        let (theta, phi) = (self.theta_hat(), self.phi_hat());
        let co = std::array::from_fn(|i| c * theta[i] - s * phi[i]);
        let cross = std::array::from_fn(|i| s * theta[i] + c * phi[i]);
        (co, cross)
    }
}

#[cfg(test)]
mod tests {
    use wavefield_numerics::vector::{cross, scaled};

    use super::*;

    /// Rounding error of a few operations on numbers of order one.
    const ROUNDING: f64 = 4e-15;

    fn sample() -> Vec<Direction> {
        let mut all = Vec::new();
        for theta in [0.0, 1e-9, 0.3, 1.2, PI / 2.0, 2.5, PI] {
            for phi in [-3.0, -0.7, 0.0, 0.9, 2.2] {
                all.push(Direction::new(theta, phi));
            }
        }
        all
    }

    #[test]
    fn unit_vectors_form_a_right_handed_frame() {
        for d in sample() {
            let c = cross(d.theta_hat(), d.phi_hat());
            for i in 0..3 {
                assert!((c[i] - d.unit()[i]).abs() < ROUNDING);
            }
            let (co, cr) = d.ludwig3(0.4);
            let c = cross(co, cr);
            for i in 0..3 {
                assert!((c[i] - d.unit()[i]).abs() < ROUNDING);
            }
        }
    }

    #[test]
    fn views_return_to_the_same_direction() {
        for d in sample() {
            let back = Direction::from_vector(scaled(d.unit(), 7.0));
            let (azimuth, elevation) = d.azimuth_elevation();
            let other = Direction::from_azimuth_elevation(azimuth, elevation);
            for i in 0..3 {
                assert!((back.unit()[i] - d.unit()[i]).abs() < ROUNDING);
                assert!((other.unit()[i] - d.unit()[i]).abs() < ROUNDING);
            }
            if d.theta < 1.3 {
                let (u, v) = d.uv();
                let seen = Direction::from_uv(u, v).unwrap();
                for i in 0..3 {
                    assert!((seen.unit()[i] - d.unit()[i]).abs() < 10.0 * ROUNDING);
                }
            }
        }
        assert!(Direction::from_uv(0.8, 0.7).is_none());
    }

    #[test]
    fn ludwig3_of_boresight_is_the_reference() {
        let (co, cross) = Direction::new(0.0, 0.0).ludwig3(PI / 2.0);
        assert!((co[1] - 1.0).abs() < ROUNDING && (cross[0] + 1.0).abs() < ROUNDING);
    }
}
