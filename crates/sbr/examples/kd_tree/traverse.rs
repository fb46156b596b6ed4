//! Stackless traversal of the tree, from leaf to leaf along ropes.
//!
//! Algorithm I of Y. Tao, H. Lin, H. Bao, GPU-based shooting and bouncing ray method for fast RCS
//! prediction, IEEE Trans. Antennas Propag. 58 (2010) 494–502: all reflections of a ray in a single pass,
//! each starting at the leaf of the last hit.

use super::build::{Cell, KdTree, NIL, Node};
use super::statistics::Count;
use wavefield_sbr::{Hit, Ray, ShearedRay, Surface};

impl KdTree {
    /// Returns the leaf where a ray enters the tree.
    pub(super) fn entry(&self, ray: &Ray, count: &mut impl Count) -> Option<u32> {
        let finite = ray
            .origin
            .iter()
            .chain(&ray.direction)
            .all(|v| v.is_finite());
        if !finite || ray.direction == [0.0; 3] {
            return None;
        }
        let (near, far) = span(ray, self.low, self.high);
        if near > far {
            return None;
        }
        let mut point = ray.at(near);
        for axis in 0..3 {
            point[axis] = point[axis].clamp(self.low[axis], self.high[axis]);
        }
        Some(self.descend(0, point, count))
    }

    /// Returns the leaf where a ray starts, if it starts in the given one or anywhere inside.
    pub(super) fn start(&self, ray: &Ray, last: u32, count: &mut impl Count) -> Option<u32> {
        let cell = &self.cells[last as usize];
        let inside = (0..3).all(|k| cell.low[k] <= ray.origin[k] && ray.origin[k] <= cell.high[k]);
        if inside {
            Some(last)
        } else {
            self.entry(ray, count)
        }
    }

    fn descend(&self, mut node: u32, point: [f64; 3], count: &mut impl Count) -> u32 {
        loop {
            match self.nodes[node as usize] {
                Node::Interior {
                    axis,
                    split,
                    children,
                } => {
                    count.interior();
                    node = children[usize::from(point[axis as usize] >= split)];
                }
                Node::Leaf(leaf) => return leaf,
            }
        }
    }

    /// Returns the nearest hit of a ray in the given leaf, and the leaf of the hit.
    pub(super) fn walk(
        &self,
        surface: &Surface,
        ray: &Ray,
        mut leaf: u32,
        count: &mut impl Count,
    ) -> (Hit, u32) {
        let sheared = ShearedRay::new(ray, surface.radius());
        let mut best = Hit::MISS;
        loop {
            self.test(surface, &sheared, leaf, &mut best, count);
            let cell = &self.cells[leaf as usize];
            let (exit, face) = exit(ray, cell);
            // A hit beyond the leaf may be preceded by one in a later leaf.
            if best.distance <= exit || cell.ropes[face] == NIL {
                return (best, leaf);
            }
            // The point is set exactly on the plane of the face and inside the leaf: rounding never leads
            // back.
            let mut point = ray.at(exit);
            for axis in 0..3 {
                point[axis] = point[axis].clamp(cell.low[axis], cell.high[axis]);
            }
            let axis = face % 3;
            point[axis] = if face < 3 { cell.low } else { cell.high }[axis];
            leaf = self.descend(cell.ropes[face], point, count);
        }
    }

    /// Tests the triangles of a leaf.
    pub(super) fn test(
        &self,
        surface: &Surface,
        sheared: &ShearedRay,
        leaf: u32,
        best: &mut Hit,
        count: &mut impl Count,
    ) {
        let leaf = self.leaves[leaf as usize];
        count.leaf(leaf.count);
        let members = &self.members[leaf.first as usize..(leaf.first + leaf.count) as usize];
        for &triangle in members {
            let corners = &surface.triangles()[triangle as usize];
            let twice_area = surface.twice_areas()[triangle as usize];
            let hit = sheared.hit(corners, twice_area, triangle);
            if hit.precedes(best) {
                *best = hit;
            }
        }
    }
}

/// Returns the distances at which a ray enters and leaves a box; the first is at least zero.
pub(super) fn span(ray: &Ray, low: [f64; 3], high: [f64; 3]) -> (f64, f64) {
    let (mut near, mut far) = (0.0_f64, f64::INFINITY);
    for axis in 0..3 {
        let (origin, direction) = (ray.origin[axis], ray.direction[axis]);
        if direction == 0.0 {
            if origin < low[axis] || origin > high[axis] {
                far = f64::NEG_INFINITY;
            }
            continue;
        }
        let ends = [low[axis], high[axis]].map(|plane| (plane - origin) / direction);
        near = near.max(ends[0].min(ends[1]));
        far = far.min(ends[0].max(ends[1]));
    }
    (near, far)
}

/// Returns the distance and the face at which a ray leaves a cell.
fn exit(ray: &Ray, cell: &Cell) -> (f64, usize) {
    let mut exit = (f64::INFINITY, 0);
    for axis in 0..3 {
        let direction = ray.direction[axis];
        let (plane, face) = if direction > 0.0 {
            (cell.high[axis], 3 + axis)
        } else {
            (cell.low[axis], axis)
        };
        let distance = (plane - ray.origin[axis]) / direction;
        if direction != 0.0 && distance < exit.0 {
            exit = (distance, face);
        }
    }
    exit
}
