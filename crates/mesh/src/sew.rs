//! Sewing of faces that touch but are meshed independently.
//!
//! CAD programs export every face with its own triangles: along a common seam the points of one face are on the edges
//! of the other (T-junctions), and the surface has a slit of zero width.

use crate::divide::PointsInEdges;
use crate::topology::Edges;
use crate::{BoundingBox, MeshError, TriangleMesh};
use wavefield_numerics::vector::{dot, norm, scaled, sub};

impl TriangleMesh {
    /// Merges points closer than `tolerance`, then splits boundary triangles at points of other boundaries within the
    /// same tolerance of their edges; returns the number of points inserted into edges.
    ///
    /// # Errors
    /// The tolerance is not positive, or below the rounding error of the coordinates.
    pub fn sew(&mut self, tolerance: f64) -> Result<usize, MeshError> {
        self.weld(tolerance)?;
        let within = self.points_in_rims(tolerance);
        let count = within.values().map(Vec::len).sum();
        self.divide(&within);
        Ok(count)
    }

    /// Returns boundary points on boundary edges, by edge, ordered from its smaller index.
    fn points_in_rims(&self, tolerance: f64) -> PointsInEdges {
        let edges = Edges::of(self);
        let rims: Vec<([u32; 2], u32)> = (edges.iter())
            .filter(|edge| edge.half_edges.len() == 1)
            .map(|edge| {
                let corners = self.triangles[edge.half_edges[0].triangle() as usize];
                let opposite = corners.into_iter().find(|c| !edge.ends.contains(c));
                (edge.ends, opposite.unwrap_or(edge.ends[0]))
            })
            .collect();
        // With the points sorted along the longest axis, an edge is compared only with those between its ends.
        let Some(bounds) = BoundingBox::of(&self.points) else {
            return PointsInEdges::new();
        };
        let extent = sub(bounds.max, bounds.min);
        let axis = (0..3).fold(0, |best, axis| {
            if extent[axis] > extent[best] {
                axis
            } else {
                best
            }
        });
        let place = |point: u32| self.points[point as usize][axis];
        let mut points: Vec<u32> = rims.iter().flat_map(|(ends, _)| *ends).collect();
        points.sort_unstable();
        points.dedup();
        points.sort_by(|&a, &b| place(a).total_cmp(&place(b)));
        let mut within = PointsInEdges::new();
        for (ends, opposite) in rims {
            let [low, high] = if place(ends[0]) < place(ends[1]) {
                ends
            } else {
                [ends[1], ends[0]]
            };
            let first = points.partition_point(|&p| place(p) < place(low) - tolerance);
            let last = points.partition_point(|&p| place(p) <= place(high) + tolerance);
            let [from, to] = ends.map(|end| self.points[end as usize]);
            let way = sub(to, from);
            let size = norm(way);
            let mut on: Vec<(f64, u32)> = (points[first..last].iter())
                .filter(|point| !ends.contains(point) && **point != opposite)
                .filter_map(|&point| {
                    let arm = sub(self.points[point as usize], from);
                    let along = dot(arm, way) / size;
                    let beside = norm(sub(arm, scaled(way, along / size)));
                    let amid = tolerance < along && along < size - tolerance;
                    (amid && beside <= tolerance).then_some((along, point))
                })
                .collect();
            if !on.is_empty() {
                on.sort_by(|a, b| a.0.total_cmp(&b.0));
                within.insert(ends, on.into_iter().map(|(_, point)| point).collect());
            }
        }
        within
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::primitive;

    /// Returns a cube of faces with triangles of different sizes.
    fn faces() -> TriangleMesh {
        let mut all = TriangleMesh::default();
        let turns: [fn([f64; 3]) -> [f64; 3]; 6] = [
            |[x, y, _]| [x, y, 0.5],
            |[x, y, _]| [y, x, -0.5],
            |[x, y, _]| [0.5, x, y],
            |[x, y, _]| [-0.5, y, x],
            |[x, y, _]| [y, 0.5, x],
            |[x, y, _]| [x, -0.5, y],
        ];
        for (number, turn) in turns.into_iter().enumerate() {
            let face = primitive::plate(1.0, 1.0, 0.5 / (1.0 + number as f64)).unwrap();
            let first = all.points.len() as u32;
            all.points.extend(face.points.iter().map(|&p| turn(p)));
            let triangles = face.triangles.iter();
            (all.triangles).extend(triangles.map(|t| t.map(|corner| first + corner)));
            all.group_of.extend(&face.group_of);
            all.groups.clone_from(&face.groups);
        }
        all
    }

    #[test]
    fn faces_of_a_cube_become_a_closed_surface() {
        let mut cube = faces();
        cube.validate().unwrap();
        assert!(cube.sew(1e-9).unwrap() > 20);
        cube.orient();
        cube.validate().unwrap();
        let edges = Edges::of(&cube);
        assert!(edges.iter().all(|edge| edge.is_consistent(&cube)));
        assert!((cube.area() - 6.0).abs() < 1e-12);
        assert!((cube.volume() - 1.0).abs() < 1e-12);
        assert_eq!(cube.sew(1e-9).unwrap(), 0);
    }

    #[test]
    fn rims_that_only_come_near_are_left_alone() {
        let mut plates = primitive::plate(1.0, 1.0, 0.3).unwrap();
        let mut other = primitive::plate(1.0, 1.0, 0.2).unwrap();
        let first = plates.points.len() as u32;
        for point in &mut other.points {
            point[0] += 1.001;
        }
        plates.points.extend(other.points);
        let more = other
            .triangles
            .iter()
            .map(|t| t.map(|corner| first + corner));
        plates.triangles.extend(more);
        plates.group_of.extend(other.group_of);
        assert_eq!(plates.sew(1e-4).unwrap(), 0);
        assert!(plates.sew(2e-3).unwrap() > 0);
    }
}
