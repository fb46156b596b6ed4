//! Edges where a plane cuts a surface.

use crate::TriangleMesh;
use crate::divide::PointsInEdges;
use crate::topology::Edges;
use wavefield_numerics::vector::{dot, norm, scaled, sub};

/// A disc: the part of a plane around a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    /// Its centre.
    pub centre: [f64; 3],
    /// The normal of its plane, of unit length.
    pub normal: [f64; 3],
    /// Its radius.
    pub radius: f64,
}

impl Disc {
    /// A disc whose normal may have any length but zero; none if it has none.
    pub fn new(centre: [f64; 3], normal: [f64; 3], radius: f64) -> Option<Disc> {
        let size = norm(normal);
        (size > 0.0 && size.is_finite()).then(|| Disc {
            centre,
            normal: scaled(normal, 1.0 / size),
            radius,
        })
    }

    /// Height of a point above the plane.
    pub fn height(&self, point: [f64; 3]) -> f64 {
        dot(sub(point, self.centre), self.normal)
    }

    /// Whether a point of the plane lies on the disc.
    pub fn reaches(&self, point: [f64; 3]) -> bool {
        norm(sub(point, self.centre)) <= self.radius
    }
}

impl TriangleMesh {
    /// Divides triangles where their edges pass through a disc, so that edges lie on it; returns how many edges were
    /// divided. Points closer to the plane than `tolerance` are taken to lie on it and stay where they are.
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
        // Edges in the plane make one closed way: as many as points there.
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
