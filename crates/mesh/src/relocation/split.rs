use super::Neighborhoods;
use super::held::Held;
use crate::TetrahedralMesh;
use wavefield_numerics::vector::{norm, sub};

/// Tetrahedra with a worse shape than this and all corners on surfaces are split.
const FLAT: f64 = 0.35;
/// Maximum number of rounds; splitting one tetrahedron may leave another.
const ROUNDS: usize = 4;
/// First move of a new point, relative to the split edge.
const LIFT: f64 = 0.25;

impl TetrahedralMesh {
    /// Splits tetrahedra that lie flat on surfaces and moves the new points away from them; returns the number
    /// of splits.
    ///
    /// On a concave surface four adjacent points can span a nearly flat tetrahedron. Its edge across the
    /// concavity is on no surface: it is split at its midpoint together with all tetrahedra around it, and the
    /// new point can be moved. A split without improvement is undone.
    pub(super) fn split_flat_tetrahedra(&mut self, held: &mut Held) -> usize {
        if self.global_points.is_some() || self.global_tetrahedra.is_some() {
            return 0;
        }
        let mut cuts = 0;
        for _ in 0..ROUNDS {
            let mut flat: Vec<(f64, u32)> = (0..self.tetrahedra.len())
                .filter(|&t| {
                    let corners = self.tetrahedra[t];
                    corners.iter().all(|&corner| held.points[corner as usize])
                        && self.shape(t) < FLAT
                })
                .map(|t| (self.inradius(t), t as u32))
                .collect();
            flat.sort_by(|a, b| a.0.total_cmp(&b.0));
            let around = Neighborhoods::of(self);
            let mut changed = vec![false; self.tetrahedra.len()];
            let before = cuts;
            for (_, t) in flat {
                // An adjacent split may have added a corner that has no neighborhood yet.
                if changed[t as usize] {
                    continue;
                }
                let Some([from, to]) = self.bridge(t, held) else {
                    continue;
                };
                let ring: Vec<u32> = (around.at(from).iter().copied())
                    .filter(|&t| around.at(to).contains(&t))
                    .collect();
                if ring.iter().any(|&t| changed[t as usize]) {
                    continue;
                }
                if self.cut([from, to], &ring) {
                    held.points.push(false);
                    for t in ring {
                        changed[t as usize] = true;
                    }
                    cuts += 1;
                }
            }
            if cuts == before {
                break;
            }
        }
        cuts
    }

    /// Returns the longest edge of a tetrahedron that is on no surface.
    fn bridge(&self, tetrahedron: u32, held: &Held) -> Option<[u32; 2]> {
        let [a, b, c, d] = self.tetrahedra[tetrahedron as usize];
        let size = |&[from, to]: &[u32; 2]| {
            let [from, to] = [from, to].map(|index| self.points[index as usize]);
            norm(sub(to, from))
        };
        [[a, b], [a, c], [a, d], [b, c], [b, d], [c, d]]
            .into_iter()
            .filter(|&[from, to]| !held.holds_edge(from, to))
            .max_by(|first, second| size(first).total_cmp(&size(second)))
    }

    /// Splits an edge with the tetrahedra around it and moves the new point; undoes everything and returns
    /// `false` if the smallest inradius does not grow.
    fn cut(&mut self, [from, to]: [u32; 2], ring: &[u32]) -> bool {
        let before = self.smallest_around(ring).inradius;
        let whole: Vec<[u32; 4]> = ring.iter().map(|&t| self.tetrahedra[t as usize]).collect();
        let [start, end] = [from, to].map(|index| self.points[index as usize]);
        let point = self.points.len() as u32;
        (self.points).push([0, 1, 2].map(|axis| 0.5 * (start[axis] + end[axis])));
        let first_new = self.tetrahedra.len();
        for &t in ring {
            let half = |corners: [u32; 4], gone: u32| {
                corners.map(|corner| if corner == gone { point } else { corner })
            };
            let corners = self.tetrahedra[t as usize];
            self.tetrahedra[t as usize] = half(corners, to);
            self.tetrahedra.push(half(corners, from));
            (self.volume_group_of).push(self.volume_group_of[t as usize]);
        }
        let new = first_new as u32..self.tetrahedra.len() as u32;
        let around: Vec<u32> = ring.iter().copied().chain(new).collect();
        self.relocate(point, &around, LIFT * norm(sub(end, start)));
        if self.smallest_around(&around).inradius > before {
            return true;
        }
        for (&t, corners) in ring.iter().zip(whole) {
            self.tetrahedra[t as usize] = corners;
        }
        self.tetrahedra.truncate(first_new);
        self.volume_group_of.truncate(first_new);
        self.points.pop();
        false
    }
}
