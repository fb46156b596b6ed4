//! Primitives: bodies with analytical solutions, and benchmark targets.
//!
//! Each function takes the maximum edge length and generates a mesh without longer edges. Points are on
//! the exact surface, sharp edges of the body are edges of the mesh, closed bodies are watertight and
//! oriented outward, and the error of area and volume converges as the square of the edge length h (for
//! the area of bodies with a tip, as h² ln 1/h). For volume solvers there are boxes of tetrahedra on a
//! lattice.

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

/// Errors of the dimensions of a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum PrimitiveError {
    /// A length or an angle is out of range.
    #[error("{what} must be {range}, not {value}")]
    OutOfRange {
        /// Name of the quantity.
        what: &'static str,
        /// Value of the quantity.
        value: f64,
        /// Valid range.
        range: &'static str,
    },
    /// The mesh exceeds the size limit.
    #[error(
        "an edge length of {edge} requires about {needed:.1e} elements, the limit is {limit}; increase the edge length"
    )]
    TooFine {
        /// Requested maximum edge length.
        edge: f64,
        /// Estimated number of elements.
        needed: f64,
        /// Maximum number of elements.
        limit: usize,
    },
    /// A polygon needs at least three corners.
    #[error("a polygon needs at least three corners, not {corners}")]
    TooFewCorners {
        /// Number of corners.
        corners: usize,
    },
}

/// Maximum number of elements of a primitive, about 2 GiB.
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

/// Checks the size of a mesh; `needed` is computed in floating point so that it cannot overflow.
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

/// Returns the number of pieces of at most `longest` into which a length is divided.
fn pieces(length: f64, longest: f64) -> u32 {
    // The tolerance divides 1.0 by 0.1 into ten pieces in spite of rounding.
    ((length / longest) * (1.0 - 1e-12)).ceil().max(1.0) as u32
}
