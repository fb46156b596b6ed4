use serde::Serialize;

use super::Edges;
use crate::TriangleMesh;
use wavefield_numerics::vector::dot;

/// What had to be done to give a surface one outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Orientation {
    /// Triangles that were turned over.
    pub flipped_triangles: usize,
    /// Edges whose two triangles still disagree, as on a Möbius strip.
    pub unorientable_edges: usize,
    /// Pieces without rim that were turned so that their outside faces out.
    pub closed_components: usize,
    /// Pieces with a rim, for which "outward" has no meaning; most of their triangles kept their side.
    pub open_components: usize,
}

impl TriangleMesh {
    /// Turns triangles over until neighbours agree and the outside of each closed piece faces out.
    ///
    /// Sides are passed on across edges where exactly two triangles meet. Each closed piece is treated on
    /// its own; the walls of a cavity inside a body must be flipped afterwards.
    pub fn orient(&mut self) -> Orientation {
        let edges = Edges::of(self);
        let neighbours = Neighbours::of(self, &edges);
        // Volumes are taken from one nearby point so that little cancels.
        let centre = self.bounding_box().map_or([0.0; 3], |b| b.centre());
        let mut result = Orientation {
            flipped_triangles: 0,
            unorientable_edges: 0,
            closed_components: 0,
            open_components: 0,
        };
        let mut flip = vec![false; self.triangles.len()];
        let mut seen = vec![false; self.triangles.len()];
        let mut piece = Vec::new();
        for seed in 0..self.triangles.len() {
            if seen[seed] {
                continue;
            }
            seen[seed] = true;
            piece.clear();
            piece.push(seed);
            let mut next = 0;
            let mut closed = true;
            while let Some(&triangle) = piece.get(next) {
                next += 1;
                for side in neighbours.of_triangle[triangle] {
                    let Some((other, agrees)) = side.neighbour() else {
                        closed = false;
                        continue;
                    };
                    if !seen[other] {
                        seen[other] = true;
                        flip[other] = if agrees {
                            flip[triangle]
                        } else {
                            !flip[triangle]
                        };
                        piece.push(other);
                    }
                }
            }
            let turned = piece.iter().filter(|&&t| flip[t]).count();
            let volume: f64 = (piece.iter())
                .map(|&t| {
                    let corner = self.corners(t)[0];
                    let volume = dot(
                        wavefield_numerics::vector::sub(corner, centre),
                        self.area_vector(t),
                    );
                    if flip[t] { -volume } else { volume }
                })
                .sum();
            let turn_all = if closed {
                result.closed_components += 1;
                volume < 0.0
            } else {
                result.open_components += 1;
                2 * turned > piece.len()
            };
            if turn_all {
                for &t in &piece {
                    flip[t] = !flip[t];
                }
            }
        }
        for (triangle, _) in (self.triangles.iter_mut().zip(&flip)).filter(|(_, flip)| **flip) {
            triangle.swap(1, 2);
        }
        result.flipped_triangles = flip.iter().filter(|f| **f).count();
        // Turning a triangle over moves its half-edges, so agreement is read off the old ones.
        result.unorientable_edges = (edges.iter())
            .filter(|edge| {
                let [a, b] = *edge.half_edges else {
                    return false;
                };
                let [ta, tb] = [a, b].map(|h| h.triangle() as usize);
                neighbours.agrees(ta, a.corner()) != (flip[ta] == flip[tb])
            })
            .count();
        result
    }
}

/// The triangle across each side, and whether both walk the shared edge in opposite directions.
struct Neighbours {
    of_triangle: Vec<[Side; 3]>,
}

/// Twice the number of the neighbour, plus one if both triangles agree about the outside.
#[derive(Clone, Copy)]
struct Side(u64);

const RIM: Side = Side(u64::MAX);

impl Side {
    fn neighbour(self) -> Option<(usize, bool)> {
        (self.0 != RIM.0).then_some(((self.0 / 2) as usize, self.0 % 2 == 1))
    }
}

impl Neighbours {
    fn of(mesh: &TriangleMesh, edges: &Edges) -> Self {
        let mut of_triangle = vec![[RIM; 3]; mesh.triangles.len()];
        for edge in edges.iter() {
            if let [a, b] = *edge.half_edges {
                let agrees = u64::from(edge.is_consistent(mesh));
                let [ta, tb] = [a, b].map(|h| u64::from(h.triangle()));
                of_triangle[ta as usize][a.corner()] = Side(2 * tb + agrees);
                of_triangle[tb as usize][b.corner()] = Side(2 * ta + agrees);
            }
        }
        Self { of_triangle }
    }

    fn agrees(&self, triangle: usize, corner: usize) -> bool {
        self.of_triangle[triangle][corner]
            .neighbour()
            .is_some_and(|(_, agrees)| agrees)
    }
}
