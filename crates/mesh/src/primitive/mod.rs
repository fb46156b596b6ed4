//! Bodies with a formula: the shapes that exact solutions and benchmarks are made of.
//!
//! Each takes the longest edge allowed and makes a mesh with no edge longer than that. Points lie on the
//! true surface, sharp edges of the body are edges of the mesh, closed bodies are watertight with their
//! outside facing out, and the error in area and volume falls with the square of the edge length h (in the
//! area of bodies with a tip, with h² ln 1/h). Boxes filled with tetrahedra on a lattice join them, for
//! solvers of volumes.

mod almond;
mod contours;
mod corner_reflectors;
mod cuboid;
mod cylinder;
mod ellipsoid;
mod helix_antenna;
mod lattice;
mod ogive;
mod rings;
mod sphere;
mod tetrahedral_box;

pub use almond::{ALMOND_LENGTH, almond, almond_volume};
pub use contours::{circle, ellipse, polygon, regular_polygon};
pub use corner_reflectors::{dihedral, square_trihedral, triangular_trihedral};
pub use cuboid::{cuboid, plate};
pub use cylinder::cylinder;
pub use ellipsoid::ellipsoid;
pub use helix_antenna::{HelixAntenna, HelixSurfaces, WireSection, helix_antenna};
pub use ogive::{OGIVE_HALF_ANGLE, OGIVE_LENGTH, ogive};
pub use sphere::sphere;
pub use tetrahedral_box::{open_tetrahedral_box, tetrahedral_box};

use thiserror::Error;

/// Why a shape cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum PrimitiveError {
    /// A length or an angle is out of its range.
    #[error("{what} is {value}, but it must be {range}")]
    OutOfRange {
        /// Which length or angle.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What it must be.
        range: &'static str,
    },
    /// The mesh would be larger than is sensible.
    #[error(
        "edges of {edge} would need about {needed:.1e} elements, more than the {limit} allowed; use longer edges"
    )]
    TooFine {
        /// The longest edge asked for.
        edge: f64,
        /// Roughly how many elements it would take.
        needed: f64,
        /// How many there may be.
        limit: usize,
    },
    /// A polygon needs at least three corners.
    #[error("a polygon needs at least three corners, not {corners}")]
    TooFewCorners {
        /// How many were given.
        corners: usize,
    },
}

/// The largest mesh a primitive makes: about 2 GiB.
pub const MAX_ELEMENTS: usize = 50_000_000;

fn positive(what: &'static str, value: f64) -> Result<(), PrimitiveError> {
    if value > 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(PrimitiveError::OutOfRange {
        what,
        value,
        range: "positive and finite",
    })
}

/// Refuses sizes that are too fine; `needed` is computed in floating point so that it cannot overflow.
fn affordable(edge: f64, needed: f64) -> Result<(), PrimitiveError> {
    if needed <= MAX_ELEMENTS as f64 {
        return Ok(());
    }
    Err(PrimitiveError::TooFine {
        edge,
        needed,
        limit: MAX_ELEMENTS,
    })
}

/// How many pieces of at most `longest` a length is cut into.
fn pieces(length: f64, longest: f64) -> u32 {
    // The small allowance keeps 1.0 / 0.1 at ten pieces.
    ((length / longest) * (1.0 - 1e-12)).ceil().max(1.0) as u32
}
