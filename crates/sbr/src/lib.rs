//! Shooting and bouncing rays: scattering of electrically large, perfectly conducting bodies.
//!
//! A plane wave is a dense grid of parallel rays. Each is followed from bounce to bounce until it leaves
//! the body, with the field of geometrical optics along it; what leaves radiates by physical optics.
//! H. Ling, R.-C. Chou, S.-W. Lee, IEEE Trans. Antennas Propag. 37 (1989) 194–205.
//! What physical optics misses at sharp edges is in [`edge`].
//!
//! ```
//! use std::sync::Arc;
//! use wavefield_mesh::primitive;
//! use wavefield_sbr::{BvhTracer, Ray, Surface, Tracer};
//!
//! // A corner reflector sends a ray back where it came from, after three reflections.
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
//! [`Scatterer`] makes a far field of such paths. First reflections are taken facet by facet; for the later ones the
//! wave is cut into tubes ([`Density`]), as coarse as shadows and the facets' edges allow, and each radiates from
//! where it leaves the body. Monostatic matrices are symmetric: they average both directions of every path.
//! [`Plan`] runs sweeps and states an uncertainty for every aspect, from two densities.
//! Bodies conduct perfectly unless they are [coated](Coat).
//! [`GpuScatterer`] has a graphics card trace the rays and sum the field. [`image`] makes range profiles, images and
//! lists of scattering centers of a sweep.
//!
//! # Limits
//!
//! What passes through a body without metal is not followed. The exit of a tube radiates in all directions, whether or not another part of the body is in
//! between. Edges diffract the incident wave, not what other parts reflect onto them.

#![deny(unsafe_code)]

mod aperture;
mod cell;
mod coat;
mod contract;
pub mod edge;
mod error;
mod facet;
pub mod gpu;
pub mod image;
mod neighbourhood;
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
pub use coat::Coat;
pub use contract::{SbrRun, SbrSolver};
pub use edge::{EdgeOptions, Edges, Strips};
pub use error::Error;
pub use gpu::GpuScatterer;
pub use plan::Plan;
pub use result::Solution;
pub use scatterer::{Scatterer, Scattering};
pub use spec::{Rays, Settings, Spec};
pub use trace::*;
