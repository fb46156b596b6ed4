//! Geometry of a straight edge between two plane faces.

use std::f64::consts::PI;

use wavefield_numerics::vector::{combine, cross, dot, norm, scaled, sub, unit};

/// Minimum turn of the surface, rad. Smaller turns are rounding of single-precision mesh files; at an edge
/// length of λ/10 they would correspond to a radius of curvature of 1000 λ.
const FLAT: f64 = 1e-4;

/// Error of the wedge geometry.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum WedgeError {
    /// The two end points coincide.
    #[error("the edge has zero length")]
    NoLength,
    /// The exterior angle is not between π and 2π: the edge is flat or concave, where multiply reflected rays
    /// already carry the field.
    #[error(
        "the exterior angle is {:.2}°; a diffracting edge has more than 180° and at most 360°",
        .exterior_angle.to_degrees()
    )]
    NotConvex {
        /// Exterior angle, rad.
        exterior_angle: f64,
    },
}

/// Right-handed frame in which one face of a wedge is the half-plane y = 0, x > 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FaceFrame {
    /// Unit vector in the face, perpendicular to the edge and away from it.
    pub x: [f64; 3],
    /// Outward normal of the face.
    pub y: [f64; 3],
    /// Unit vector along the edge, of opposite sign for the two faces of a wedge.
    pub z: [f64; 3],
}

/// Convex edge, or boundary of a sheet (exterior angle 2π).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wedge {
    /// End points, m.
    pub ends: [[f64; 3]; 2],
    /// Frames of its two faces.
    pub frames: [FaceFrame; 2],
    /// Wedge parameter n of the exterior angle nπ: 2 for a sheet, 3/2 for the edge of a box.
    pub n: f64,
}

impl Wedge {
    /// Creates the edge of a body from its `ends`, ordered counterclockwise around the first face as observed
    /// from outside, and the outward normals of both faces.
    pub fn between(ends: [[f64; 3]; 2], normals: [[f64; 3]; 2]) -> Result<Self, WedgeError> {
        let z = edge_direction(ends)?;
        let turn = dot(cross(normals[0], normals[1]), z).atan2(dot(normals[0], normals[1]));
        let exterior_angle = PI + turn;
        if turn.is_nan() || turn <= 0.0 {
            return Err(WedgeError::NotConvex { exterior_angle });
        }
        Ok(Self {
            ends,
            frames: [frame(normals[0], z), frame(normals[1], scaled(z, -1.0))],
            n: exterior_angle / PI,
        })
    }

    /// Creates an edge where a smooth face turns slightly, outward or inward; otherwise as [`Wedge::between`].
    /// Returns an error for a flat edge.
    pub(super) fn bend(ends: [[f64; 3]; 2], normals: [[f64; 3]; 2]) -> Result<Self, WedgeError> {
        let z = edge_direction(ends)?;
        let turn = dot(cross(normals[0], normals[1]), z).atan2(dot(normals[0], normals[1]));
        let exterior_angle = PI + turn;
        if turn.is_nan() || turn.abs() < FLAT {
            return Err(WedgeError::NotConvex { exterior_angle });
        }
        Ok(Self {
            ends,
            frames: [frame(normals[0], z), frame(normals[1], scaled(z, -1.0))],
            n: exterior_angle / PI,
        })
    }

    /// Creates the boundary edge of an infinitely thin sheet, with `ends` ordered counterclockwise as observed
    /// from the side of `normal`.
    pub fn rim(ends: [[f64; 3]; 2], normal: [f64; 3]) -> Result<Self, WedgeError> {
        let z = edge_direction(ends)?;
        let opposite = |v| scaled(v, -1.0);
        Ok(Self {
            ends,
            frames: [frame(normal, z), frame(opposite(normal), opposite(z))],
            n: 2.0,
        })
    }

    /// Returns the bisector of the exterior angle, away from the body.
    pub fn outward(&self) -> [f64; 3] {
        // The sum of the normals vanishes at a rim, the sum of the face directions at an almost flat edge.
        let [a, b] = self.frames.map(|face| sub(face.y, face.x));
        unit(combine(a, 1.0, b, 1.0))
    }

    /// Returns the length of the edge, m.
    pub fn length(&self) -> f64 {
        norm(sub(self.ends[1], self.ends[0]))
    }

    /// Returns the angle from the first face to the direction of incidence in the plane perpendicular to the
    /// edge: 0 … nπ outside the body, `None` inside. `propagation` is the direction of propagation.
    pub fn incidence_angle(&self, propagation: [f64; 3]) -> Option<f64> {
        let FaceFrame { x, y, .. } = self.frames[0];
        let mut angle = (-dot(propagation, y)).atan2(-dot(propagation, x));
        // Along the first face rounding may have either sign; along a sheet's second face the angle is 2π.
        if angle < -1e-9 {
            angle += 2.0 * PI;
        }
        let (angle, end) = (angle.max(0.0), self.n * PI);
        (angle <= end + 1e-9).then(|| angle.min(end))
    }
}

impl FaceFrame {
    /// Returns the direction in the face, on Keller's cone, in which the fringe current of a wave propagating
    /// along `propagation` flows away from the edge.
    pub fn strip_direction(&self, propagation: [f64; 3]) -> [f64; 3] {
        let cosine = dot(propagation, self.z);
        combine(
            self.x,
            (1.0 - cosine * cosine).max(0.0).sqrt(),
            self.z,
            cosine,
        )
    }
}

fn edge_direction(ends: [[f64; 3]; 2]) -> Result<[f64; 3], WedgeError> {
    let along = sub(ends[1], ends[0]);
    if norm(along) > 0.0 {
        Ok(unit(along))
    } else {
        Err(WedgeError::NoLength)
    }
}

/// Returns the frame with the face to the left of the edge: x = y × z.
fn frame(y: [f64; 3], z: [f64; 3]) -> FaceFrame {
    FaceFrame {
        x: cross(y, z),
        y,
        z,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_edge_of_a_box_turns_three_quarters_around() {
        // Top face z = 0 (body below), side face y = 0 (body behind): the body is z < 0, y > 0. The top is
        // counterclockwise from above along +x, with the body's top on the left.
        let wedge = Wedge::between(
            [[0.0; 3], [1.0, 0.0, 0.0]],
            [[0.0, 0.0, 1.0], [0.0, -1.0, 0.0]],
        )
        .unwrap();
        assert!((wedge.n - 1.5).abs() < 1e-15);
        assert_eq!(wedge.frames[0].x, [0.0, 1.0, 0.0]);
        assert_eq!(wedge.frames[1].x, [0.0, 0.0, -1.0]);
        // From directly above: π/2 from the top face. From inside: no angle.
        let above = wedge.incidence_angle([0.0, 0.0, -1.0]).unwrap();
        assert!((above - PI / 2.0).abs() < 1e-15);
        assert_eq!(wedge.incidence_angle([0.0, -0.6, 0.8]), None);
    }

    #[test]
    fn an_edge_bent_inward_is_refused() {
        let result = Wedge::between(
            [[0.0; 3], [1.0, 0.0, 0.0]],
            [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0]],
        );
        assert!(matches!(result, Err(WedgeError::NotConvex { .. })));
    }
}
