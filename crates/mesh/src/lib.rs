//! Meshes for wave computations: read them, make them, look them over, write them.
//!
//! Three kinds of mesh serve the solvers. A [`Contour`] is the cross-section of long bodies, straight
//! segments in the plane. A [`TriangleMesh`] is a surface in space. A [`TetrahedralMesh`] is a filled
//! volume with named surfaces. All three carry named [`Group`]s, which is where a problem file attaches
//! materials and ports.
//!
//! ```
//! use wavefield_mesh::{Edges, Limits, primitive, read_any, write_stl_binary};
//!
//! // A conducting box with no edge longer than 2 cm.
//! let target = primitive::cuboid([0.3, 0.2, 0.1], 0.02)?;
//! let seen = target.inspect();
//! assert!(seen.watertight && seen.outward == Some(true));
//! println!("{seen}");
//!
//! // Its sharp edges diffract; a rectangular one opens 270° of space.
//! let sharp = target.sharp_edges(&Edges::of(&target), 0.2);
//! assert!((sharp.wedges[0].exterior_angle.to_degrees() - 270.0).abs() < 1e-9);
//!
//! // Files are bytes. A mesh file knows no unit: here it was written in metres, so the scale is 1.
//! let mut bytes = Vec::new();
//! write_stl_binary(&target, &mut bytes)?;
//! let mut loaded = read_any("box.stl", &bytes, &Limits::default())?;
//! loaded.mesh.scale(1.0);
//! println!("{}", loaded.report);
//! assert_eq!(loaded.report.elements, target.triangles.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What holds
//!
//! - **The outside.** Corners of a triangle run anticlockwise seen from outside; a closed contour runs
//!   anticlockwise. Mirroring keeps this. [`TriangleMesh::orient`] restores it where a file breaks it.
//! - **Units.** Coordinates are metres once `scale` has been told the metres per file unit.
//! - **Numbers.** Positions in a mesh have 32 bits, so one part holds about 10⁹ elements; parts of a larger
//!   mesh carry 64-bit numbers of the whole.
//! - **Files are not trusted.** Readers take bytes and never believe a count, never recurse, take time in
//!   proportion to the file, and say in a [`ReadReport`] what they merged or left out. Each has a fuzz target.
//! - **No surprises.** Nothing here touches the disk, the clock, the network or another process. [`gmsh`]
//!   only writes files for it, among them a script into which no command can be smuggled.
//!
//! # Where to look
//!
//! [`read_any`] and its siblings read STL, OBJ, Gmsh MSH and INP. [`primitive`] makes the bodies that have
//! an exact solution or are a benchmark. [`TriangleMesh::inspect`], [`Edges`], [`SharpEdges`] and
//! [`Components`] answer questions about a surface. [`write_vtu_surface`], [`write_vtu_volume`] and
//! [`write_pvd`] feed ParaView.
#![forbid(unsafe_code)]

mod bounding_box;
mod contour;
mod cut;
mod divide;
mod error;
mod file;
pub mod gmsh;
mod group;
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
