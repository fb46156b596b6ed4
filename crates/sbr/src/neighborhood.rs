//! Radiating part of a cell of the wave, determined from its neighbors.

use smallvec::SmallVec;

use crate::cell::{Level, Neighbor};
use crate::patch::Patch;
use crate::region::{Offset, Region};
use crate::tube::{Exit, Step};

/// Relative tolerance of areas of the parts of a cell, and margin of points inside a part relative to its side.
const CLEAR: f64 = 1e-3;

/// Area of a path's region, in cells, below which paths between the neighbors may be unknown.
const FEW: f64 = 2.0;

/// Tube of any level in the coordinates of a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    tube: Neighbor,
    /// Offset of its axis from the center of the cell, in sides of the cell.
    offset: Offset,
    /// Side of the tube relative to that of the cell.
    scale: f64,
}

impl Seen {
    /// Returns the tube in the coordinates of a quarter of the cell, by its column and row.
    #[must_use]
    pub(crate) fn by_quarter(&self, column: i64, row: i64) -> Seen {
        let beside = [column, row].map(|number| 0.5 - number as f64);
        Seen {
            offset: [0, 1].map(|axis| 2.0 * self.offset[axis] + beside[axis]),
            scale: 2.0 * self.scale,
            ..*self
        }
    }

    /// Converts a point of the cell to sides of the tube from its axis.
    fn place(&self, point: Offset) -> Offset {
        [0, 1].map(|axis| (point[axis] - self.offset[axis]) / self.scale)
    }

    /// Returns the part of the cell within a region around the tube.
    fn part(&self, region: &Region) -> Region {
        region.in_cell(self.scale, self.offset)
    }
}

/// Part of a cell that leaves the body with a tube.
#[derive(Debug)]
pub(crate) struct Part<'a> {
    patch: &'a Patch,
    seen: Seen,
    region: Region,
    /// Sign of the contribution; −1 subtracts the part from another.
    sign: f64,
}

impl Part<'_> {
    /// Returns the triangles of the part as patches.
    pub(crate) fn patches(&self) -> impl Iterator<Item = Patch> {
        self.region.triangles().map(|corners| {
            let patch = self
                .patch
                .part(corners.map(|corner| self.seen.place(corner)));
            Patch {
                area: self.sign * patch.area,
                ..patch
            }
        })
    }
}

/// Paths through the body, each with a tube on it.
type Ways<'a> = SmallVec<[(Seen, Exit<'a>); 9]>;

