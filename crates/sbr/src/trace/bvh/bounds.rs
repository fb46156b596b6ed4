//! Axis-aligned bounding boxes of the BVH: in f32, of the surface scaled to radius one, with padding.
//!
//! Rays are tested with boxes in f32. Vertices, the ray's origin, and the distance to a plane each have
//! errors of a few 2⁻²⁴ of the radius; boxes are padded by [`PADDING`] on every side, which exceeds the
//! sum of these errors. A box missed in f32 therefore contains no triangle hit in f64, and a box entered
//! in f32 behind a hit contains none before it.

/// Padding of a box on every side, in radii of the surface.
pub(crate) const PADDING: f32 = 1.0 / (1 << 19) as f32;

/// Axis-aligned bounding box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) low: [f32; 3],
    pub(crate) high: [f32; 3],
}

impl Bounds {
    /// Empty box, missed by every ray.
    pub(crate) const EMPTY: Self = Self {
        low: [f32::INFINITY; 3],
        high: [f32::NEG_INFINITY; 3],
    };

    /// Returns the padded box of a triangle.
    pub(crate) fn of_triangle(corners: &[[f64; 3]; 3], center: [f64; 3], radius: f64) -> Self {
        let mut bounds = Self::EMPTY;
        for corner in corners {
            for axis in 0..3 {
                let value = ((corner[axis] - center[axis]) / radius) as f32;
                bounds.low[axis] = bounds.low[axis].min(value - PADDING);
                bounds.high[axis] = bounds.high[axis].max(value + PADDING);
            }
        }
        bounds
    }

    /// Extends the box to include another.
    pub(crate) fn include(&mut self, other: &Self) {
        for axis in 0..3 {
            self.low[axis] = self.low[axis].min(other.low[axis]);
            self.high[axis] = self.high[axis].max(other.high[axis]);
        }
    }

    /// Returns half the surface area, which is proportional to the probability of a ray hitting the box.
    pub(crate) fn half_area(&self) -> f32 {
        let [x, y, z] = [0, 1, 2].map(|axis| self.high[axis] - self.low[axis]);
        x * y + y * z + z * x
    }
}
