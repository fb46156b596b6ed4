//! Mesh readers, from bytes to a mesh and a report.
//!
//! Files are not trusted. Counts in a header only limit the reading; memory grows with the bytes in the
//! file. Time is linear in the file size (except for sorting), nothing recurses, and [`Limits`] bounds
//! the result.

mod any;
mod error;
mod inp;
mod msh;
mod msh22;
mod msh41;
mod msh_elements;
mod obj;
mod report;
mod scanner;
mod stl;

pub use any::{AnyMesh, Format, read_any};
pub use error::{Place, ReadError};
pub use inp::read_inp;
pub use msh::read_msh;
pub use obj::read_obj;
pub use report::{Loaded, ReadReport, Skipped};
pub use stl::read_stl;

/// Size limits of a mesh reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of points.
    pub points: usize,
    /// Maximum number of elements: triangles, tetrahedra, and segments together.
    pub elements: usize,
}

/// Limit of 32-bit indices for the three edges of each triangle.
const COUNTABLE: usize = (u32::MAX / 4) as usize;

impl Default for Limits {
    fn default() -> Self {
        Self {
            points: COUNTABLE,
            elements: COUNTABLE,
        }
    }
}

impl Limits {
    fn check_points(&self, count: usize, place: Place) -> Result<(), ReadError> {
        within("points", count, self.points, place)
    }

    fn check_elements(&self, count: usize, place: Place) -> Result<(), ReadError> {
        within("elements", count, self.elements, place)
    }
}

fn within(what: &'static str, count: usize, limit: usize, place: Place) -> Result<(), ReadError> {
    let limit = limit.min(COUNTABLE);
    if count > limit {
        return Err(ReadError::TooLarge { what, limit, place });
    }
    Ok(())
}
