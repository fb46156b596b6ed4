use serde::Serialize;

use super::Edges;
use crate::TriangleMesh;
use wavefield_numerics::vector::dot;

/// Result of orienting a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Orientation {
    /// Number of flipped triangles.
    pub flipped_triangles: usize,
    /// Number of edges that remain inconsistently oriented, as on a Möbius strip.
    pub unorientable_edges: usize,
    /// Number of closed components that were oriented outward.
    pub closed_components: usize,
    /// Number of open components, for which "outward" is undefined; most of their triangles kept their
    /// orientation.
    pub open_components: usize,
}

impl TriangleMesh {
    /// Orients a surface consistently, with closed components oriented outward.
    ///
    /// The orientation propagates across edges with exactly two triangles. Each closed component is
    /// oriented separately; the walls of a cavity inside a body must be flipped afterward.
    pub fn orient(&mut self) -> Orientation {
        let edges = Edges::of(self);
        let neighbors = Neighbors::of(self, &edges);
        // Volumes are computed relative to a nearby point to limit cancellation.
        let center = self.bounding_box().map_or([0.0; 3], |b| b.center());
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
                for side in neighbors.of_triangle[triangle] {
                    let Some((other, agrees)) = side.neighbor() else {
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
                        wavefield_numerics::vector::sub(corner, center),
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
        // Flipping a triangle moves its half-edges, so consistency is determined from the old ones.
        result.unorientable_edges = (edges.iter())
            .filter(|edge| {
                let [a, b] = *edge.half_edges else {
                    return false;
                };
                let [ta, tb] = [a, b].map(|h| h.triangle() as usize);
                neighbors.agrees(ta, a.corner()) != (flip[ta] == flip[tb])
            })
            .count();
        result
    }
}

/// For each side, the triangle across it, and whether both run along the shared edge in opposite
/// directions.
struct Neighbors {
    of_triangle: Vec<[Side; 3]>,
}

/// Twice the index of the neighbor, plus one if both triangles are consistently oriented.
#[derive(Clone, Copy)]
struct Side(u64);

const RIM: Side = Side(u64::MAX);

impl Side {
    fn neighbor(self) -> Option<(usize, bool)> {
        (self.0 != RIM.0).then_some(((self.0 / 2) as usize, self.0 % 2 == 1))
    }
}

impl Neighbors {
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
            .neighbor()
            .is_some_and(|(_, agrees)| agrees)
    }
}
