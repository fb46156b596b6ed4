//! Errors of the solver.

use wavefield_gpu::DeviceError;
use wavefield_mesh::MeshError;
use wavefield_numerics::observe::Cancelled;
use wavefield_physics::material::MaterialError;
use wavefield_solver::checkpoint::CheckpointError;
use wavefield_solver::scene::aspects::AspectError;
use wavefield_solver::scene::{GeometryError, InvalidSpec};
use wavefield_solver::{Classified, ErrorClass};

use crate::image::ProductError;

/// Error of the shooting-and-bouncing-rays solver.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The mesh refers to missing points, or a coordinate is not finite.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The body has no surface.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// The observation directions are not a valid sweep.
    #[error(transparent)]
    Aspects(#[from] AspectError),
    /// The specification is not valid.
    #[error(transparent)]
    Invalid(#[from] InvalidSpec),
    /// A length is not positive.
    #[error("`{key}` must be positive, not {value}")]
    NotPositive {
        /// Key in the problem file.
        key: &'static str,
        /// Value in meters.
        value: f64,
    },
    /// The material of a coating is not physical.
    #[error("`bodies.0.coatings`: {source}")]
    Material {
        /// Cause.
        source: MaterialError,
    },
    /// A layer of a coating is a PEC.
    #[error("a coating layer cannot be PEC; set `backing = \"pec\"`")]
    ConductingCoat,
    /// A coating names a triangle group that the mesh does not have.
    #[error(
        "`bodies.0.coatings`: the mesh has no group named {name:?}; it has {}",
        listed(groups)
    )]
    NoGroup {
        /// Requested group name.
        name: String,
        /// Group names of the mesh.
        groups: Vec<String>,
    },
    /// The coating list does not match the triangles.
    #[error(
        "the coating list has {listed} entries for {triangles} triangles and {coatings} coatings; give each triangle one entry, the index of its coating from 0"
    )]
    CoatList {
        /// Number of entries in the list.
        listed: usize,
        /// Number of triangles in the mesh.
        triangles: usize,
        /// Number of coatings.
        coatings: usize,
    },
    /// Edge diffraction is requested for a coated body.
    #[error("edge diffraction supports PEC edges only, and the body is coated")]
    CoatedEdges,
    /// A coated body is requested on a GPU.
    #[error("coated bodies run on the CPU only; use `--device cpu`")]
    CoatedOnGpu,
    /// The sweep does not support a requested product.
    #[error(transparent)]
    Product(#[from] ProductError),
    /// The run was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// A checkpoint could not be saved.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The GPU failed, or lacks a required feature.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The surface has no triangle of nonzero area.
    #[error("the surface has no triangle of nonzero area; check the mesh")]
    NoTriangles,
    /// The number of triangles exceeds the tracer's index range.
    #[error(
        "the mesh has {found} triangles, and the ray tracer supports at most {most}; coarsen the mesh"
    )]
    TooManyTriangles {
        /// Number of triangles in the mesh.
        found: usize,
        /// Maximum number of triangles.
        most: usize,
    },
    /// The size of the surface over- or underflows products of coordinates in f64.
    #[error(
        "the radius of the surface is {radius:e} m and must lie between 1e-15 m and 1e15 m; check the unit of the mesh"
    )]
    Size {
        /// Half the diagonal of the bounding box, m.
        radius: f64,
    },
    /// A frequency is not positive and finite.
    #[error("the frequency must be positive and finite, not {frequency} Hz")]
    Frequency {
        /// Requested frequency, Hz.
        frequency: f64,
    },
    /// A parameter of the ray density is out of range.
    #[error("`rays.{key}` must lie between {least} and {most}, not {value}")]
    Range {
        /// Key of the parameter.
        key: &'static str,
        /// Value.
        value: f64,
        /// Minimum.
        least: f64,
        /// Maximum.
        most: f64,
    },
    /// An aspect needs more rays than the limit.
    #[error(
        "one aspect needs {count:.2e} rays, and the limit is {most:.0e}; check the unit of the mesh or increase `sbr.rays.spacing`"
    )]
    TooManyRays {
        /// Number of cells of the coarsest level.
        count: f64,
        /// Maximum number of cells.
        most: f64,
    },
    /// The tracer was built from another mesh.
    #[error(
        "the tracer was built from another mesh ({traced} triangles; this mesh has {found}); build the tracer from this mesh"
    )]
    OtherSurface {
        /// Number of triangles of the tracer.
        traced: usize,
        /// Number of triangles of the mesh.
        found: usize,
    },
    /// The CPU lacks the requested SIMD instruction set.
    #[error("the CPU does not support {wanted} instructions; select another instruction set")]
    Instructions {
        /// Requested instruction set.
        wanted: String,
    },
}

impl Classified for Error {
    fn path(&self) -> Option<String> {
        match self {
            Error::Geometry(_) => Some("bodies.0.geometry".to_owned()),
            Error::Material { .. } | Error::ConductingCoat | Error::NoGroup { .. } => {
                Some("bodies.0.coatings".to_owned())
            }
            Error::TooManyRays { .. } => Some("bodies.0.geometry".to_owned()),
            _ => None,
        }
    }

    fn class(&self) -> ErrorClass {
        match self {
            Error::Cancelled(error) => error.class(),
            Error::Checkpoint(error) => error.class(),
            Error::Device(error) => error.class(),
            Error::Product(error) => error.class(),
            Error::Mesh(_)
            | Error::Geometry(_)
            | Error::Aspects(_)
            | Error::Invalid(_)
            | Error::NotPositive { .. }
            | Error::Material { .. }
            | Error::ConductingCoat
            | Error::NoGroup { .. }
            | Error::CoatList { .. }
            | Error::CoatedEdges
            | Error::CoatedOnGpu
            | Error::NoTriangles
            | Error::TooManyTriangles { .. }
            | Error::Size { .. }
            | Error::Frequency { .. }
            | Error::Range { .. }
            | Error::TooManyRays { .. }
            | Error::OtherSurface { .. }
            | Error::Instructions { .. } => ErrorClass::Input,
        }
    }
}

fn listed(names: &[String]) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    let quoted: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    quoted.join(", ")
}