/// Cell with its neighbors and the paths found by larger cells.
#[derive(Debug)]
pub(crate) struct Neighborhood<'a> {
    own: Option<Exit<'a>>,
    /// The cell itself and its known neighbors, with their exits if any.
    samples: SmallVec<[(Seen, Option<Exit<'a>>); 9]>,
    /// Paths found by larger cells.
    inherited: Ways<'a>,
}

/// Radiating part of a cell.
#[derive(Debug)]
pub(crate) enum Share<'a> {
    /// No part radiates.
    Nothing,
    /// The whole cell radiates as its own tube.
    Whole,
    /// Parts radiate; includes the known paths.
    Parts(Vec<Part<'a>>, Vec<Seen>),
    /// Parts radiate, and the path of the rest of the cell is unknown; includes the known paths.
    SomeParts(Vec<Part<'a>>, Vec<Seen>),
    /// The neighborhood is inconsistent; includes the known paths.
    Unclear(Vec<Seen>),
}

impl<'a> Neighborhood<'a> {
    /// Creates the neighborhood of a cell of the finest level by its index, with the paths found by larger
    /// cells.
    pub(crate) fn new(levels: &'a [Level], number: usize, inherited: &[Seen]) -> Neighborhood<'a> {
        let here = &levels[levels.len() - 1];
        let cell = &here.cells[number];
        let around = cell.around.iter().flatten();
        let leaves =
            |neighbor: &Neighbor| levels[neighbor.level as usize].leaves(neighbor.number as usize);
        let exit =
            |Neighbor { level, number }: Neighbor| levels[level as usize].exit(number as usize);
        let mut samples = SmallVec::new();
        let mut own = None;
        if here.leaves(number) || !inherited.is_empty() || around.clone().any(leaves) {
            own = here.exit(number);
            let [x, y] = cell.middle();
            let per_side = f64::from(1_u32 << cell.level);
            let itself = Neighbor {
                level: cell.level,
                number: number as u32,
            };
            samples.extend(std::iter::once(&itself).chain(around).map(|&tube| {
                let other = &levels[tube.level as usize].cells[tube.number as usize];
                let [other_x, other_y] = other.middle();
                let seen = Seen {
                    tube,
                    offset: [(other_x - x) * per_side, (other_y - y) * per_side],
                    scale: f64::from(1_u32 << (cell.level - tube.level)),
                };
                (seen, exit(tube))
            }));
        }
        let inherited = inherited
            .iter()
            .filter_map(|seen| Some((*seen, exit(seen.tube)?)))
            .collect();
        Neighborhood {
            own,
            samples,
            inherited,
        }
    }

    /// Returns the radiating part of the cell. Neighbors belong to one plane wave if their exits match the
    /// extrapolation of the cell's own to within a tolerance in m.
    pub(crate) fn share(&self, tolerance: f64) -> Share<'a> {
        if let Some(own) = &self.own {
            let agrees = |seen: &Seen, exit: &Exit<'_>| {
                exit.number() == own.number() || one_wave(own, exit, seen.offset, tolerance)
            };
            let around = &self.samples;
            if around
                .iter()
                .all(|(seen, exit)| exit.as_ref().is_some_and(|exit| agrees(seen, exit)))
                && self.inherited.iter().all(|(seen, exit)| agrees(seen, exit))
            {
                return Share::Whole;
            }
        }
        // Facets not larger than the tubes: unknown paths may lie between the known ones.
        let fine = self
            .samples
            .iter()
            .any(|(_, exit)| exit.is_some_and(|exit| exit.last().region.area() < FEW));
        let ways = self.ways();
        if ways.is_empty() {
            return if fine {
                Share::Unclear(Vec::new())
            } else {
                Share::Nothing
            };
        }
        let steps = steps(&ways);
        // A ray with another next step, or none, where this one is expected is in a shadow.
        let shadowed = steps.iter().any(|(seen, step)| {
            self.samples.iter().any(|(at, exit)| {
                !exit.is_some_and(|exit| exit.takes(step.number))
                    && step.region.holds(seen.place(at.offset), CLEAR)
            })
        });
        let mut parts = Vec::new();
        for (seen, exit) in &ways {
            // The region of the tube's last step minus the regions of further steps.
            for (of, step) in &steps {
                let sign = if step.number == exit.number() {
                    1.0
                } else if step.before == exit.number() {
                    -1.0
                } else {
                    continue;
                };
                parts.push(Part {
                    patch: exit.patch,
                    seen: *seen,
                    region: of.part(&step.region),
                    sign,
                });
            }
        }
        parts.retain(|part| part.region.area() > 0.0);
        if parts.is_empty() {
            return Share::Nothing;
        }
        let covered: f64 = parts
            .iter()
            .map(|part| part.sign * part.region.area())
            .sum();
        let known = || ways.iter().map(|(seen, _)| *seen).collect();
        let lacking = covered < 1.0 - CLEAR;
        if shadowed || covered > 1.0 + CLEAR || (lacking && fine) {
            Share::Unclear(known())
        } else if lacking {
            Share::SomeParts(parts, known())
        } else {
            Share::Parts(parts, known())
        }
    }

    /// Returns the distinct paths that parts of the cell may follow.
    fn ways(&self) -> Ways<'a> {
        let near = self
            .samples
            .iter()
            .filter_map(|(seen, exit)| Some((*seen, (*exit)?)));
        let mut ways = Ways::new();
        for (seen, exit) in near.chain(self.inherited.iter().copied()) {
            let known = ways.iter().any(|(_, way)| way.number() == exit.number());
            if !known && seen.part(&exit.last().region).area() > 0.0 {
                ways.push((seen, exit));
            }
        }
        ways
    }
}

/// Returns the distinct steps of paths.
fn steps<'a>(ways: &[(Seen, Exit<'a>)]) -> SmallVec<[(Seen, &'a Step); 9]> {
    let mut steps: SmallVec<[(Seen, &Step); 9]> = SmallVec::new();
    for (seen, exit) in ways {
        for step in exit.steps {
            if !steps.iter().any(|(_, known)| known.number == step.number) {
                steps.push((*seen, step));
            }
        }
    }
    steps
}

/// Returns whether a tube and another at an offset in sides leave as one plane wave.
fn one_wave(tube: &Exit<'_>, other: &Exit<'_>, [columns, rows]: Offset, tolerance: f64) -> bool {
    tube.steps.len() == other.steps.len()
        && tube.patch.faces_like(other.patch)
        && tube.patch.phase_mismatch(other.patch, columns, rows) <= tolerance
}
