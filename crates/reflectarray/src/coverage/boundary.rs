//! R-tree of the edges of a region, for point location and distance queries.

use geo::Coord;
use rstar::{AABB, PointDistance, RTree, RTreeObject};

use super::outline::Outline;
use super::polygons::distance;

/// An edge of an outline.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Edge {
    start: [f64; 2],
    end: [f64; 2],
}

impl RTreeObject for Edge {
    type Envelope = AABB<[f64; 2]>;

    fn envelope(&self) -> Self::Envelope {
        AABB::from_corners(self.start, self.end)
    }
}

impl PointDistance for Edge {
    fn distance_2(&self, &[x, y]: &[f64; 2]) -> f64 {
        let coord = |[x, y]: [f64; 2]| Coord { x, y };
        distance(Coord { x, y }, coord(self.start), coord(self.end)).powi(2)
    }
}

impl Edge {
    /// Returns the intersection with a horizontal line; an edge includes its lower end but not its
    /// upper.
    fn crossing(&self, v: f64) -> Option<f64> {
        let ([u0, v0], [u1, v1]) = (self.start, self.end);
        ((v0 <= v) != (v1 <= v)).then(|| u0 + (v - v0) / (v1 - v0) * (u1 - u0))
    }
}

/// The edges of outlines that do not overlap.
#[derive(Clone, Debug)]
pub(super) struct Boundary(RTree<Edge>);

impl Boundary {
    pub(super) fn of(outlines: &[Outline]) -> Boundary {
        let edges = outlines
            .iter()
            .flat_map(Outline::rings)
            .flat_map(|ring| {
                let next = ring.iter().cycle().skip(1);
                ring.iter()
                    .zip(next)
                    .map(|(&start, &end)| Edge { start, end })
            })
            .collect();
        Boundary(RTree::bulk_load(edges))
    }

    /// Returns whether a point is inside: a ray to the east crosses an odd number of edges.
    pub(super) fn contains(&self, u: f64, v: f64) -> bool {
        let bounds = self.0.root().envelope();
        let ray = AABB::from_corners([u, v], [bounds.upper()[0].max(u), v]);
        let crossed = self
            .0
            .locate_in_envelope_intersecting(&ray)
            .filter(|edge| edge.crossing(v).is_some_and(|at| at > u))
            .count();
        crossed % 2 == 1
    }

    /// Returns the distance from the nearest edge.
    pub(super) fn distance(&self, u: f64, v: f64) -> f64 {
        // `nearest_neighbor` prunes by bounds that hold for points, not for edges.
        self.0
            .nearest_neighbor_iter_with_distance_2(&[u, v])
            .next()
            .map_or(f64::INFINITY, |(_, squared)| squared.sqrt())
    }

    /// Returns the intervals of a horizontal line inside the region, from west to east.
    pub(super) fn spans(&self, v: f64) -> Vec<[f64; 2]> {
        let bounds = self.0.root().envelope();
        let line = AABB::from_corners([bounds.lower()[0], v], [bounds.upper()[0], v]);
        let mut crossings: Vec<f64> = self
            .0
            .locate_in_envelope_intersecting(&line)
            .filter_map(|edge| edge.crossing(v))
            .collect();
        crossings.sort_by(f64::total_cmp);
        crossings
            .chunks_exact(2)
            .map(|pair| [pair[0], pair[1]])
            .collect()
    }
}
