use std::fmt;

use serde::Serialize;

/// The axis-aligned bounding box of a set of points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BoundingBox {
    /// Corner with the smallest coordinates.
    pub min: [f64; 3],
    /// Corner with the largest coordinates.
    pub max: [f64; 3],
}

impl BoundingBox {
    /// Returns the bounding box of the points, or `None` without points.
    pub fn of(points: &[[f64; 3]]) -> Option<Self> {
        let first = *points.first()?;
        let mut bounds = Self {
            min: first,
            max: first,
        };
        for point in points {
            for axis in 0..3 {
                bounds.min[axis] = bounds.min[axis].min(point[axis]);
                bounds.max[axis] = bounds.max[axis].max(point[axis]);
            }
        }
        Some(bounds)
    }

    /// Returns the side lengths along x, y, and z.
    pub fn size(&self) -> [f64; 3] {
        [0, 1, 2].map(|axis| self.max[axis] - self.min[axis])
    }

    /// Returns the center.
    pub fn center(&self) -> [f64; 3] {
        [0, 1, 2].map(|axis| 0.5 * (self.min[axis] + self.max[axis]))
    }

    /// Returns the length of the diagonal.
    pub fn diagonal(&self) -> f64 {
        wavefield_numerics::vector::norm(self.size())
    }
}

impl fmt::Display for BoundingBox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = [0, 1, 2].map(|axis| (self.min[axis], self.max[axis]));
        write!(
            f,
            "x {:.6} to {:.6}, y {:.6} to {:.6}, z {:.6} to {:.6}",
            x.0, x.1, y.0, y.1, z.0, z.1
        )
    }
}
