//! Subdivision of triangles at points on their edges.

use std::collections::BTreeMap;

use crate::TriangleMesh;
use crate::topology::Edges;
use wavefield_numerics::vector::{norm, sub};

/// Points on edges by edge (smaller index first), ordered from its first end.
pub(crate) type PointsInEdges = BTreeMap<[u32; 2], Vec<u32>>;

impl TriangleMesh {
    /// Subdivides the triangles at the points on their edges.
    pub(crate) fn divide(&mut self, within: &PointsInEdges) {
        let (mut triangles, mut group_of) = (Vec::new(), Vec::new());
        for (&triangle, &group) in self.triangles.iter().zip(&self.group_of) {
            let parts = divided(triangle, within);
            group_of.extend(parts.iter().map(|_| group));
            triangles.extend(parts);
        }
        (self.triangles, self.group_of) = (triangles, group_of);
    }

    /// Bisects edges longer than `most` until none is left, and returns the number of bisected
    /// edges.
    ///
    /// An edge whose midpoint coincides with an end in floating point remains as it is.
    pub fn halve_edges_longer_than(&mut self, most: f64) -> usize {
        let mut count = 0;
        loop {
            let mut middles = PointsInEdges::new();
            for edge in Edges::of(self).iter() {
                let [from, to] = edge.ends.map(|end| self.points[end as usize]);
                let middle = [0, 1, 2].map(|axis| 0.5 * (from[axis] + to[axis]));
                if norm(sub(to, from)) > most && middle != from && middle != to {
                    middles.insert(edge.ends, vec![self.points.len() as u32]);
                    self.points.push(middle);
                }
            }
            if middles.is_empty() {
                return count;
            }
            count += middles.len();
            self.divide(&middles);
        }
    }
}

/// Subdivides a triangle from an edge with points to the opposite corner, one edge after another.
fn divided(triangle: [u32; 3], within: &PointsInEdges) -> Vec<[u32; 3]> {
    let mut done = Vec::new();
    let mut left = vec![triangle];
    while let Some([a, b, c]) = left.pop() {
        let turned = [[a, b, c], [b, c, a], [c, a, b]];
        let found = (turned.into_iter())
            .find_map(|t| Some((t, within.get(&[t[0].min(t[1]), t[0].max(t[1])])?)));
        let Some(([a, b, c], points)) = found else {
            done.push([a, b, c]);
            continue;
        };
        let mut way = vec![a.min(b)];
        way.extend(points);
        way.push(a.max(b));
        if a > b {
            way.reverse();
        }
        left.extend(way.windows(2).map(|pair| [pair[0], pair[1], c]));
    }
    done
}

#[cfg(test)]
mod tests {
    use crate::primitive;

    #[test]
    fn halved_edges_leave_the_surface_as_it_is() {
        let mut sphere = primitive::sphere(1.0, 0.5).unwrap();
        let (area, volume) = (sphere.area(), sphere.volume());
        assert!(sphere.halve_edges_longer_than(0.2) > 100);
        sphere.validate().unwrap();
        let inspection = sphere.inspect();
        assert!(inspection.longest_edge <= 0.2);
        assert!(inspection.watertight);
        assert!((sphere.area() - area).abs() < 1e-12 * area);
        assert!((sphere.volume() - volume).abs() < 1e-12 * volume);
        assert_eq!(sphere.halve_edges_longer_than(0.2), 0);
    }
}
