//! Domains that Gmsh fills with tetrahedra: what to ask of it, and how to ask safely.
//!
//! A domain is a nest of closed surfaces: bodies inside a Huygens surface inside a box of air inside an
//! absorbing layer. Every volume lies between one surface and those directly inside it. Curved surfaces are
//! given to Gmsh as the triangles they already are, so that the sphere of [`primitive`](crate::primitive), an
//! STL file and the skin of a CAD model are all the same to it; flat faces of boxes it covers with triangles
//! of its own.
//!
//! ```
//! use wavefield_mesh::gmsh::{Body, Domain, Enclosure, Faces, Huygens, Interior, Layer, fill};
//! use wavefield_mesh::primitive;
//!
//! let domain = Domain {
//!     bodies: vec![Body {
//!         skin: primitive::sphere(0.3, 0.09)?,
//!         surface: "sphere".into(),
//!         interior: Interior::Meshed { volume: "glass".into() },
//!     }],
//!     sheets: vec![],
//!     huygens: Some(Huygens { shape: Enclosure::BoxAround { margin: 0.15 }, edge: 0.12 }),
//!     air: Enclosure::BoxAround { margin: 0.2 },
//!     air_edge: 0.13,
//!     layer: Some(Layer { thickness: 0.3, edge: 0.15 }),
//!     faces: Faces::Together,
//! };
//! let task = fill(&domain)?;
//! assert_eq!(task.files[0].name, "domain.geo");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This crate starts no process: a [`Task`] is a list of files with fixed names and a dimension. Somebody else
//! puts them into an empty folder, runs `gmsh -3 domain.geo` there, and [`read_msh`](crate::read_msh) reads
//! what comes out. A Gmsh script can run any command of the system, so nothing from a problem file enters a
//! script except finite numbers and names made of letters, digits and a few harmless signs.

mod check;
mod domain;
mod error;
mod fill;
mod layout;
mod nest;
mod surfaces;
mod task;

pub use domain::{
    AIR, Body, Domain, Enclosure, Faces, HUYGENS, Huygens, Interior, LAYER, Layer, OUTER,
    SCATTERED, TOTAL,
};
pub use error::DomainError;
pub use fill::fill;
pub use surfaces::{remesh, step_surface};
pub use task::{InputFile, Task};
