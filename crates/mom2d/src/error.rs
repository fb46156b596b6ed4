//! What can be wrong with a problem for this solver.

use wavefield_gpu::DeviceError;
use wavefield_gpu::lu::GpuLuError;
use wavefield_numerics::dense::FactorError;
use wavefield_numerics::krylov::KrylovError;
use wavefield_numerics::observe::Cancelled;
use wavefield_numerics::special::SpecialError;
use wavefield_physics::aspects::AspectError;
use wavefield_physics::exact::ExactError;
use wavefield_physics::material::MaterialError;
use wavefield_physics::sweep::SweepError;
use wavefield_solver::{Classified, ErrorClass};

/// Why an integral equation cannot be set up or was not solved.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// A sweep cannot be laid out.
    #[error("`{key}`: {source}")]
    Sweep {
        /// The key in the problem file.
        key: &'static str,
        /// Why.
        source: SweepError,
    },
    /// Directions cannot be laid out.
    #[error(transparent)]
    Aspects(#[from] AspectError),
    /// A wave comes in, or is looked at, at an angle to the plane of the cross-sections.
    #[error(
        "`{key}`: waves travel in the plane across the bodies, at theta = 90 deg, not at {degrees} deg; leave theta out"
    )]
    Oblique {
        /// The key in the problem file.
        key: &'static str,
        /// The angle asked for.
        degrees: f64,
    },
    /// A material makes no sense.
    #[error("body {body}: {source}")]
    Material {
        /// Number of the body, the first being 1.
        body: usize,
        /// Why.
        source: MaterialError,
    },
    /// A number that must be positive is not.
    #[error("`{key}` must be positive and finite, not {value}")]
    NotPositive {
        /// The key in the problem file.
        key: &'static str,
        /// Its value in SI units.
        value: f64,
    },
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
    /// There is no body.
    #[error("`bodies` is empty: without a body there is nothing to solve for")]
    NoBody,
    /// A curve has too few points.
    #[error("body {body}: {found} points were given, at least {least} are needed")]
    TooFewPoints {
        /// Number of the body, the first being 1.
        body: usize,
        /// How many there are.
        found: usize,
        /// How many there must be.
        least: usize,
    },
    /// Two points that follow one another are the same.
    #[error("body {body}: points {first} and {} lie in the same place; leave one out", .first + 1)]
    RepeatedPoint {
        /// Number of the body, the first being 1.
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
    /// A body names a mesh, but none was handed over, or the other way round.
    #[error(
        "a body of shape \"mesh\" needs the contour of `mesh`, and a contour needs a body of that shape"
    )]
    MeshMissing,
    /// The mesh has no curve in it, or a bad one.
    #[error("the contour cannot be used: {reason}")]
    BadContour {
        /// Why.
        reason: String,
    },
    /// An open strip was given a material or an equation that needs an inside.
    #[error(
        "body {body} is an open strip: {what} needs a closed curve; a strip is a perfect conductor under the EFIE"
    )]
    OpenBody {
        /// Number of the body, the first being 1.
        body: usize,
        /// What was asked for.
        what: &'static str,
    },
    /// A body of the same medium as the outside.
    #[error("body {body}: a body of vacuum scatters nothing")]
    Nothing {
        /// Number of the body, the first being 1.
        body: usize,
    },
    /// A discretisation was asked for what it cannot do.
    #[error("the method \"{method}\" {reason}")]
    Method {
        /// The method asked for.
        method: &'static str,
        /// Why it cannot be used here.
        reason: &'static str,
    },
    /// More unknowns than a linear solver takes.
    #[error(
        "{unknowns} unknowns are more than the {most} that this `linear_solver` takes: use fewer points per wavelength or a lower frequency, or `kind = \"fast\"`, which takes the most"
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
    /// Plane waves do not carry far through a medium with losses.
    #[error("the fast solver is for media without loss; use the linear solver `lu` or `gmres`")]
    LossyFast,
    /// The fast solver is for panels.
    #[error(
        "the fast solver is for the method `nystrom`; use it, or the linear solver `lu` or `gmres`"
    )]
    FastMethod,
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
    #[error("on a graphics card the solver is \"lu\"; choose it, or the device `cpu`")]
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
            Error::Sweep { .. }
            | Error::Aspects(_)
            | Error::Oblique { .. }
            | Error::Material { .. }
            | Error::NotPositive { .. }
            | Error::Range { .. }
            | Error::NoBody
            | Error::TooFewPoints { .. }
            | Error::RepeatedPoint { .. }
            | Error::Overlap { .. }
            | Error::MeshMissing
            | Error::BadContour { .. }
            | Error::OpenBody { .. }
            | Error::Nothing { .. }
            | Error::Method { .. }
            | Error::TooLarge { .. }
            | Error::Singular { .. }
            | Error::Factors(_)
            | Error::LossyFast
            | Error::FastMethod
            | Error::TooWideForSingle { .. }
            | Error::GpuSolver
            | Error::Special(_)
            | Error::Exact(_) => ErrorClass::Input,
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
