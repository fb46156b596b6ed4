//! Triangle surface for ray tracing, and the law of reflection.

use wavefield_mesh::TriangleMesh;

use super::intersection::ShearedRay;
use super::ray::{Hit, Ray};
use crate::error::Error;
use wavefield_numerics::vector::{cross, dot, norm, scaled, sub};

/// Minimum distance of the origin of a reflected ray from the edges of its triangle, relative to the triangle: far
/// above rounding, far below a wavelength.
const MARGIN: f64 = 1.0 / (1u64 << 20) as f64;

/// Maximum number of triangles: indices of triangles and nodes have 30 bits in the tracers.
const MAX_TRIANGLES: usize = 1 << 28;

/// Triangles of a mesh, prepared for ray tracing, with the indices of the mesh.
///
/// Degenerate triangles are retained and never hit.
#[derive(Clone, Debug)]
pub struct Surface {
    corners: Vec<[[f64; 3]; 3]>,
    /// Rounded to f32: used only in the tolerance around a ray's own origin.
    twice_area: Vec<f32>,
    center: [f64; 3],
    radius: f64,
}

impl Surface {
    /// Creates a surface from a mesh.
    ///
    /// # Errors
    /// Returns an error if the mesh is not valid (see [`TriangleMesh::validate`]), is empty, or is too large.
    pub fn new(mesh: &TriangleMesh) -> Result<Self, Error> {
        mesh.validate()?;
        if mesh.triangles.len() > MAX_TRIANGLES {
            return Err(Error::TooManyTriangles {
                found: mesh.triangles.len(),
                most: MAX_TRIANGLES,
            });
        }
        let corners: Vec<_> = (0..mesh.triangles.len()).map(|t| mesh.corners(t)).collect();
        let twice_area: Vec<f32> = (corners.iter())
            .map(|[a, b, c]| norm(cross(sub(*b, *a), sub(*c, *a))) as f32)
            .collect();
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for corner in corners.iter().flatten() {
            for axis in 0..3 {
                low[axis] = low[axis].min(corner[axis]);
                high[axis] = high[axis].max(corner[axis]);
            }
        }
        if corners.is_empty() {
            return Err(Error::NoTriangles);
        }
        let radius = 0.5 * norm(sub(high, low));
        if radius == 0.0 {
            return Err(Error::NoTriangles);
        }
        if !(1e-15..=1e15).contains(&radius) {
            return Err(Error::Size { radius });
        }
        Ok(Self {
            corners,
            twice_area,
            center: [0, 1, 2].map(|axis| 0.5 * (low[axis] + high[axis])),
            radius,
        })
    }

    /// Returns the number of triangles.
    #[must_use]
    pub fn count(&self) -> usize {
        self.corners.len()
    }

    /// Returns the vertices of a triangle.
    ///
    /// # Panics
    /// Panics if the index is out of range.
    #[must_use]
    pub fn corners(&self, triangle: u32) -> [[f64; 3]; 3] {
        self.corners[triangle as usize]
    }

    /// Returns the center of the bounding box.
    #[must_use]
    pub fn center(&self) -> [f64; 3] {
        self.center
    }

    /// Returns half the diagonal of the bounding box: the radius of a bounding sphere around [`Self::center`].
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Returns the unit normal of a triangle, on the side where its vertices are counterclockwise.
    ///
    /// # Panics
    /// Panics if the index is out of range.
    #[must_use]
    pub fn normal(&self, triangle: u32) -> [f64; 3] {
        let [a, b, c] = self.corners(triangle);
        let normal = cross(sub(b, a), sub(c, a));
        scaled(normal, 1.0 / norm(normal))
    }

    /// Returns the unit normal of a triangle that is opposed to a direction.
    ///
    /// # Panics
    /// Panics if the index is out of range.
    #[must_use]
    pub fn normal_against(&self, triangle: u32, direction: [f64; 3]) -> [f64; 3] {
        let normal = self.normal(triangle);
        if dot(normal, direction) > 0.0 {
            scaled(normal, -1.0)
        } else {
            normal
        }
    }

    /// Returns the point of a triangle by the barycentric weights of its second and third vertices.
    ///
    /// # Panics
    /// Panics if the index is out of range.
    #[must_use]
    pub fn at(&self, triangle: u32, u: f64, v: f64) -> [f64; 3] {
        between(self.corners(triangle), [1.0 - u - v, u, v])
    }

    /// Returns the point of a triangle, shifted to at least 10⁻⁶ of the triangle's size from its edges: a ray from
    /// there is clearly on one side of the neighbors.
    ///
    /// # Panics
    /// Panics if the index is out of range.
    #[must_use]
    pub fn inside(&self, triangle: u32, u: f64, v: f64) -> [f64; 3] {
        let mut weights = [1.0 - u - v, u, v];
        if weights.iter().any(|&w| w < MARGIN) {
            weights = weights.map(|w| w.max(MARGIN));
            let sum: f64 = weights.iter().sum();
            weights = weights.map(|w| w / sum);
        }
        between(self.corners(triangle), weights)
    }

    /// Returns the point of a hit.
    ///
    /// # Panics
    /// Panics if the hit is a miss.
    #[must_use]
    pub fn point(&self, hit: &Hit) -> [f64; 3] {
        self.at(hit.triangle, hit.u, hit.v)
    }

    /// Intersects a ray with one triangle, without occlusion; returns the hit, or [`Hit::MISS`].
    ///
    /// # Panics
    /// Panics if the index is out of range.
    pub(crate) fn meet(&self, ray: &Ray, triangle: u32) -> Hit {
        let twice_area = self.twice_area[triangle as usize];
        ShearedRay::new(ray, self.radius).hit(&self.corners(triangle), twice_area, triangle)
    }

    /// Returns the ray reflected at a hit: d − 2 (d·n) n.
    ///
    /// It leaves the triangle and cannot hit it again. Its origin is [`Self::inside`] the triangle: at a concave
    /// crease the ray hits the neighbor, at a convex one it leaves. Planes through the origin to within rounding
    /// are ignored.
    ///
    /// # Panics
    /// Panics if the hit is a miss.
    #[must_use]
    pub fn reflect(&self, ray: &Ray, hit: &Hit) -> Ray {
        let [a, b, c] = self.corners(hit.triangle);
        let normal = cross(sub(b, a), sub(c, a));
        let along = 2.0 * dot(ray.direction, normal) / dot(normal, normal);
        Ray {
            origin: self.inside(hit.triangle, hit.u, hit.v),
            direction: sub(ray.direction, scaled(normal, along)),
            leaves: hit.triangle,
        }
    }

    /// Returns the vertices of all triangles.
    #[must_use]
    pub fn triangles(&self) -> &[[[f64; 3]; 3]] {
        &self.corners
    }

    /// Returns twice the areas of all triangles, for [`ShearedRay::hit`].
    #[must_use]
    pub fn twice_areas(&self) -> &[f32] {
        &self.twice_area
    }
}

fn between([a, b, c]: [[f64; 3]; 3], [p, q, r]: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|axis| p * a[axis] + q * b[axis] + r * c[axis])
}
