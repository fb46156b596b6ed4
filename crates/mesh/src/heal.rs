//! Healing of surfaces: gaps sewn, duplicates removed, normals oriented, small holes filled.

use std::collections::HashMap;
use std::fmt;

use crate::topology::Edges;
use crate::{MeshError, TriangleMesh};
use wavefield_numerics::vector::{cross, norm, sub};

/// Distance below which points are merged, relative to the diagonal of the surface.
const SAME_POINT: f64 = 1e-6;
/// Largest perimeter of a hole that is filled, relative to the diagonal of the surface.
const SMALL_HOLE: f64 = 0.25;
/// Largest number of edges of a hole that is filled; the time grows with its cube.
const MAX_EDGES: usize = 200;

/// Changes made by [`TriangleMesh::heal`], and the defects that are left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Healing {
    /// Points merged with another.
    pub merged_points: usize,
    /// Points inserted into edges of adjacent faces.
    pub inserted_points: usize,
    /// Triangles removed because another has the same corners.
    pub removed_duplicates: usize,
    /// Triangles whose normal was reversed.
    pub flipped_triangles: usize,
    /// Holes filled.
    pub filled_holes: usize,
    /// Triangles added in them.
    pub added_triangles: usize,
    /// Boundary edges that are left: of holes that are not small, or of a sheet.
    pub open_edges: usize,
    /// Edges of more than two triangles that are left.
    pub non_manifold_edges: usize,
}

impl fmt::Display for Healing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} points merged", self.merged_points)?;
        writeln!(f, "{} points inserted into edges", self.inserted_points)?;
        writeln!(f, "{} duplicate triangles removed", self.removed_duplicates)?;
        writeln!(f, "{} normals reversed", self.flipped_triangles)?;
        writeln!(
            f,
            "{} holes filled with {} triangles",
            self.filled_holes, self.added_triangles
        )?;
        writeln!(f, "{} boundary edges are left", self.open_edges)?;
        write!(f, "{} non-manifold edges are left", self.non_manifold_edges)
    }
}

impl TriangleMesh {
    /// Sews faces, removes duplicate triangles, orients the surface, and fills small holes with triangles of minimum
    /// area.
    ///
    /// # Errors
    /// The surface is empty, or has no extent.
    pub fn heal(&mut self) -> Result<Healing, MeshError> {
        let diagonal = self.bounding_box().map_or(0.0, |bounds| bounds.diagonal());
        let points = self.points.len();
        let inserted_points = self.sew(SAME_POINT * diagonal)?;
        let merged_points = (points + inserted_points).saturating_sub(self.points.len());
        let removed_duplicates = self.drop_duplicate_triangles();
        let mut flipped_triangles = self.orient().flipped_triangles;
        let (mut filled_holes, mut added_triangles) = (0, 0);
        for hole in self.holes() {
            let perimeter: f64 = (0..hole.len())
                .map(|i| {
                    norm(sub(
                        self.place(hole[i]),
                        self.place(hole[(i + 1) % hole.len()]),
                    ))
                })
                .sum();
            if hole.len() <= MAX_EDGES && perimeter <= SMALL_HOLE * diagonal {
                filled_holes += 1;
                added_triangles += self.fill(&hole);
            }
        }
        // A surface that is closed now has an outside.
        if filled_holes > 0 {
            flipped_triangles += self.orient().flipped_triangles;
        }
        let found = self.inspect();
        Ok(Healing {
            merged_points,
            inserted_points,
            removed_duplicates,
            flipped_triangles,
            filled_holes,
            added_triangles,
            open_edges: found.open_edges,
            non_manifold_edges: found.non_manifold_edges,
        })
    }

    /// Removes every triangle with the corners of an earlier one, and returns their number.
    fn drop_duplicate_triangles(&mut self) -> usize {
        let mut seen = std::collections::HashSet::with_capacity(self.triangles.len());
        let first: Vec<bool> = (self.triangles.iter())
            .map(|triangle| {
                let mut corners = *triangle;
                corners.sort_unstable();
                seen.insert(corners)
            })
            .collect();
        let before = self.triangles.len();
        let mut keep = first.iter();
        self.group_of.retain(|_| *keep.next().unwrap_or(&true));
        let mut keep = first.iter();
        self.triangles.retain(|_| *keep.next().unwrap_or(&true));
        before - self.triangles.len()
    }

