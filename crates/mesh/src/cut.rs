//! Insertion of mesh edges along the intersection of a surface with a plane, as for a delta-gap source.

use crate::TriangleMesh;
use crate::divide::PointsInEdges;
use crate::topology::Edges;
use wavefield_numerics::vector::{dot, norm, scaled, sub};

/// A disc: the part of a plane within a radius of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    /// Center.
    pub center: [f64; 3],
    /// Unit normal of the plane.
    pub normal: [f64; 3],
    /// Radius.
    pub radius: f64,
}

impl Disc {
    /// Creates a disc from a normal of any nonzero length; `None` if the normal is zero or not finite.
    pub fn new(center: [f64; 3], normal: [f64; 3], radius: f64) -> Option<Disc> {
        let size = norm(normal);
        (size > 0.0 && size.is_finite()).then(|| Disc {
            center,
            normal: scaled(normal, 1.0 / size),
            radius,
        })
    }

    /// Returns the signed distance of a point from the plane.
    pub fn height(&self, point: [f64; 3]) -> f64 {
        dot(sub(point, self.center), self.normal)
    }

    /// Returns whether a point of the plane is on the disc.
    pub fn reaches(&self, point: [f64; 3]) -> bool {
        norm(sub(point, self.center)) <= self.radius
    }
}

impl TriangleMesh {
    /// Splits triangles whose edges intersect a disc, so that mesh edges lie on it, and returns the number of split
    /// edges. Points within `tolerance` of the plane count as points on it and are not moved.
    pub fn cut(&mut self, disc: &Disc, tolerance: f64) -> usize {
        let mut middles = PointsInEdges::new();
        for edge in Edges::of(self).iter() {
            let ends = edge.ends.map(|point| self.points[point as usize]);
            let [from, to] = ends.map(|point| disc.height(point));
            if from.abs() <= tolerance || to.abs() <= tolerance || from * to > 0.0 {
                continue;
            }
            let part = from / (from - to);
            let way = sub(ends[1], ends[0]);
            let middle = [0, 1, 2].map(|axis| ends[0][axis] + part * way[axis]);
            if disc.reaches(middle) {
                middles.insert(edge.ends, vec![self.points.len() as u32]);
                self.points.push(middle);
            }
        }
        self.divide(&middles);
        middles.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::primitive;

    #[test]
    fn a_cut_sphere_is_the_same_sphere_with_edges_in_the_plane() {
        let mut sphere = primitive::sphere(1.0, 0.3).unwrap();
        let (area, volume) = (sphere.area(), sphere.volume());
        let disc = Disc::new([0.1, 0.0, 0.05], [0.2, 0.3, 2.0], 3.0).unwrap();
        assert!(sphere.cut(&disc, 1e-9) > 10);
        sphere.validate().unwrap();
        assert!((sphere.area() - area).abs() < 1e-12 * area);
        assert!((sphere.volume() - volume).abs() < 1e-12 * volume);
        let edges = Edges::of(&sphere);
        assert!(edges.iter().all(|edge| edge.is_consistent(&sphere)));
        // The edges in the plane form one closed loop, with as many edges as points.
        let on = |point: u32| disc.height(sphere.points[point as usize]).abs() < 1e-9;
        let around = edges
            .iter()
            .filter(|e| e.ends.iter().all(|&p| on(p)))
            .count();
        assert_eq!(
            around,
            (0..sphere.points.len() as u32).filter(|&p| on(p)).count()
        );
        assert_eq!(sphere.cut(&disc, 1e-9), 0);
    }

    #[test]
    fn a_small_disc_leaves_the_rest_alone() {
        let mut plate = primitive::plate(1.0, 1.0, 0.1).unwrap();
        let rim = |mesh: &TriangleMesh| {
            let edges = Edges::of(mesh);
            edges.iter().filter(|e| e.half_edges.len() == 1).count()
        };
        let before = (plate.triangles.len(), rim(&plate));
        let disc = Disc::new([0.0, 0.013, 0.0], [0.0, 1.0, 0.0], 0.08).unwrap();
        let divided = plate.cut(&disc, 1e-9);
        assert!((2..8).contains(&divided), "{divided}");
        assert!(plate.triangles.len() < before.0 + 3 * divided);
        assert_eq!(rim(&plate), before.1);
    }
}
