//! Errors of the 3-D method of moments.

use wavefield_gpu::DeviceError;
use wavefield_gpu::lu::GpuLuError;
use wavefield_mesh::MeshError;
use wavefield_numerics::dense::FactorError;
use wavefield_numerics::krylov::KrylovError;
use wavefield_numerics::observe::Cancelled;
use wavefield_solver::scene::aspects::AspectError;
use wavefield_solver::scene::{GeometryError, InvalidSpec};
use wavefield_solver::{Classified, ErrorClass};

/// Reason why a problem cannot be set up or solved.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The specification is invalid.
    #[error(transparent)]
    Invalid(#[from] InvalidSpec),
    /// The directions of the sweep are invalid.
    #[error(transparent)]
    Aspects(#[from] AspectError),
    /// The geometry has no surface.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// The mesh refers to vertices that do not exist, or a coordinate is not finite.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The surface has no edge between two triangles, hence no basis function.
    #[error(
        "the surface has no edge between two triangles, so it has no basis function; let adjacent triangles share vertices"
    )]
    NoEdge,
    /// The CFIE was requested on an open surface.
    #[error(
        "the CFIE needs a closed, consistently oriented surface; found {open} open or inconsistent edges. Use `efie`, or omit `equation`"
    )]
    Open {
        /// Number of boundary, non-manifold, and inconsistently oriented edges.
        open: usize,
    },
    /// The direction of a port is zero.
    #[error("`excitation.ports.{port}.direction` must not be [0, 0, 0]")]
    PortDirection {
        /// Index of the port, from 0.
        port: usize,
    },
    /// The delta gap of a port crosses no edge.
    #[error(
        "`excitation.ports.{port}`: the delta-gap plane does not intersect the conductor within `radius` of `position`"
    )]
    NoGap {
        /// Index of the port, from 0.
        port: usize,
    },
    /// The direction of a symmetry operation is zero.
    #[error("`mom3d.symmetry.{number}`: `normal` or `axis` must not be [0, 0, 0]")]
    SymmetryDirection {
        /// Index of the symmetry operation, from 0.
        number: usize,
    },
    /// The mesh is not invariant under a symmetry operation.
    #[error(
        "`mom3d.symmetry.{number}`: {error}; the mesh, not only the shape, must be invariant about the origin"
    )]
    NotSymmetric {
        /// Index of the symmetry operation, from 0.
        number: usize,
        /// Vertex or triangle without an image.
        error: MeshError,
    },
    /// Every vertex has an image, but not every triangle or edge.
    #[error(
        "`mom3d.symmetry.{number}`: every vertex has an image, but not every triangle and edge; check for diagonals that differ and for non-manifold edges"
    )]
    SymmetryEdges {
        /// Index of the symmetry operation, from 0.
        number: usize,
    },
    /// Two symmetry operations do not commute.
    #[error(
        "`mom3d.symmetry.{number}`: it does not commute with a preceding one; remove one of them (perpendicular mirrors and rotations about one axis commute)"
    )]
    SymmetriesDiffer {
        /// Index of the symmetry operation, from 0.
        number: usize,
    },
    /// The dense matrix would exceed the limit.
    #[error(
        "{unknowns} unknowns need a dense matrix of {gibibytes:.0} GiB; the limit is {most} unknowns. Use longer edges, a lower frequency, or `linear_solver = {{ kind = \"aim\" }}`, which stores no matrix"
    )]
    TooManyUnknowns {
        /// Number of basis functions.
        unknowns: usize,
        /// Size of the matrix, GiB.
        gibibytes: f64,
        /// Maximum number of unknowns.
        most: usize,
    },
    /// The matrix is singular or not finite.
    #[error("LU factorization failed: {0}")]
    Factors(FactorError),
    /// The iterative solver failed.
    #[error(transparent)]
    Iteration(KrylovError),
    /// LU factorization on the GPU failed.
    #[error(transparent)]
    GpuFactors(GpuLuError),
    /// A value is outside its range.
    #[error("`{key}` must lie between {least} and {most}, not at {value}")]
    Range {
        /// Key in the problem file.
        key: &'static str,
        /// Value of the key.
        value: f64,
        /// Minimum.
        least: f64,
        /// Maximum.
        most: f64,
    },
    /// The body is too large for phases in single precision.
    #[error(
        "the electrical size kD of the body is {radians:.0}; in single precision on a GPU at most {most:.0} keeps phase errors below 1e-3. Use `--device cpu`"
    )]
    GpuPhases {
        /// Wavenumber times diagonal of the bounding box.
        radians: f64,
        /// Maximum.
        most: f64,
    },
    /// Symmetry was requested on a GPU.
    #[error("symmetry runs on the CPU only; omit `symmetry`, or use `--device cpu`")]
    GpuSymmetry,
    /// The linear solver does not run on a GPU.
    #[error("the linear solver on a GPU is \"lu\"; set `kind = \"lu\"`, or use `--device cpu`")]
    GpuSolver,
    /// A GPU failed or does not support an operation.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The run was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl Classified for Error {
    fn path(&self) -> Option<String> {
        match self {
            Error::Geometry(_) | Error::Mesh(_) | Error::NoEdge => {
                Some("bodies.0.geometry".to_owned())
            }
            Error::Open { .. } => Some("mom3d.equation".to_owned()),
            Error::PortDirection { port } | Error::NoGap { port } => {
                Some(format!("excitation.ports.{port}"))
            }
            Error::SymmetryDirection { number }
            | Error::NotSymmetric { number, .. }
            | Error::SymmetryEdges { number }
            | Error::SymmetriesDiffer { number } => Some(format!("mom3d.symmetry.{number}")),
            Error::TooManyUnknowns { .. } => Some("mom3d.linear_solver".to_owned()),
            _ => None,
        }
    }

    fn class(&self) -> ErrorClass {
        match self {
            Error::Iteration(error) => error.class(),
            Error::GpuFactors(error) => error.class(),
            Error::Device(error) => error.class(),
            Error::Cancelled(error) => error.class(),
            Error::Invalid(_)
            | Error::Aspects(_)
            | Error::Geometry(_)
            | Error::Mesh(_)
            | Error::NoEdge
            | Error::Open { .. }
            | Error::PortDirection { .. }
            | Error::NoGap { .. }
            | Error::SymmetryDirection { .. }
            | Error::NotSymmetric { .. }
            | Error::SymmetryEdges { .. }
            | Error::SymmetriesDiffer { .. }
            | Error::TooManyUnknowns { .. }
            | Error::Factors(_)
            | Error::Range { .. }
            | Error::GpuPhases { .. }
            | Error::GpuSymmetry
            | Error::GpuSolver => ErrorClass::Input,
        }
    }
}

impl From<KrylovError> for Error {
    fn from(error: KrylovError) -> Error {
        match error {
            KrylovError::Cancelled(cancelled) => Error::Cancelled(cancelled),
            other => Error::Iteration(other),
        }
    }
}

impl From<GpuLuError> for Error {
    fn from(error: GpuLuError) -> Error {
        match error {
            GpuLuError::Device(device) => Error::Device(device),
            GpuLuError::Cancelled(cancelled) => Error::Cancelled(cancelled),
            other => Error::GpuFactors(other),
        }
    }
}

impl From<FactorError> for Error {
    fn from(error: FactorError) -> Error {
        match error {
            FactorError::Cancelled(cancelled) => Error::Cancelled(cancelled),
            other => Error::Factors(other),
        }
    }
}
