//! Shooting and bouncing rays (SBR): radar cross section (RCS) of electrically large bodies.
//!
//! A plane wave is sampled by a dense grid of parallel rays. Each ray is traced from reflection to reflection by
//! geometrical optics (GO) until it leaves the body; the currents at its last hit radiate by physical optics (PO). H.
//! Ling, R.-C. Chou, S.-W. Lee, IEEE Trans. Antennas Propag. 37 (1989) 194–205. The physical theory of diffraction
//! (PTD) adds the fringe current of sharp edges by incremental length diffraction coefficients (ILDC, equivalent edge
//! currents of truncated wedge strips); see [`edge`].
//!
//! ```
//! use std::sync::Arc;
//! use wavefield_mesh::primitive;
//! use wavefield_sbr::{BvhTracer, Ray, Surface, Tracer};
//!
//! // A trihedral corner reflector returns a ray antiparallel to its incidence after three reflections.
//! let corner = primitive::square_trihedral(1.0, 0.5)?;
//! let tracer = BvhTracer::new(Arc::new(Surface::new(&corner)?));
//! let ray = Ray::new([2.1, 2.2, 2.3], [-0.6, -0.64, -0.48]);
//! let mut hits = Vec::new();
//! let back = tracer.path(&ray, 10, &mut hits);
//! assert_eq!(hits.len(), 3);
//! assert!((0..3).all(|k| (back.direction[k] + ray.direction[k]).abs() < 1e-14));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Algorithm
//!
//! - First-bounce fields use closed-form PO over the illuminated part of each facet. For later reflections the wave is
//!   divided into ray tubes ([`Density`]), refined adaptively at shadow boundaries and facet edges; each tube radiates
//!   from its footprint at the last hit.
//! - [`BvhTracer`] traces rays through a bounding volume hierarchy (BVH); [`GpuScatterer`] traces rays and sums the far
//!   field on a GPU.
//! - [`Scatterer`] returns monostatic and bistatic scattering matrices. Monostatic matrices are symmetric (reciprocal):
//!   they average both directions of every path.
//! - [`Plan`] runs a sweep and estimates the error of every aspect from two ray densities.
//! - Bodies are perfect electric conductors (PEC) unless they are [coated](LayeredCoating).
//! - [`image`] computes range profiles, inverse synthetic aperture radar (ISAR) images by the polar format algorithm,
//!   and scattering centers of a sweep.
//!
//! # Limits
//!
//! Transmission through a body without a conductor is not traced. The exit field of a tube radiates in all directions,
//! without occlusion by other parts of the body. Edges diffract the incident wave only, not reflected waves. Creeping
//! waves are not modeled.

#![deny(unsafe_code)]

mod aperture;
mod cell;
mod coating;
mod contract;
pub mod edge;
mod error;
mod facet;
pub mod gpu;
pub mod image;
mod neighborhood;
mod optics;
mod outcome;
mod patch;
mod plan;
mod receiver;
mod reciprocity;
mod region;
mod result;
mod scatterer;
mod spec;
mod trace;
mod tube;

pub use aperture::Density;
pub use coating::LayeredCoating;
pub use contract::{SbrRun, SbrSolver};
pub use edge::{EdgeOptions, Edges, Strips};
pub use error::Error;
pub use gpu::GpuScatterer;
pub use plan::{Plan, Work};
pub use result::Solution;
pub use scatterer::{Scatterer, Scattering};
pub use spec::{Rays, Settings, Spec};
pub use trace::*;
