//! Discontinuous Galerkin time domain: Maxwell's equations in time, on tetrahedra.
//!
//! In every element E and H are polynomials of order one to eight, known by their values at nodes; elements speak to
//! their neighbours through fluxes at common faces, and time advances by an explicit Runge–Kutta method.
//! J. S. Hesthaven, T. Warburton, *Nodal Discontinuous Galerkin Methods*, Springer 2008;
//! L. Zhao, G. Chen, W. Yu, Prog. Electromagn. Res. M 48 (2016) 1–11.
//!
//! Lengths are metres, times are lengths (c = 1), and H stands for Z₀H.

#![deny(unsafe_code)]

mod absorb;
pub mod basis;
mod discretisation;
mod error;
mod flux;
mod geometry;
mod medium;
pub mod plain;
pub mod runge_kutta;
mod topology;
mod vector;

pub use absorb::{LayerProfile, LayerTerms};
pub use discretisation::{Discretisation, LayerShape, Meaning};
pub use error::Error;
pub use flux::{FaceFlux, Fields};
pub use geometry::Geometry;
pub use medium::Medium;
pub use topology::{Boundary, Side, Topology};
