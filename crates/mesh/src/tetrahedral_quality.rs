use std::fmt;

use serde::Serialize;

use crate::TetrahedralMesh;
use wavefield_numerics::vector::{cross, norm, sub};

/// Quality of the tetrahedra of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TetrahedralQuality {
    /// Number of tetrahedra.
    pub tetrahedra: usize,
    /// Smallest inradius (radius of the inscribed sphere); the CFL time step of an explicit solver is
    /// proportional to it.
    pub smallest_inradius: f64,
    /// Smallest ratio of inradius to longest edge, relative to that of a regular tetrahedron, 1/√24.
    pub worst_shape: f64,
    /// Length of the shortest edge.
    pub shortest_edge: f64,
    /// Length of the longest edge.
    pub longest_edge: f64,
}

impl TetrahedralMesh {
    /// Returns the inradius of a tetrahedron, three times its volume over its surface area.
    pub fn inradius(&self, tetrahedron: usize) -> f64 {
        let [a, b, c, d] = self.corners(tetrahedron);
        let area = |p: [f64; 3], q, r| 0.5 * norm(cross(sub(q, p), sub(r, p)));
        let surface = area(a, b, c) + area(a, b, d) + area(a, c, d) + area(b, c, d);
        3.0 * self.tetrahedron_volume(tetrahedron).abs() / surface
    }

    /// Returns the ratio of inradius to longest edge of a tetrahedron, relative to that of a regular one.
    pub fn shape(&self, tetrahedron: usize) -> f64 {
        let longest = (self.edge_lengths(tetrahedron).into_iter()).fold(0.0, f64::max);
        self.inradius(tetrahedron) / longest * 24.0_f64.sqrt()
    }

    fn edge_lengths(&self, tetrahedron: usize) -> [f64; 6] {
        let corners = self.corners(tetrahedron);
        let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
        pairs.map(|(i, j)| norm(sub(corners[i], corners[j])))
    }

    /// Returns the quality of the tetrahedra, or `None` without tetrahedra.
    pub fn quality(&self) -> Option<TetrahedralQuality> {
        let mut quality = TetrahedralQuality {
            tetrahedra: self.tetrahedra.len(),
            smallest_inradius: f64::INFINITY,
            worst_shape: f64::INFINITY,
            shortest_edge: f64::INFINITY,
            longest_edge: 0.0,
        };
        for t in 0..self.tetrahedra.len() {
            let edges = self.edge_lengths(t);
            let longest = edges.into_iter().fold(0.0, f64::max);
            let shortest = edges.into_iter().fold(f64::INFINITY, f64::min);
            let inradius = self.inradius(t);
            quality.smallest_inradius = quality.smallest_inradius.min(inradius);
            quality.worst_shape = quality.worst_shape.min(self.shape(t));
            quality.shortest_edge = quality.shortest_edge.min(shortest);
            quality.longest_edge = quality.longest_edge.max(longest);
        }
        (quality.tetrahedra > 0).then_some(quality)
    }
}

impl fmt::Display for TetrahedralQuality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} tetrahedra, edges {:.4} to {:.4}, smallest inradius {:.5}, worst shape {:.2} (1 is regular)",
            self.tetrahedra,
            self.shortest_edge,
            self.longest_edge,
            self.smallest_inradius,
            self.worst_shape
        )
    }
}
