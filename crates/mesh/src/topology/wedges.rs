use std::f64::consts::PI;

use super::{Edge, Edges};
use crate::TriangleMesh;
use wavefield_numerics::vector::{cross, dot, norm, sub, unit};

/// A sharp edge between two triangles, where waves are diffracted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wedge {
    /// The two points, in the direction in which the first face is walked around.
    pub ends: [u32; 2],
    /// The two triangles.
    pub faces: [u32; 2],
    /// The angle in radians through the space outside the body, from face to face: nπ in the theory of
    /// diffraction. Above π the edge is convex.
    pub exterior_angle: f64,
}

/// Which way an edge is bent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WedgeShape {
    /// Bent outward, like the edge of a box.
    Convex,
    /// Bent inward, like the corner of a room.
    Concave,
}

impl Wedge {
    /// The angle in radians through the body, from face to face.
    pub fn interior_angle(&self) -> f64 {
        2.0 * PI - self.exterior_angle
    }

    /// Whether the edge is bent outward or inward.
    pub fn shape(&self) -> WedgeShape {
        if self.exterior_angle > PI {
            WedgeShape::Convex
        } else {
            WedgeShape::Concave
        }
    }
}

/// The edges of a surface that a wave notices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SharpEdges {
    /// Edges where two faces meet at an angle.
    pub wedges: Vec<Wedge>,
    /// Edges where the surface ends, with their only triangle: half-planes, exterior angle 2π.
    pub open: Vec<([u32; 2], u32)>,
    /// Edges where more than two faces meet.
    pub non_manifold: Vec<[u32; 2]>,
    /// Edges whose two faces disagree about the outside, so that no angle can be given; orient the surface first.
    pub inconsistent: Vec<[u32; 2]>,
}

impl TriangleMesh {
    /// Finds the edges where the normal turns by more than `threshold` radians.
    ///
    /// The tessellation of a smooth surface also has edges, but shallow ones. With edges of length h on a
    /// surface with radius of curvature R they turn by about h/R: choose a threshold above that.
    pub fn sharp_edges(&self, edges: &Edges, threshold: f64) -> SharpEdges {
        let mut sharp = SharpEdges::default();
        for edge in edges.iter() {
            match edge.half_edges {
                [only] => sharp.open.push((only.ends(self), only.triangle())),
                [_, _] if !edge.is_consistent(self) => sharp.inconsistent.push(edge.ends),
                [_, _] => {
                    let wedge = self.wedge(edge);
                    // A face without area has no normal, and hence no angle.
                    if (wedge.exterior_angle - PI).abs() > threshold {
                        sharp.wedges.push(wedge);
                    }
                }
                _ => sharp.non_manifold.push(edge.ends),
            }
        }
        sharp
    }

    fn wedge(&self, edge: Edge) -> Wedge {
        let first = edge.half_edges[0];
        let ends = first.ends(self);
        let [from, to] = ends.map(|index| self.points[index as usize]);
        let along = unit(sub(to, from));
        let faces = [0, 1].map(|side| edge.half_edges[side].triangle());
        let [n1, n2] = faces.map(|t| {
            let area = self.area_vector(t as usize);
            area.map(|c| c / norm(area))
        });
        // Face 1 lies to the left of `along` as seen from outside. Where the surface bends away from the
        // viewer, n₁ × n₂ points along the edge.
        let turn = dot(cross(n1, n2), along).atan2(dot(n1, n2));
        Wedge {
            ends,
            faces,
            exterior_angle: PI + turn,
        }
    }
}
