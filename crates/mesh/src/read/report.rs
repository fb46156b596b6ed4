use std::fmt;

use serde::Serialize;

use super::{Format, ReadError};
use crate::TriangleMesh;

/// A mesh together with the report of its reader.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded<M> {
    /// Mesh.
    pub mesh: M,
    /// Report of what was read, merged, simplified, and skipped.
    pub report: ReadReport,
}

/// Report of a mesh reader, which lists everything that was changed or skipped.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReadReport {
    /// Format of the file.
    pub format: Format,
    /// Number of points in the mesh.
    pub points: usize,
    /// Number of elements of the highest dimension in the mesh.
    pub elements: usize,
    /// Number of corners that were merged because they are bitwise identical.
    pub welded_points: usize,
    /// Number of points that were skipped because no element uses them.
    pub unused_points: usize,
    /// Number of elements that were skipped because two of their corners coincide.
    pub degenerate_elements: usize,
    /// Number of polygons with more than three corners that were triangulated.
    pub split_polygons: usize,
    /// Number of curved elements that were reduced to their corners.
    pub straightened_elements: usize,
    /// Number of elements in several groups, of which only the first was kept.
    pub elements_in_several_groups: usize,
    /// Skipped content.
    pub skipped: Vec<Skipped>,
}

/// A kind of skipped content and its count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// Kind of the skipped content.
    pub what: String,
    /// Number of occurrences.
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

    /// Returns whether the mesh contains the file unchanged: nothing skipped, straightened, or regrouped.
    pub fn is_complete(&self) -> bool {
        self.degenerate_elements == 0
            && self.straightened_elements == 0
            && self.elements_in_several_groups == 0
            && self.skipped.is_empty()
    }

    /// Adds to the count of a kind of skipped content. Kinds beyond the sixteenth are counted together,
    /// which bounds the length of the report.
    pub(super) fn skip(&mut self, what: &str, count: u64) {
        if let Some(known) = self.skipped.iter_mut().find(|s| s.what == what) {
            known.count += count;
            return;
        }
        const KINDS: usize = 16;
        if self.skipped.len() >= KINDS {
            self.skipped[KINDS - 1].what = "other content".into();
            self.skipped[KINDS - 1].count += count;
            return;
        }
        self.skipped.push(Skipped {
            what: what.into(),
            count,
        });
    }

    /// Removes points and triangles that a surface cannot use, counts the rest, and fails if nothing is
    /// left.
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
                count => format!("; it contains {count} degenerate triangles"),
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
            (self.unused_points, "unused points skipped"),
            (self.degenerate_elements, "degenerate elements skipped"),
            (self.split_polygons, "polygons triangulated"),
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
            write!(f, "; {} × {} skipped", skipped.count, skipped.what)?;
        }
        Ok(())
    }
}
