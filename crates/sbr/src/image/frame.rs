//! The plane of an image in space.

use wavefield_numerics::vector::{combine, cross, dot};

/// The plane of an image: through the origin, spanned by the line of sight and the direction the body's points
/// move in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Unit vector towards the radar, from which down-range grows away.
    pub towards: [f64; 3],
    /// Unit vector along which cross-range grows.
    pub across: [f64; 3],
}

impl Frame {
    /// Cross-range and down-range of a point.
    pub fn place(&self, point: [f64; 3]) -> [f64; 2] {
        [dot(self.across, point), -dot(self.towards, point)]
    }

    /// The point of the plane at a cross-range and a down-range.
    pub fn point(&self, [across, down]: [f64; 2]) -> [f64; 3] {
        combine(self.across, across, self.towards, -down)
    }

    /// Unit vector at right angles to the plane, towards whoever looks at it with cross-range to the right and
    /// down-range upwards.
    pub fn normal(&self) -> [f64; 3] {
        cross(self.towards, self.across)
    }
}
