//! What can be wrong with a surface or with what is asked of it.

use wavefield_gpu::DeviceError;
use wavefield_gpu::lu::GpuLuError;
use wavefield_mesh::MeshError;
use wavefield_numerics::dense::FactorError;
use wavefield_numerics::krylov::KrylovError;
use wavefield_numerics::observe::Cancelled;
use wavefield_solver::scene::aspects::AspectError;
use wavefield_solver::scene::{GeometryError, InvalidSpec};
use wavefield_solver::{Classified, ErrorClass};

/// Why an equation on a surface cannot be set up or was not solved.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The specification is not valid.
    #[error(transparent)]
    Invalid(#[from] InvalidSpec),
    /// Directions cannot be laid out.
    #[error(transparent)]
    Aspects(#[from] AspectError),
    /// The body has no surface.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// The mesh refers to points that do not exist, or a coordinate is not a finite number.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// There is no edge that a current could cross.
    #[error(
        "the surface has no edge between two triangles, so no current can flow on it; points of neighbours must be the same"
    )]
    NoEdge,
    /// The combined equation on a surface with a rim.
    #[error(
        "the CFIE needs a closed, consistently oriented surface; found {open} open or inconsistent edges. Use `efie`, or omit `equation`"
    )]
    Open {
        /// Edges with one triangle, more than two, or two that disagree.
        open: usize,
    },
    /// A direction without length.
    #[error("`excitation.ports.{port}.direction` must not be [0, 0, 0]")]
    PortDirection {
        /// Number of the port, from 0.
        port: usize,
    },
    /// A port that drives nothing.
    #[error(
        "`excitation.ports.{port}`: the delta-gap plane does not intersect the conductor within `radius` of `position`"
    )]
    NoGap {
        /// Number of the port, from 0.
        port: usize,
    },
    /// A motion without direction.
    #[error("`mom3d.symmetry.{number}`: `normal` or `axis` must not be [0, 0, 0]")]
    SymmetryDirection {
        /// Number of the motion, from 0.
        number: usize,
    },
    /// A body that is not its own image.
    #[error(
        "`mom3d.symmetry.{number}`: {error}; the mesh must be symmetric about the origin, not the shape alone"
    )]
    NotSymmetric {
        /// Number of the motion, from 0.
        number: usize,
        /// What is missing.
        error: MeshError,
    },
    /// Points have images, but functions do not.
    #[error(
        "`mom3d.symmetry.{number}`: every point has an image, but not every triangle and edge: diagonals may run another way, or more than two triangles meet at an edge"
    )]
    SymmetryEdges {
        /// Number of the motion, from 0.
        number: usize,
    },
    /// Motions of which the order matters.
    #[error(
        "`mom3d.symmetry.{number}`: it does not commute with one before it; leave one of them out (mirrors across each other and turns about one axis commute)"
    )]
    SymmetriesDiffer {
        /// Number of the motion, from 0.
        number: usize,
    },
    /// More unknowns than a matrix may have.
    #[error(
        "{unknowns} unknowns make a matrix of {gibibytes:.0} GiB; at most {most} unknowns are possible: use longer edges, a lower frequency, or `linear_solver = {{ kind = \"aim\" }}`, which stores no matrix"
    )]
    TooManyUnknowns {
        /// Edges between triangles.
        unknowns: usize,
        /// What the matrix would take.
        gibibytes: f64,
        /// The most that is accepted.
        most: usize,
    },
    /// The matrix cannot be factored.
    #[error("the equation cannot be solved: {0}")]
    Factors(FactorError),
    /// The iteration did not reach a solution.
    #[error(transparent)]
    Iteration(KrylovError),
    /// A GPU cannot factor the matrix.
    #[error(transparent)]
    GpuFactors(GpuLuError),
    /// A number is outside its range.
    #[error("`{key}` must lie between {least} and {most}, not at {value}")]
    Range {
        /// The key in the problem file.
        key: &'static str,
        /// Its value.
        value: f64,
        /// The least that is accepted.
        least: f64,
        /// The most that is accepted.
        most: f64,
    },
    /// A body too large for phases of single precision.
    #[error(
        "the body is {radians:.0} radians across; on a graphics card at most {most:.0} keep phases of single precision to a thousandth: choose the device `cpu`"
    )]
    GpuPhases {
        /// Wavenumber times diagonal.
        radians: f64,
        /// The most that is accepted.
        most: f64,
    },
    /// Symmetry on a GPU.
    #[error("symmetry runs on the CPU only; omit `symmetry`, or use `--device cpu`")]
    GpuSymmetry,
    /// A linear solver that does not run on a GPU.
    #[error("on a graphics card the solver is \"lu\"; choose it, or the device `cpu`")]
    GpuSolver,
    /// A GPU failed or cannot do what is asked.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// Stopped on request.
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
