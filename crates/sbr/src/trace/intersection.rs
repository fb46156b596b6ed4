//! Where a ray meets a triangle, without gaps between triangles.
//!
//! S. Woop, C. Benthin, I. Wald, Watertight ray/triangle intersection, J. Comput. Graph. Tech. 2 (2013)
//! 65–82. Seen from the ray's origin, space is sheared until the ray runs along one axis. What is left
//! is whether the origin of a plane lies in a triangle, by the signs of three products
//!
//!   U = c_x b_y − c_y b_x,  V = a_x c_y − a_y c_x,  W = b_x a_y − b_y a_x.
//!
//! Two triangles that share an edge see the same sheared corners, and the rounded product of one is
//! exactly the negative of the other's. Rounding is monotonic, so a sign is never wrong: a product that
//! should be positive may be rounded to zero at worst, and zero counts as inside for both. Hence no ray
//! slips through an edge or a corner, and a ray within rounding of an edge hits both triangles; the
//! order of hits ([`Hit::precedes`](super::Hit::precedes)) chooses. No multiplication is fused with an
//! addition, here and in the vector forms, so that the bits are the same everywhere.

use super::ray::{Hit, Ray};

/// Rays that leave a triangle do not see planes nearer to their origin than this, in radii of the
/// surface: some roundings of a coordinate.
pub(super) const CLEARANCE: f64 = 1.0 / (1u64 << 48) as f64;

/// A triangle seen from behind is hit further away by this factor. At an edge of the silhouette a ray hits
/// the front of one triangle and the back of the other, at distances that differ by rounding only; the
/// front comes first.
pub(super) const BACK: f64 = 1.0 + 1.0 / (1u64 << 40) as f64;

/// A ray in the sheared space of the watertight intersection test (Woop, Benthin, and Wald, 2013).
#[derive(Clone, Copy, Debug)]
pub struct ShearedRay {
    pub(super) origin: [f64; 3],
    /// Numbers of the axes x, y, z of the sheared space; along the last the ray moves fastest.
    pub(super) axes: [usize; 3],
    /// Motion along x and y for each unit along z.
    pub(super) slope: [f64; 2],
    /// Distance for each unit along z.
    pub(super) inverse: f64,
    /// Planes nearer to the origin than this are not seen.
    pub(super) clearance: f64,
    /// A triangle that is not seen.
    pub(super) leaves: u32,
}

impl ShearedRay {
    /// Of no ray.
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
            // An infinite direction would hit everything at once.
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
    /// Both sides are hit. A triangle seen exactly edge-on is not, nor is one without area: its
    /// neighbours cover the same points.
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
        // Without a determinant the distance is infinite or not a number.
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
