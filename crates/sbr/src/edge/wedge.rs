//! A straight edge between two plane faces.

use std::f64::consts::PI;

use wavefield_numerics::vector::{combine, cross, dot, norm, scaled, sub, unit};

/// A turn of the surface below this, in radians, is rounding of files in single precision; with edges of a tenth
/// of a wavelength it would belong to a radius of a thousand.
const FLAT: f64 = 1e-4;

/// Why two faces do not make a wedge.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum WedgeError {
    /// The two end points coincide.
    #[error("the two ends of the edge are the same point")]
    NoLength,
    /// The angle outside the body is not between π and 2π: the edge is flat or bent inward, where
    /// rays that bounce from face to face already carry the field.
    #[error(
        "the exterior angle is {:.2}°; an edge that diffracts has more than 180° and at most 360°",
        .exterior_angle.to_degrees()
    )]
    NotConvex {
        /// The angle through the space outside the body, radians.
        exterior_angle: f64,
    },
}

/// The right-handed frame in which one face of a wedge is the half-plane y = 0, x > 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FaceFrame {
    /// In the face, perpendicular to the edge, away from it.
    pub x: [f64; 3],
    /// Normal of the face, outward from the body.
    pub y: [f64; 3],
    /// Along the edge. The two faces of a wedge see it in opposite senses.
    pub z: [f64; 3],
}

/// A convex edge, or the rim of a sheet (exterior angle 2π).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wedge {
    /// The two ends, in metres.
    pub ends: [[f64; 3]; 2],
    /// The frames of its two faces.
    pub frames: [FaceFrame; 2],
    /// n in "exterior angle = nπ": 2 for a sheet, 3/2 for the edge of a box.
    pub n: f64,
}

impl Wedge {
    /// The edge of a body: `ends` in the direction in which the first face is walked around
    /// counter-clockwise as seen from outside, and the outward normals of both faces.
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

    /// An edge where a smooth face turns a little, outward or inward; as [`Wedge::between`] otherwise.
    /// Refused where it does not turn.
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

    /// The rim of a sheet without thickness, with `ends` walked around counter-clockwise as seen from
    /// the side to which `normal` points.
    pub fn rim(ends: [[f64; 3]; 2], normal: [f64; 3]) -> Result<Self, WedgeError> {
        let z = edge_direction(ends)?;
        let opposite = |v| scaled(v, -1.0);
        Ok(Self {
            ends,
            frames: [frame(normal, z), frame(opposite(normal), opposite(z))],
            n: 2.0,
        })
    }

    /// Direction away from the body that halves the exterior angle.
    pub fn outward(&self) -> [f64; 3] {
        // The normals add up to nothing at a rim, the faces where the edge is almost flat.
        let [a, b] = self.frames.map(|face| sub(face.y, face.x));
        unit(combine(a, 1.0, b, 1.0))
    }

    /// Length of the edge in metres.
    pub fn length(&self) -> f64 {
        norm(sub(self.ends[1], self.ends[0]))
    }

    /// Angle from the first face to the direction a wave comes from, seen along the edge: 0 … nπ
    /// outside the body, `None` inside. `propagation` is the direction in which the wave travels.
    pub fn incidence_angle(&self, propagation: [f64; 3]) -> Option<f64> {
        let FaceFrame { x, y, .. } = self.frames[0];
        let mut angle = (-dot(propagation, y)).atan2(-dot(propagation, x));
        // Along the first face rounding may fall on either side of zero; along a sheet's second face
        // the angle is 2π.
        if angle < -1e-9 {
            angle += 2.0 * PI;
        }
        let (angle, end) = (angle.max(0.0), self.n * PI);
        (angle <= end + 1e-9).then(|| angle.min(end))
    }
}

impl FaceFrame {
    /// Direction in the face, on Keller's cone, in which the fringe current of a wave travelling along
    /// `propagation` runs away from the edge.
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

/// A face lies to the left of its own walk: x = y × z.
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
        // Top face z = 0 (body below), side face y = 0 (body behind): body is z < 0, y > 0. The top is
        // walked counter-clockwise from above along +x, having the body's top on its left.
        let wedge = Wedge::between(
            [[0.0; 3], [1.0, 0.0, 0.0]],
            [[0.0, 0.0, 1.0], [0.0, -1.0, 0.0]],
        )
        .unwrap();
        assert!((wedge.n - 1.5).abs() < 1e-15);
        assert_eq!(wedge.frames[0].x, [0.0, 1.0, 0.0]);
        assert_eq!(wedge.frames[1].x, [0.0, 0.0, -1.0]);
        // From straight above: π/2 from the top face. From inside: no angle.
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
