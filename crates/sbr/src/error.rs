//! What can be wrong with a surface rays are to be traced on.

use wavefield_mesh::MeshError;

/// Why rays cannot be traced.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The mesh refers to points that do not exist, or a coordinate is not a finite number.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// There is nothing to hit.
    #[error("the surface has no triangle with an area; rays need something to hit")]
    NoTriangles,
    /// More triangles than a tracer numbers.
    #[error("{found} triangles are more than one tracer takes ({most}); partition the mesh")]
    TooManyTriangles {
        /// Triangles of the mesh.
        found: usize,
        /// The most a tracer takes.
        most: usize,
    },
    /// Coordinates so far apart, or so close, that products of them leave the range of f64.
    #[error("the surface has a radius of {radius:e}; it must lie between 1e-15 and 1e15")]
    Size {
        /// Half the diagonal of its bounding box.
        radius: f64,
    },
    /// A tracer and a mesh that do not belong together.
    #[error(
        "the tracer was not built from this mesh ({traced} triangles, the mesh has {found}); build both from the same one"
    )]
    OtherSurface {
        /// Triangles of the tracer.
        traced: usize,
        /// Triangles of the mesh.
        found: usize,
    },
    /// The processor does not have the vector instructions asked for.
    #[error("this processor has no {wanted} instructions")]
    Instructions {
        /// What was asked for.
        wanted: String,
    },
}
