//! Boxes of the hierarchy: in f32, around the surface scaled to radius one, larger than what they hold.
//!
//! A ray meets boxes in f32. Corners, the ray's origin and the distance to a plane are each off by a few
//! 2⁻²⁴ of the radius; boxes are [`PADDING`] larger on every side, which is more than all of these
//! together. A box that is missed in f32 therefore holds no triangle that is hit in f64, and a box that
//! is entered in f32 behind a hit holds none before it.

/// What boxes are larger than their triangles by, on every side, in radii of the surface.
pub(crate) const PADDING: f32 = 1.0 / (1 << 19) as f32;

/// A box with sides along the axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) low: [f32; 3],
    pub(crate) high: [f32; 3],
}

impl Bounds {
    /// Holds nothing and is missed by every ray.
    pub(crate) const EMPTY: Self = Self {
        low: [f32::INFINITY; 3],
        high: [f32::NEG_INFINITY; 3],
    };

    /// The padded box of a triangle.
    pub(crate) fn of_triangle(corners: &[[f64; 3]; 3], centre: [f64; 3], radius: f64) -> Self {
        let mut bounds = Self::EMPTY;
        for corner in corners {
            for axis in 0..3 {
                let value = ((corner[axis] - centre[axis]) / radius) as f32;
                bounds.low[axis] = bounds.low[axis].min(value - PADDING);
                bounds.high[axis] = bounds.high[axis].max(value + PADDING);
            }
        }
        bounds
    }

    /// Grows to hold another box.
    pub(crate) fn include(&mut self, other: &Self) {
        for axis in 0..3 {
            self.low[axis] = self.low[axis].min(other.low[axis]);
            self.high[axis] = self.high[axis].max(other.high[axis]);
        }
    }

    /// Half the surface, in proportion to the rays that meet the box.
    pub(crate) fn half_area(&self) -> f32 {
        let [x, y, z] = [0, 1, 2].map(|axis| self.high[axis] - self.low[axis]);
        x * y + y * z + z * x
    }
}
