//! Convex regions of a tube's cross-section.
//!
//! Unfolded at its reflections, the path of a tube is straight, and every facet on it is a triangle in the
//! plane of the cross-section: rays inside all of these triangles share the path.

use smallvec::SmallVec;

/// Vertices of a region; few regions have more than eight.
type Corners = SmallVec<[Offset; 8]>;

/// Point of the cross-section relative to the axis, in sides of the tube.
pub(crate) type Offset = [f64; 2];

/// Convex polygon with counterclockwise vertices.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Region {
    corners: Corners,
}

impl Region {
    /// Returns the square of a given side around the axis.
    pub(crate) fn square(side: f64) -> Region {
        let half = 0.5 * side;
        Region {
            corners: Corners::from_slice(&[
                [-half, -half],
                [half, -half],
                [half, half],
                [-half, half],
            ]),
        }
    }

    /// Returns the intersection with a convex polygon of either orientation.
    #[must_use]
    pub(crate) fn within_corners(&self, corners: &[Offset]) -> Region {
        let sign = area(corners).signum();
        let mut inside = self.clone();
        for (number, &from) in corners.iter().enumerate() {
            let to = corners[(number + 1) % corners.len()];
            inside.cut(|point| sign * turn(from, to, *point));
        }
        inside
    }

    /// Returns the intersection with the unit square around the center, after scaling and then translation.
    #[must_use]
    pub(crate) fn in_cell(&self, scale: f64, by: Offset) -> Region {
        let moved = |corner: &Offset| [0, 1].map(|axis| scale * corner[axis] + by[axis]);
        let mut inside = Region {
            corners: self.corners.iter().map(moved).collect(),
        };
        for axis in [0, 1] {
            let along = |point: &Offset| point[axis];
            let low = inside
                .corners
                .iter()
                .map(along)
                .fold(f64::INFINITY, f64::min);
            let high = inside
                .corners
                .iter()
                .map(along)
                .fold(f64::NEG_INFINITY, f64::max);
            if low >= 0.5 || high <= -0.5 {
                inside.corners.clear();
            }
            if low < -0.5 {
                inside.cut(|point| point[axis] + 0.5);
            }
            if high > 0.5 {
                inside.cut(|point| 0.5 - point[axis]);
            }
        }
        inside
    }

    /// Clips the polygon to the half-plane of positive height.
    fn cut(&mut self, height: impl Fn(&Offset) -> f64) {
        let Some(mut from) = self.corners.last().copied() else {
            return;
        };
        let mut below = height(&from);
        let mut left = Corners::new();
        for &to in &self.corners {
            let above = height(&to);
            if (below > 0.0 && above < 0.0) || (below < 0.0 && above > 0.0) {
                let share = below / (below - above);
                left.push([0, 1].map(|axis| from[axis] + share * (to[axis] - from[axis])));
            }
            if above >= 0.0 {
                left.push(to);
            }
            (from, below) = (to, above);
        }
        self.corners = left;
    }

    pub(crate) fn area(&self) -> f64 {
        area(&self.corners)
    }

    /// Returns whether a point lies inside by more than a margin.
    pub(crate) fn holds(&self, point: Offset, margin: f64) -> bool {
        self.corners.len() > 2
            && self.corners.iter().enumerate().all(|(number, &from)| {
                let to = self.corners[(number + 1) % self.corners.len()];
                let along = [to[0] - from[0], to[1] - from[1]];
                let square = along[0] * along[0] + along[1] * along[1];
                let height = turn(from, to, point);
                height > 0.0 && height * height > margin * margin * square
            })
    }

    /// Returns a triangulation of the polygon.
    pub(crate) fn triangles(&self) -> impl Iterator<Item = [Offset; 3]> {
        let last = self.corners.len().max(1) - 1;
        (1..last).map(|number| {
            [
                self.corners[0],
                self.corners[number],
                self.corners[number + 1],
            ]
        })
    }
}

/// Returns twice the signed area of a triangle, positive if counterclockwise.
fn turn(a: Offset, b: Offset, c: Offset) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

fn area(corners: &[Offset]) -> f64 {
    let others = corners.iter().skip(1).zip(corners.iter().skip(2));
    others
        .map(|(b, c)| 0.5 * turn(corners[0], *b, *c))
        .sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corner_is_cut_off() {
        let square = Region::square(2.0);
        // The half-plane x + y < 1, for either orientation of the triangle.
        let triangle = [[-9.0, -9.0], [10.0, -9.0], [-9.0, 10.0]];
        let reversed = [triangle[2], triangle[1], triangle[0]];
        for triangle in [triangle, reversed] {
            let cut = square.within_corners(&triangle);
            assert!((cut.area() - 3.5).abs() < 1e-14, "{cut:?}");
            let parts = cut.triangles().map(|corners| area(&corners)).sum::<f64>();
            assert!((parts - 3.5).abs() < 1e-14);
            assert!(cut.holds([0.4, 0.5], 0.01));
            assert!(!cut.holds([0.6, 0.5], 0.01));
        }
    }

    #[test]
    fn nothing_is_left_of_what_does_not_overlap() {
        let square = Region::square(1.0);
        let apart = square.within_corners(&[[2.0, 0.0], [3.0, 0.0], [2.0, 1.0]]);
        assert_eq!(apart.area(), 0.0);
        assert_eq!(apart.triangles().count(), 0);
        assert!(!apart.holds([0.0, 0.0], 0.0));
    }

    #[test]
    fn cells_side_by_side_share_a_region() {
        let region = Region::square(3.0).within_corners(&[[-1.2, -1.4], [1.3, -0.7], [0.2, 1.4]]);
        let mut sum = 0.0;
        for column in -1..=1 {
            for row in -1..=1 {
                sum += region
                    .in_cell(1.0, [-f64::from(column), -f64::from(row)])
                    .area();
            }
        }
        assert!((sum - region.area()).abs() < 1e-13);
    }
}
