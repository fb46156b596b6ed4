//! Coordinate frame of an image plane.

use wavefield_numerics::vector::{combine, cross, dot};

/// Image plane: contains the origin and is spanned by the line of sight and the cross-range direction, along
/// which points of the rotating body move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Unit vector toward the radar; down-range increases away from it.
    pub toward: [f64; 3],
    /// Unit vector of increasing cross-range.
    pub across: [f64; 3],
}

impl Frame {
    /// Returns the cross-range and down-range of a point.
    pub fn place(&self, point: [f64; 3]) -> [f64; 2] {
        [dot(self.across, point), -dot(self.toward, point)]
    }

    /// Returns the point of the plane at a cross-range and a down-range.
    pub fn point(&self, [across, down]: [f64; 2]) -> [f64; 3] {
        combine(self.across, across, self.toward, -down)
    }

    /// Returns the unit normal of the plane toward a viewer with cross-range to the right and down-range
    /// upward.
    pub fn normal(&self) -> [f64; 3] {
        cross(self.toward, self.across)
    }
}