    /// Returns the closed loops of boundary edges, each opposite to the direction of its triangles. Loops that touch
    /// themselves are omitted.
    fn holes(&self) -> Vec<Vec<u32>> {
        let mut next: HashMap<u32, Option<u32>> = HashMap::new();
        let mut starts = Vec::new();
        for edge in Edges::of(self).iter() {
            if let [only] = edge.half_edges {
                let [from, to] = only.ends(self);
                starts.push(to);
                // Two boundary edges from one point: the loop is ambiguous.
                next.entry(to)
                    .and_modify(|other| *other = None)
                    .or_insert(Some(from));
            }
        }
        let mut holes = Vec::new();
        for start in starts {
            let mut hole = vec![start];
            while let Some(Some(point)) = hole.last().and_then(|last| next.remove(last)) {
                if point == start {
                    holes.push(std::mem::take(&mut hole));
                    break;
                }
                hole.push(point);
            }
        }
        holes
    }

    /// Fills a loop with triangles of minimum total area (dynamic programming over its chords), in the group of a
    /// triangle beside it; returns their number.
    fn fill(&mut self, hole: &[u32]) -> usize {
        let count = hole.len();
        let area = |i: usize, j: usize, k: usize| {
            let [a, b, c] = [i, j, k].map(|corner| self.place(hole[corner]));
            0.5 * norm(cross(sub(b, a), sub(c, a)))
        };
        // least[i][j]: area and middle corner of the best filling between corners i and j.
        let mut least = vec![vec![(0.0, 0); count]; count];
        for span in 2..count {
            for i in 0..count - span {
                let j = i + span;
                least[i][j] = (i + 1..j)
                    .map(|k| (least[i][k].0 + least[k][j].0 + area(i, k, j), k))
                    .min_by(|a, b| a.0.total_cmp(&b.0))
                    .unwrap_or((0.0, i + 1));
            }
        }
        let group = (self.triangles.iter())
            .position(|triangle| triangle.contains(&hole[0]) && triangle.contains(&hole[1]))
            .map_or(0, |triangle| self.group_of[triangle]);
        let mut chords = vec![(0, count - 1)];
        let mut added = 0;
        while let Some((i, j)) = chords.pop() {
            if j < i + 2 {
                continue;
            }
            let k = least[i][j].1;
            self.triangles.push([hole[i], hole[k], hole[j]]);
            self.group_of.push(group);
            added += 1;
            chords.extend([(i, k), (k, j)]);
        }
        added
    }

    fn place(&self, point: u32) -> [f64; 3] {
        self.points[point as usize]
    }
}

#[cfg(test)]
mod tests {
    use crate::primitive;

    #[test]
    fn a_damaged_sphere_is_closed_again() {
        let whole = primitive::sphere(1.0, 0.1).unwrap();
        let mut damaged = whole.clone();
        // A hole of several triangles around a point, a duplicate, flipped triangles, and a torn point.
        let center = damaged.triangles[200][0];
        let mut keep: Vec<bool> = (damaged.triangles.iter())
            .map(|triangle| !triangle.contains(&center))
            .collect();
        let removed = keep.iter().filter(|kept| !**kept).count();
        let mut kept = keep.iter();
        damaged.group_of.retain(|_| *kept.next().unwrap());
        keep.reverse();
        damaged.triangles.retain(|_| keep.pop().unwrap());
        for triangle in &mut damaged.triangles[..9] {
            triangle.swap(1, 2);
        }
        let duplicate = damaged.triangles[50];
        damaged.triangles.push(duplicate);
        damaged.group_of.push(damaged.group_of[50]);
        let torn = damaged.triangles[20][0];
        let mut place = damaged.points[torn as usize];
        place[0] += 1e-8;
        damaged.points.push(place);
        damaged.triangles[20][0] = damaged.points.len() as u32 - 1;

        let done = damaged.heal().unwrap();
        let found = damaged.inspect();
        assert!(found.watertight && found.outward == Some(true), "{found}");
        assert_eq!(done.removed_duplicates, 1);
        assert_eq!(
            done.merged_points,
            1 + 1,
            "the torn point, and the unused center"
        );
        assert!(done.flipped_triangles >= 9);
        assert_eq!((done.filled_holes, done.added_triangles), (1, removed - 2));
        assert_eq!((done.open_edges, done.non_manifold_edges), (0, 0));
        let lost = 1.0 - damaged.volume() / whole.volume();
        assert!((0.0..0.01).contains(&lost), "{lost}");
    }

    #[test]
    fn the_rim_of_a_plate_is_no_hole() {
        let mut plate = primitive::plate(1.0, 2.0, 0.3).unwrap();
        let triangles = plate.triangles.len();
        let done = plate.heal().unwrap();
        assert_eq!((done.filled_holes, plate.triangles.len()), (0, triangles));
        assert!(done.open_edges > 0);
    }
}
