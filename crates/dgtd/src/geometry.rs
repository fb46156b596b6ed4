//! Geometry of straight-sided tetrahedra: gradients, normals, areas.

use wavefield_numerics::vector::{cross, dot, norm, scaled};

/// Geometry of a straight-sided tetrahedron.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geometry {
    /// Gradients of the four barycentric coordinates, 1/m.
    pub gradients: [[f64; 3]; 4],
    /// Volume, m³.
    pub volume: f64,
}

impl Geometry {
    /// Computes the geometry of a tetrahedron; its corners may be in any order.
    pub fn of(corners: [[f64; 3]; 4]) -> Geometry {
        let edges: [[f64; 3]; 3] = std::array::from_fn(|k| {
            std::array::from_fn(|axis| corners[k + 1][axis] - corners[0][axis])
        });
        let determinant = dot(edges[0], cross(edges[1], edges[2]));
        let gradient = |k: usize| {
            let (a, b) = (edges[(k + 1) % 3], edges[(k + 2) % 3]);
            scaled(cross(a, b), determinant.recip())
        };
        let others: [[f64; 3]; 3] = std::array::from_fn(gradient);
        let first = std::array::from_fn(|axis| -(0..3).map(|k| others[k][axis]).sum::<f64>());
        Geometry {
            gradients: [first, others[0], others[1], others[2]],
            volume: determinant.abs() / 6.0,
        }
    }

    /// Returns ∇r, ∇s, and ∇t, 1/m: reference coordinates have a range of two, barycentric coordinates of one.
    pub fn reference_gradients(&self) -> [[f64; 3]; 3] {
        std::array::from_fn(|k| scaled(self.gradients[k + 1], 2.0))
    }

    /// Returns the outward unit normal of a face.
    pub fn normal(&self, face: usize) -> [f64; 3] {
        let gradient = self.gradients[face];
        scaled(gradient, -norm(gradient).recip())
    }

    /// Returns the ratio of the surface Jacobian of a face to that of the volume, 2 |∇λ|, 1/m.
    pub fn face_scale(&self, face: usize) -> f64 {
        2.0 * norm(self.gradients[face])
    }

    /// Returns the area of a face, m²: 3 V |∇λ|.
    pub fn area(&self, face: usize) -> f64 {
        3.0 * self.volume * norm(self.gradients[face])
    }

    /// Returns the radius of the inscribed sphere, m.
    pub fn inradius(&self) -> f64 {
        self.gradients.iter().map(|&g| norm(g)).sum::<f64>().recip()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corner_of_a_cube() {
        let corners = [[0.0; 3], [0.0, 2.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, 2.0]];
        let shape = Geometry::of(corners);
        assert!((shape.volume - 8.0 / 6.0).abs() < 1e-14);
        assert!((shape.area(0) - 2.0 * 3f64.sqrt()).abs() < 1e-14);
        for (found, exact) in shape.normal(0).iter().zip([1.0 / 3f64.sqrt(); 3]) {
            assert!((found - exact).abs() < 1e-14);
        }
        assert_eq!(shape.normal(2).map(f64::round), [-1.0, 0.0, 0.0]);
        // The sphere inscribed in the three coordinate planes and x + y + z = 2.
        let radius = 2.0 / (3.0 + 3f64.sqrt());
        assert!((shape.inradius() - radius).abs() < 1e-14);
        // The scale is the area over half of three quarters of the volume.
        assert!((shape.face_scale(1) - (2.0 / 2.0) / (0.75 * shape.volume)).abs() < 1e-14);
    }
}
