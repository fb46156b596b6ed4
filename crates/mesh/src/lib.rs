//! Meshes of wave solvers: readers, primitives, topology, quality, and writers.
//!
//! The solvers use three kinds of mesh. A [`Contour`] is the cross-section of infinite cylinders, straight
//! segments in the plane. A [`TriangleMesh`] is a surface in space. A [`TetrahedralMesh`] is a volume with
//! named surfaces. All three have named [`Group`]s, to which a problem file assigns materials and ports.
//!
//! ```
//! use wavefield_mesh::{Edges, Limits, primitive, read_any, write_stl_binary};
//!
//! // A PEC box with edges of at most 2 cm.
//! let target = primitive::cuboid([0.3, 0.2, 0.1], 0.02)?;
//! let seen = target.inspect();
//! assert!(seen.watertight && seen.outward == Some(true));
//! println!("{seen}");
//!
//! // Sharp edges diffract; the exterior wedge angle is 270°.
//! let sharp = target.sharp_edges(&Edges::of(&target), 0.2);
//! assert!((sharp.wedges[0].exterior_angle.to_degrees() - 270.0).abs() < 1e-9);
//!
//! // Mesh files have no unit: this one is in meters, so the scale is 1.
//! let mut bytes = Vec::new();
//! write_stl_binary(&target, &mut bytes)?;
//! let mut loaded = read_any("box.stl", &bytes, &Limits::default())?;
//! loaded.mesh.scale(1.0);
//! println!("{}", loaded.report);
//! assert_eq!(loaded.report.elements, target.triangles.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Invariants
//!
//! - **Orientation.** The corners of a triangle run counterclockwise seen from outside; a closed contour runs
//!   counterclockwise. Mirroring preserves this. [`TriangleMesh::orient`] restores it for inconsistently
//!   oriented files.
//! - **Units.** Coordinates are in meters after `scale` with the meters per file unit.
//! - **Indices.** Indices have 32 bits, so one part has up to about 10⁹ elements; parts of a larger mesh have
//!   64-bit global ids.
//! - **Untrusted files.** Readers take bytes, do not rely on counts, do not recurse, run in time proportional
//!   to the file size, and list in a [`ReadReport`] what they merged or skipped. Each has a fuzz target.
//! - **No side effects.** This crate does not access the disk, the clock, the network, or another process.
//!   [`gmsh`] only creates its input files, among them a script into which no command can be injected.
//!
//! # Contents
//!
//! [`read_any`] and its siblings read STL, OBJ, Gmsh MSH, and INP. [`primitive`] generates bodies with an
//! analytical solution and benchmark targets. [`TriangleMesh::inspect`], [`Edges`], [`SharpEdges`], and
//! [`Components`] analyze a surface: boundary edges, non-manifold edges, wedges, connected components.
//! [`write_vtu_surface`], [`write_vtu_volume`], and [`write_pvd`] write files for ParaView.
#![forbid(unsafe_code)]

mod bounding_box;
mod contour;
mod cut;
mod divide;
mod error;
mod file;
pub mod gmsh;
mod group;
mod heal;
pub mod primitive;
mod read;
mod relocation;
mod sew;
mod symmetry;
mod tetrahedral_mesh;
mod tetrahedral_quality;
mod topology;
mod transform;
mod triangle_mesh;
mod weld;
mod write;

pub use bounding_box::BoundingBox;
pub use contour::{Contour, Curve};
pub use cut::Disc;
pub use error::MeshError;
pub use file::{MeshFile, MeshUnit};
pub use group::Group;
pub use heal::Healing;
pub use read::{
    AnyMesh, Format, Limits, Loaded, Place, ReadError, ReadReport, Skipped, read_any, read_inp,
    read_msh, read_obj, read_stl,
};
pub use tetrahedral_mesh::TetrahedralMesh;
pub use tetrahedral_quality::TetrahedralQuality;
pub use topology::{
    Components, Edge, Edges, HalfEdge, Inspection, Orientation, SharpEdges, Wedge, WedgeShape,
};
pub use transform::{Axis, Transform};
pub use triangle_mesh::TriangleMesh;
pub use write::{
    VtuArray, VtuData, VtuEncoding, VtuValues, WriteError, write_msh_surface, write_msh_volume,
    write_obj, write_pvd, write_stl_binary, write_stl_text, write_vtu_surface, write_vtu_volume,
};
