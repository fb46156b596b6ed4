use crate::TriangleMesh;

/// The unique edges of a surface, with the triangles adjacent to each.
#[derive(Clone, Debug)]
pub struct Edges {
    ends: Vec<[u32; 2]>,
    /// Offset of the half-edges of each edge in `half_edges`, with the total at the end.
    first: Vec<u32>,
    half_edges: Vec<HalfEdge>,
}

/// A half-edge: one side of one triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HalfEdge(u32);

impl HalfEdge {
    /// Returns the triangle of the half-edge.
    pub fn triangle(self) -> u32 {
        self.0 / 3
    }

    /// Returns the corner (0, 1, or 2) of the triangle where the half-edge starts; it ends at the next
    /// corner.
    pub fn corner(self) -> usize {
        (self.0 % 3) as usize
    }

    /// Returns both ends in the direction of the triangle.
    pub fn ends(self, mesh: &TriangleMesh) -> [u32; 2] {
        let corners = mesh.triangles[self.triangle() as usize];
        [corners[self.corner()], corners[(self.corner() + 1) % 3]]
    }
}

/// An edge: two points and the half-edges between them.
#[derive(Clone, Copy, Debug)]
pub struct Edge<'a> {
    /// Both ends, smaller index first.
    pub ends: [u32; 2],
    /// Half-edges, one per adjacent triangle: one at a boundary edge, two at a manifold edge, more at a
    /// non-manifold edge.
    pub half_edges: &'a [HalfEdge],
}

impl Edge<'_> {
    /// Returns whether the edge has two half-edges of opposite direction, that is, consistently oriented
    /// triangles.
    pub fn is_consistent(&self, mesh: &TriangleMesh) -> bool {
        match self.half_edges {
            [a, b] => a.ends(mesh)[0] != b.ends(mesh)[0],
            _ => false,
        }
    }
}

impl Edges {
    /// Finds the edges of a surface; triangles with two equal corners have none.
    ///
    /// Half-edges are distributed to the smaller of their two points (counting sort) and sorted there by
    /// the larger one. A point has few of them, so the time is linear in the number of triangles.
    pub fn of(mesh: &TriangleMesh) -> Self {
        let sides = || {
            let numbered = mesh.triangles.iter().enumerate();
            numbered
                .filter(|(_, [a, b, c])| a != b && b != c && c != a)
                .flat_map(|(t, &[a, b, c])| {
                    [[a, b], [b, c], [c, a]].into_iter().enumerate().map(
                        move |(corner, [from, to])| {
                            (
                                from.min(to),
                                from.max(to),
                                HalfEdge((3 * t + corner) as u32),
                            )
                        },
                    )
                })
        };
        let mut start = vec![0_u32; mesh.points.len() + 1];
        for (low, ..) in sides() {
            start[low as usize + 1] += 1;
        }
        for point in 0..mesh.points.len() {
            start[point + 1] += start[point];
        }
        let total = start[mesh.points.len()] as usize;
        let mut filed = vec![(0, HalfEdge(0)); total];
        let mut next = start.clone();
        for (low, high, half_edge) in sides() {
            let slot = &mut next[low as usize];
            filed[*slot as usize] = (high, half_edge);
            *slot += 1;
        }

        let mut ends: Vec<[u32; 2]> = Vec::with_capacity(total / 2);
        let mut first = Vec::with_capacity(total / 2 + 1);
        for low in 0..mesh.points.len() {
            let range = start[low] as usize..start[low + 1] as usize;
            filed[range.clone()].sort_unstable();
            for position in range {
                let edge = [low as u32, filed[position].0];
                if ends.last() != Some(&edge) {
                    ends.push(edge);
                    first.push(position as u32);
                }
            }
        }
        first.push(total as u32);
        let half_edges = filed.into_iter().map(|(_, half_edge)| half_edge).collect();
        Self {
            ends,
            first,
            half_edges,
        }
    }

    /// Returns the number of edges.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there are no edges.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns an edge by its index.
    pub fn get(&self, edge: usize) -> Edge<'_> {
        let range = self.first[edge] as usize..self.first[edge + 1] as usize;
        Edge {
            ends: self.ends[edge],
            half_edges: &self.half_edges[range],
        }
    }

    /// Iterates over all edges, ordered by their points.
    pub fn iter(&self) -> impl Iterator<Item = Edge<'_>> {
        (0..self.len()).map(|edge| self.get(edge))
    }
}
