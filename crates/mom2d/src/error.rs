//! Errors of this solver.

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

/// Why an integral equation cannot be set up or was not solved.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// The specification is not valid.
    #[error(transparent)]
    Invalid(#[from] InvalidSpec),
    /// Directions cannot be laid out.
    #[error(transparent)]
    Aspects(#[from] AspectError),
    /// A material has no interior or is not passive.
    #[error("`bodies.{body}.material`: {source}")]
    Material {
        /// Index of the body.
        body: usize,
        /// Why.
        source: MaterialError,
    },
    /// A curve of a mesh has too few points.
    #[error(
        "`bodies.{body}.geometry`: a curve of the mesh has {found} points, at least {least} are needed"
    )]
    TooFewPoints {
        /// Index of the body.
        body: usize,
        /// How many there are.
        found: usize,
        /// How many there must be.
        least: usize,
    },
    /// Two points that follow one another are the same.
    #[error(
        "`bodies.{body}.geometry`: points {first} and {} lie in the same place; leave one out", .first + 1
    )]
    RepeatedPoint {
        /// Index of the body.
        body: usize,
        /// Number of the first of the two, the first being 1.
        first: usize,
    },
    /// Two bodies cross, touch or lie within one another.
    #[error(
        "bodies {first} and {second} overlap or one lies within the other; each body must stand free in the outer medium"
    )]
    Overlap {
        /// Number of one body, the first being 1.
        first: usize,
        /// Number of the other.
        second: usize,
    },
    /// The contour of a mesh was not handed over.
    #[error("`bodies.{body}.geometry`: a body of shape \"mesh\" needs the contour of its file")]
    MeshMissing {
        /// Index of the body.
        body: usize,
    },
    /// The mesh has no curve in it, or a bad one.
    #[error("`bodies.{body}.geometry`: the contour cannot be used: {reason}")]
    BadContour {
        /// Index of the body.
        body: usize,
        /// Why.
        reason: String,
    },
    /// An open curve of a mesh was given a material or an equation that needs an inside.
    #[error(
        "`bodies.{body}.geometry`: the mesh has an open curve, and {what} needs closed curves; an open curve is a perfect conductor under the EFIE"
    )]
    OpenBody {
        /// Index of the body.
        body: usize,
        /// What was asked for.
        what: &'static str,
    },
    /// A body of the same medium as the outside.
    #[error("`bodies.{body}.material`: a body of vacuum scatters nothing")]
    Nothing {
        /// Index of the body.
        body: usize,
    },
    /// More unknowns than a linear solver takes.
    #[error(
        "{unknowns} unknowns are more than the {most} that this linear solver takes: use fewer points per wavelength, a lower frequency, or `mom2d.linear_solver = {{ kind = \"mlfma\" }}`, which takes the most"
    )]
    TooLarge {
        /// Number of unknowns.
        unknowns: usize,
        /// The most that is accepted.
        most: usize,
    },
    /// A pivot is zero.
    #[error(
        "the matrix is singular at unknown {index}: the equation has no unique solution here, use the CFIE"
    )]
    Singular {
        /// Number of the unknown.
        index: usize,
    },
    /// The matrix cannot be factored for another reason.
    #[error(transparent)]
    Factors(FactorError),
    /// The iteration did not reach a solution.
    #[error(transparent)]
    Iteration(KrylovError),
    /// A GPU cannot factor the matrix or solve with its factors.
    #[error(transparent)]
    GpuFactors(GpuLuError),
    /// Phases between the ends of the bodies are not to be had in single precision.
    #[error(
        "the bodies are {radians:.0} radians across, and phases of single precision hold to {most:.0}; use refined solutions"
    )]
    TooWideForSingle {
        /// Wavenumber times the diagonal of the box around all nodes.
        radians: f64,
        /// The most that is accepted.
        most: f64,
    },
    /// A linear solver that does not run on a GPU.
    #[error("the GPU supports the linear solver \"lu\" only; set it, or the device `cpu`")]
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
    /// The run was stopped.
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
            | Error::Overlap { .. }
            | Error::MeshMissing { .. }
            | Error::BadContour { .. }
            | Error::OpenBody { .. }
            | Error::Nothing { .. }
            | Error::TooLarge { .. }
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
            | Error::MeshMissing { body }
            | Error::BadContour { body, .. }
            | Error::OpenBody { body, .. } => Some(format!("bodies.{body}.geometry")),
            Error::TooLarge { .. } => Some("mom2d.method".to_owned()),
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
