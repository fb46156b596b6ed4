use std::f64::consts::PI;

use super::{Edge, Edges};
use crate::TriangleMesh;
use wavefield_numerics::vector::{cross, dot, norm, sub, unit};

/// A wedge: a sharp edge between two triangles, which diffracts waves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wedge {
    /// Both ends, in the direction of the first face.
    pub ends: [u32; 2],
    /// Both triangles.
    pub faces: [u32; 2],
    /// Exterior wedge angle in radians, from face to face: nπ in diffraction theory (GTD, UTD, PTD). Above π the
    /// edge is convex.
    pub exterior_angle: f64,
}

/// Shape of a wedge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WedgeShape {
    /// Convex, like the edge of a box.
    Convex,
    /// Concave, like the corner of a room.
    Concave,
}

impl Wedge {
    /// Returns the interior wedge angle in radians, from face to face.
    pub fn interior_angle(&self) -> f64 {
        2.0 * PI - self.exterior_angle
    }

    /// Returns whether the wedge is convex or concave.
    pub fn shape(&self) -> WedgeShape {
        if self.exterior_angle > PI {
            WedgeShape::Convex
        } else {
            WedgeShape::Concave
        }
    }
}

/// Diffracting edges of a surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SharpEdges {
    /// Edges between two faces at an angle.
    pub wedges: Vec<Wedge>,
    /// Boundary edges with their only triangle: half-planes, exterior angle 2π.
    pub open: Vec<([u32; 2], u32)>,
    /// Non-manifold edges, with more than two faces.
    pub non_manifold: Vec<[u32; 2]>,
    /// Edges between inconsistently oriented faces, where no angle is defined; orient the surface first.
    pub inconsistent: Vec<[u32; 2]>,
}

impl TriangleMesh {
    /// Finds the edges where the normal turns by more than `threshold` radians.
    ///
    /// A tessellated smooth surface also has edges with small angles: with edge length h on a surface with radius
    /// of curvature R, the normal turns by about h/R. The threshold must be larger.
    pub fn sharp_edges(&self, edges: &Edges, threshold: f64) -> SharpEdges {
        let mut sharp = SharpEdges::default();
        for edge in edges.iter() {
            match edge.half_edges {
                [only] => sharp.open.push((only.ends(self), only.triangle())),
                [_, _] if !edge.is_consistent(self) => sharp.inconsistent.push(edge.ends),
                [_, _] => {
                    let wedge = self.wedge(edge);
                    // A degenerate face has no normal, and hence no angle.
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
        // Face 1 is to the left of `along` seen from outside. At a convex edge n₁ × n₂ points along the edge.
        let turn = dot(cross(n1, n2), along).atan2(dot(n1, n2));
        Wedge {
            ends,
            faces,
            exterior_angle: PI + turn,
        }
    }
}
