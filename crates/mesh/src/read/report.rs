use std::fmt;

use serde::Serialize;

use super::{Format, ReadError};
use crate::TriangleMesh;

/// A mesh together with what the reader had to do to get it.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded<M> {
    /// The mesh.
    pub mesh: M,
    /// What was read, merged, straightened and left out.
    pub report: ReadReport,
}

/// What a reader did with a file; nothing is left out without a line here.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReadReport {
    /// The format the file turned out to have.
    pub format: Format,
    /// Points in the mesh.
    pub points: usize,
    /// Elements of the highest dimension in the mesh.
    pub elements: usize,
    /// Corners that were merged because they are equal to the last bit.
    pub welded_points: usize,
    /// Points left out because no element uses them.
    pub unused_points: usize,
    /// Elements left out because two of their corners are the same point.
    pub degenerate_elements: usize,
    /// Polygons with more than three corners that were cut into triangles.
    pub split_polygons: usize,
    /// Curved elements of which only the corners were kept.
    pub straightened_elements: usize,
    /// Elements in several groups, of which the first was kept.
    pub elements_in_several_groups: usize,
    /// What else was left out.
    pub skipped: Vec<Skipped>,
}

/// A kind of thing that was left out, and how often.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// What was left out.
    pub what: String,
    /// How many of them.
    pub count: u64,
}

impl ReadReport {
    pub(super) fn new(format: Format) -> Self {
        Self {
            format,
            points: 0,
            elements: 0,
            welded_points: 0,
            unused_points: 0,
            degenerate_elements: 0,
            split_polygons: 0,
            straightened_elements: 0,
            elements_in_several_groups: 0,
            skipped: Vec::new(),
        }
    }

    /// Whether everything in the file is in the mesh as it was: nothing dropped, bent straight or regrouped.
    pub fn is_complete(&self) -> bool {
        self.degenerate_elements == 0
            && self.straightened_elements == 0
            && self.elements_in_several_groups == 0
            && self.skipped.is_empty()
    }

    /// Adds to the count of a kind of thing left out; kinds beyond the sixteenth are counted together,
    /// so that a file full of unknown words does not make a report of unknown length.
    pub(super) fn skip(&mut self, what: &str, count: u64) {
        if let Some(known) = self.skipped.iter_mut().find(|s| s.what == what) {
            known.count += count;
            return;
        }
        const KINDS: usize = 16;
        if self.skipped.len() >= KINDS {
            self.skipped[KINDS - 1].what = "other things".into();
            self.skipped[KINDS - 1].count += count;
            return;
        }
        self.skipped.push(Skipped {
            what: what.into(),
            count,
        });
    }

    /// Leaves out what a surface cannot use, counts what is left, and refuses if that is nothing.
    pub(super) fn finish_surface(&mut self, mesh: &mut TriangleMesh) -> Result<(), ReadError> {
        self.degenerate_elements += mesh.drop_degenerate_triangles();
        self.unused_points += mesh.drop_unused_points();
        self.points = mesh.points.len();
        self.elements = mesh.triangles.len();
        if self.elements > 0 {
            return Ok(());
        }
        Err(ReadError::Empty {
            what: "triangles",
            hint: match self.degenerate_elements {
                0 => String::new(),
                count => format!("; it holds {count} without area"),
            },
        })
    }
}

impl fmt::Display for ReadReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {} elements on {} points",
            self.format, self.elements, self.points
        )?;
        let counts = [
            (self.welded_points, "equal corners merged"),
            (self.unused_points, "unused points left out"),
            (self.degenerate_elements, "elements without area left out"),
            (self.split_polygons, "polygons cut into triangles"),
            (self.straightened_elements, "curved elements straightened"),
            (
                self.elements_in_several_groups,
                "elements in several groups (first kept)",
            ),
        ];
        for (count, what) in counts.into_iter().filter(|&(count, _)| count > 0) {
            write!(f, "; {count} {what}")?;
        }
        for skipped in &self.skipped {
            write!(f, "; {} × {} left out", skipped.count, skipped.what)?;
        }
        Ok(())
    }
}
