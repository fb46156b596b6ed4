use crate::TriangleMesh;

/// All edges of a surface, each once, with the triangles that meet there.
#[derive(Clone, Debug)]
pub struct Edges {
    ends: Vec<[u32; 2]>,
    /// Where the half-edges of each edge begin in `half_edges`, and their total at the end.
    first: Vec<u32>,
    half_edges: Vec<HalfEdge>,
}

/// One side of one triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HalfEdge(u32);

impl HalfEdge {
    /// The triangle it belongs to.
    pub fn triangle(self) -> u32 {
        self.0 / 3
    }

    /// The corner (0, 1 or 2) of the triangle from which it starts; it ends at the next corner.
    pub fn corner(self) -> usize {
        (self.0 % 3) as usize
    }

    /// Its two ends in the direction in which the triangle is walked around.
    pub fn ends(self, mesh: &TriangleMesh) -> [u32; 2] {
        let corners = mesh.triangles[self.triangle() as usize];
        [corners[self.corner()], corners[(self.corner() + 1) % 3]]
    }
}

/// One edge: two points and the sides of triangles that join them.
#[derive(Clone, Copy, Debug)]
pub struct Edge<'a> {
    /// The two points, smaller number first.
    pub ends: [u32; 2],
    /// One side for each triangle at this edge: one at a rim, two on a surface, more where surfaces branch.
    pub half_edges: &'a [HalfEdge],
}

impl Edge<'_> {
    /// Whether two triangles meet here that walk the edge in opposite directions, as they should.
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
    /// Half-edges are dealt out to the smaller of their two points (a counting sort) and sorted there by
    /// the larger one. A point has few of them, so the work is linear in the number of triangles.
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

    /// How many edges there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// One edge by its number.
    pub fn get(&self, edge: usize) -> Edge<'_> {
        let range = self.first[edge] as usize..self.first[edge + 1] as usize;
        Edge {
            ends: self.ends[edge],
            half_edges: &self.half_edges[range],
        }
    }

    /// All edges, ordered by their points.
    pub fn iter(&self) -> impl Iterator<Item = Edge<'_>> {
        (0..self.len()).map(|edge| self.get(edge))
    }
}
