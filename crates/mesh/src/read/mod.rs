//! Readers: bytes in, mesh and report out.
//!
//! A reader trusts nothing in the file. Counts in a header only say how long to go on reading; memory
//! grows with the bytes that are really there. Time is linear in the length of the file (sorting aside),
//! nothing recurses, and [`Limits`] bounds what is kept.

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

/// How large a mesh a reader may build before it refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest number of points.
    pub points: usize,
    /// The largest number of elements: triangles, tetrahedra and segments together.
    pub elements: usize,
}

/// The most that 32-bit numbers allow when each triangle has three edges to be counted.
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
