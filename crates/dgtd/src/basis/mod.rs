//! Nodal basis functions on the reference tetrahedron, and their matrices: derivatives, mass, lift.
//!
//! J. S. Hesthaven, T. Warburton, *Nodal Discontinuous Galerkin Methods*, Springer 2008, chapters 6 and 10.

mod element;
mod matrix;
mod nodes;
mod polynomials;

pub use element::{HIGHEST_ORDER, ReferenceElement};
pub use matrix::SquareMatrix;
