//! Shooting and bouncing rays: scattering of electrically large bodies. So far, its rays and its edges.
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

#![deny(unsafe_code)]

pub mod edge;
mod error;
mod trace;
mod vector;

pub use edge::{EdgeOptions, Edges, Strips};
pub use error::Error;
pub use trace::*;
