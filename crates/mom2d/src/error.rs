//! Errors of the 2-D method of moments.

use wavefield_gpu::DeviceError;
use wavefield_gpu::lu::GpuLuError;
use wavefield_numerics::dense::FactorError;
use wavefield_numerics::krylov::KrylovError;
use wavefield_numerics::observe::Cancelled;
use wavefield_numerics::special::SpecialError;
use wavefield_physics::exact::ExactError;
use wavefield_physics::material::MaterialError;
use wavefield_solver::scene::InvalidSpec;
use wavefield_solver::scene::aspects::AspectError;
use wavefield_solver::{Classified, ErrorClass};

/// Reason why a problem cannot be set up or solved.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// The specification is invalid.
    #[error(transparent)]
    Invalid(#[from] InvalidSpec),
    /// The directions of the sweep are invalid.
    #[error(transparent)]
    Aspects(#[from] AspectError),
    /// A material has no interior or is not passive.
    #[error("`bodies.{body}.material`: {source}")]
    Material {
        /// Index of the body.
        body: usize,
        /// Reason.
        source: MaterialError,
    },
    /// A curve of a mesh has too few points.
    #[error(
        "`bodies.{body}.geometry`: a curve of the mesh has {found} points; at least {least} are needed"
    )]
    TooFewPoints {
        /// Index of the body.
        body: usize,
        /// Number of points.
        found: usize,
        /// Minimum number of points.
        least: usize,
    },
    /// Two consecutive points coincide.
    #[error(
        "`bodies.{body}.geometry`: points {first} and {} coincide; remove one of them", .first + 1
    )]
    RepeatedPoint {
        /// Index of the body.
        body: usize,
        /// Index of the first of the two points, from 1.
        first: usize,
    },
    /// A curve crosses itself.
    #[error(
        "`bodies.{body}.geometry`: the curve crosses itself near ({x:.4}, {y:.4}) m; order the points along the outline"
    )]
    SelfIntersection {
        /// Index of the body.
        body: usize,
        /// Position of the crossing, m.
        x: f64,
        /// Position of the crossing, m.
        y: f64,
    },
    /// Two bodies cross, touch, or are nested.
    #[error("bodies {first} and {second} overlap or are nested; separate them by the outer medium")]
    Overlap {
        /// Index of one body, from 1.
        first: usize,
        /// Index of the other body, from 1.
        second: usize,
    },
    /// The contour of a mesh was not supplied.
    #[error("`bodies.{body}.geometry`: a body of shape \"mesh\" needs the contour of its file")]
    MeshMissing {
        /// Index of the body.
        body: usize,
    },
    /// The mesh has no usable curve.
    #[error("`bodies.{body}.geometry`: the contour is invalid: {reason}")]
    BadContour {
        /// Index of the body.
        body: usize,
        /// Reason.
        reason: String,
    },
    /// An open curve of a mesh has a material or an equation that needs a closed curve.
    #[error(
        "`bodies.{body}.geometry`: the mesh has an open curve, and {what} needs closed curves; close the curve, or set `material = \"pec\"` and `kind = \"efie\"`"
    )]
    OpenBody {
        /// Index of the body.
        body: usize,
        /// Feature that needs closed curves.
        what: &'static str,
    },
    /// The body has the medium of the outside.
    #[error("`bodies.{body}.material`: a body of vacuum scatters nothing")]
    Nothing {
        /// Index of the body.
        body: usize,
    },
    /// The number of unknowns exceeds the limit of the linear solver.
    #[error(
        "{unknowns:.1e} unknowns exceed the limit of this linear solver, {most}; reduce `points_per_wavelength` or the frequency, or set `mom2d.linear_solver = {{ kind = \"mlfma\" }}`, which has the highest limit"
    )]
    TooLarge {
        /// Number of unknowns, or a lower bound of it.
        unknowns: f64,
        /// Maximum.
        most: usize,
    },
    /// The unknowns do not fit into the memory.
    #[error(
        "insufficient memory: {unknowns:.1e} unknowns need at least {gibibytes:.1} GiB; reduce `points_per_wavelength` or the frequency"
    )]
    Memory {
        /// Lower bound of the number of unknowns.
        unknowns: f64,
        /// Memory, GiB.
        gibibytes: f64,
    },
    /// The matrix is singular: a pivot is zero.
    #[error(
        "the matrix is singular at unknown {index}: the equation has no unique solution; use the CFIE"
    )]
    Singular {
        /// Index of the unknown.
        index: usize,
    },
    /// LU factorization failed for another reason.
    #[error(transparent)]
    Factors(FactorError),
    /// The iterative solver failed.
    #[error(transparent)]
    Iteration(KrylovError),
    /// LU factorization or substitution on the GPU failed.
    #[error(transparent)]
    GpuFactors(GpuLuError),
    /// The bodies are too large for phases in single precision.
    #[error(
        "the electrical size kD of the bodies is {radians:.0}; in single precision on a GPU at most {most:.0} keeps phase errors below 1e-3. Use refined solutions"
    )]
    TooWideForSingle {
        /// Wavenumber times the diagonal of the bounding box of all nodes.
        radians: f64,
        /// Maximum.
        most: f64,
    },
    /// The linear solver does not run on a GPU.
    #[error("the linear solver on a GPU is \"lu\"; set `kind = \"lu\"`, or use `--device cpu`")]
    GpuSolver,
    /// A GPU failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// A special function failed.
    #[error(transparent)]
    Special(#[from] SpecialError),
    /// An exact solution failed.
    #[error(transparent)]
    Exact(#[from] ExactError),
    /// The run was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl Classified for Error {
    fn class(&self) -> ErrorClass {
        match self {
            Error::Iteration(error) => error.class(),
            Error::GpuFactors(error) => error.class(),
            Error::Device(error) => error.class(),
            Error::Cancelled(error) => error.class(),
            Error::Invalid(_)
            | Error::Aspects(_)
            | Error::Material { .. }
            | Error::TooFewPoints { .. }
            | Error::RepeatedPoint { .. }
            | Error::SelfIntersection { .. }
            | Error::Overlap { .. }
            | Error::MeshMissing { .. }
            | Error::BadContour { .. }
            | Error::OpenBody { .. }
            | Error::Nothing { .. }
            | Error::TooLarge { .. }
            | Error::Memory { .. }
            | Error::Singular { .. }
            | Error::Factors(_)
            | Error::TooWideForSingle { .. }
            | Error::GpuSolver
            | Error::Special(_)
            | Error::Exact(_) => ErrorClass::Input,
        }
    }

    fn path(&self) -> Option<String> {
        match self {
            Error::Material { body, .. } | Error::Nothing { body } => {
                Some(format!("bodies.{body}.material"))
            }
            Error::TooFewPoints { body, .. }
            | Error::RepeatedPoint { body, .. }
            | Error::SelfIntersection { body, .. }
            | Error::MeshMissing { body }
            | Error::BadContour { body, .. }
            | Error::OpenBody { body, .. } => Some(format!("bodies.{body}.geometry")),
            Error::TooLarge { .. } | Error::Memory { .. } => Some("mom2d.method".to_owned()),
            Error::GpuSolver => Some("mom2d.linear_solver".to_owned()),
            Error::Singular { .. } => Some("mom2d.equation".to_owned()),
            _ => None,
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
            GpuLuError::Singular { index } => Error::Singular { index },
            GpuLuError::Device(device) => Error::Device(device),
            GpuLuError::Cancelled(cancelled) => Error::Cancelled(cancelled),
            other => Error::GpuFactors(other),
        }
    }
}
