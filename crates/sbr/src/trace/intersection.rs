//! Watertight ray–triangle intersection.
//!
//! S. Woop, C. Benthin, I. Wald, Watertight ray/triangle intersection, J. Comput. Graph. Tech. 2 (2013)
//! 65–82. In coordinates relative to the ray's origin, a shear aligns the ray with one axis. The remaining
//! 2-D test is whether the origin lies in the projected triangle, by the signs of three edge functions
//!
//!   U = c_x b_y − c_y b_x,  V = a_x c_y − a_y c_x,  W = b_x a_y − b_y a_x.
//!
//! Two triangles with a common edge have the same sheared vertices, and the rounded edge function of one is
//! exactly the negative of the other's. Rounding is monotonic, hence a sign is never wrong: at worst a
//! positive value is rounded to zero, and zero counts as inside for both. Hence no ray passes between
//! triangles at an edge or a vertex, and a ray within rounding of an edge hits both triangles; the order of
//! hits ([`Hit::precedes`](super::Hit::precedes)) selects one. No multiplication is fused with an addition,
//! neither here nor in the SIMD versions, which makes the results bitwise identical on all CPUs.

use super::ray::{Hit, Ray};

/// Distance below which rays that leave a triangle ignore planes, in radii of the surface: a few roundings
/// of a coordinate.
pub(super) const CLEARANCE: f64 = 1.0 / (1u64 << 48) as f64;

/// Factor of the distance to back faces. At a silhouette edge a ray hits the front of one triangle and the
/// back of the other at distances that differ by rounding only; the front face has precedence.
pub(super) const BACK: f64 = 1.0 + 1.0 / (1u64 << 40) as f64;

/// Ray in the sheared space of the watertight intersection test (Woop, Benthin, and Wald, 2013).
#[derive(Clone, Copy, Debug)]
pub struct ShearedRay {
    pub(super) origin: [f64; 3],
    /// Indices of the axes x, y, z of the sheared space; z has the largest component of the direction.
    pub(super) axes: [usize; 3],
    /// Derivatives of x and y with respect to z along the ray.
    pub(super) slope: [f64; 2],
    /// Distance per unit of z.
    pub(super) inverse: f64,
    /// Distance below which planes are ignored.
    pub(super) clearance: f64,
    /// Index of the triangle to ignore.
    pub(super) leaves: u32,
}

impl ShearedRay {
    /// Placeholder for no ray.
    pub(super) const NONE: Self = Self {
        origin: [0.0; 3],
        axes: [0, 1, 2],
        slope: [0.0; 2],
        inverse: f64::NAN,
        clearance: 0.0,
        leaves: Ray::FREE,
    };

    /// Shears space along a ray; `radius` is that of the surface.
    #[must_use]
    #[inline(always)]
    pub fn new(ray: &Ray, radius: f64) -> Self {
        let d = ray.direction;
        let size = d.map(f64::abs);
        let z = if size[2] >= size[0] && size[2] >= size[1] {
            2
        } else if size[1] >= size[0] {
            1
        } else {
            0
        };
        const NEXT: [usize; 3] = [1, 2, 0];
        let x = NEXT[z];
        let y = NEXT[x];
        Self {
            origin: ray.origin,
            axes: [x, y, z],
            slope: [d[x] / d[z], d[y] / d[z]],
            // An infinite direction would hit all triangles.
            inverse: if d[z].is_finite() {
                1.0 / d[z]
            } else {
                f64::NAN
            },
            clearance: if ray.leaves == Ray::FREE {
                0.0
            } else {
                CLEARANCE * radius
            },
            leaves: ray.leaves,
        }
    }

    /// Intersects the ray with a triangle; returns the hit, or [`Hit::MISS`].
    ///
    /// Both faces are hit. A triangle exactly edge-on or degenerate is not hit: its neighbors cover the
    /// same points.
    #[must_use]
    #[inline(always)]
    pub fn hit(&self, corners: &[[f64; 3]; 3], twice_area: f32, triangle: u32) -> Hit {
        let [x, y, z] = self.axes;
        let [a, b, c] = corners.map(|corner| {
            let p: [f64; 3] = std::array::from_fn(|axis| corner[axis] - self.origin[axis]);
            [
                p[x] - self.slope[0] * p[z],
                p[y] - self.slope[1] * p[z],
                p[z],
            ]
        });
        let u = c[0] * b[1] - c[1] * b[0];
        let v = a[0] * c[1] - a[1] * c[0];
        let w = b[0] * a[1] - b[1] * a[0];
        let inside = (u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0);
        if !inside || triangle == self.leaves {
            return Hit::MISS;
        }
        let determinant = (u + v) + w;
        // (b − a) × (c − a) · (a − origin): the distance of the origin from the plane times twice the area.
        let height = (u * a[2] + v * b[2]) + w * c[2];
        let front = (height / determinant) * self.inverse;
        let distance = if determinant * self.inverse < 0.0 {
            front * BACK
        } else {
            front
        };
        // A zero determinant makes the distance infinite or NaN.
        if (0.0..f64::INFINITY).contains(&distance)
            && height.abs() >= self.clearance * f64::from(twice_area)
        {
            Hit {
                distance,
                u: v / determinant,
                v: w / determinant,
                triangle,
            }
        } else {
            Hit::MISS
        }
    }
}
