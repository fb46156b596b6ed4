//! Tetrahedral meshing of domains with Gmsh: the domain, and a safe script for it.
//!
//! A domain consists of nested closed surfaces: bodies inside a Huygens surface inside a box of air inside a
//! perfectly matched layer (PML). Every volume is bounded by one surface and those directly inside it. Curved
//! surfaces are given as triangle meshes, which Gmsh keeps unchanged, whether they are spheres of
//! [`primitive`](crate::primitive), STL files, or surfaces of CAD models; the flat faces of boxes are meshed
//! by Gmsh.
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
//! This crate starts no process: a [`Task`] is a list of files with fixed names and a dimension. The caller
//! writes them to an empty folder and runs `gmsh -3 domain.geo` there; [`read_msh`](crate::read_msh) reads the
//! result. A Gmsh script can execute any command of the system, so the only content of a problem file in a
//! script is finite numbers and names of letters, digits, and a few harmless characters.

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
