//! What can be wrong with a surface or with what is asked of it.

use wavefield_gpu::DeviceError;
use wavefield_gpu::lu::GpuLuError;
use wavefield_mesh::{MeshError, TargetError};
use wavefield_numerics::dense::FactorError;
use wavefield_numerics::krylov::KrylovError;
use wavefield_numerics::observe::Cancelled;
use wavefield_physics::aspects::AspectError;
use wavefield_physics::sweep::SweepError;
use wavefield_solver::{Classified, ErrorClass};

/// Why an equation on a surface cannot be set up or was not solved.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Frequencies cannot be laid out.
    #[error("`frequency`: {0}")]
    Sweep(#[from] SweepError),
    /// Directions cannot be laid out.
    #[error(transparent)]
    Aspects(#[from] AspectError),
    /// The body has no surface.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// The mesh refers to points that do not exist, or a coordinate is not a finite number.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// A number that must be positive is not.
    #[error("`{key}` must be positive and finite, not {value}")]
    NotPositive {
        /// The key in the problem file.
        key: &'static str,
        /// Its value in SI units.
        value: f64,
    },
    /// A share of an equation is out of its range.
    #[error("`equation.electric` must lie between 0 and 1, not at {value}; 0.5 is a good choice")]
    Share {
        /// Its value.
        value: f64,
    },
    /// There is no edge that a current could cross.
    #[error(
        "the surface has no edge between two triangles, so no current can flow on it; points of neighbours must be the same"
    )]
    NoEdge,
    /// The combined equation on a surface with a rim.
    #[error(
        "`equation`: a combined field needs a closed surface whose triangles agree on the outside; this one has {open} edges without a partner; leave `equation` out to have the electric field there"
    )]
    Open {
        /// Edges with one triangle, more than two, or two that disagree.
        open: usize,
    },
    /// Neither waves nor ports, or both, or half of what either needs.
    #[error(
        "give either `incidence` with `observation`, for scattering, or `ports` with `directions`, for an antenna"
    )]
    Excitation,
    /// A direction without length.
    #[error("`ports[{port}].direction` must point somewhere, not be [0, 0, 0]")]
    PortDirection {
        /// Number of the port, from 0.
        port: usize,
    },
    /// A port that drives nothing.
    #[error(
        "`ports[{port}]`: no current can cross it; the surface must pass through the plane across `direction` within `radius` of `at`, with conductor on both sides"
    )]
    NoGap {
        /// Number of the port, from 0.
        port: usize,
    },
    /// A port with the combined equation.
    #[error(
        "`equation`: ports drive the electric field equation; leave `equation` out or take efie"
    )]
    PortEquation,
    /// A motion without direction.
    #[error("`symmetry[{number}]`: `normal` or `axis` must point somewhere, not be [0, 0, 0]")]
    SymmetryDirection {
        /// Number of the motion, from 0.
        number: usize,
    },
    /// A body that is not its own image.
    #[error(
        "`symmetry[{number}]`: {error}; the mesh must be symmetric about the origin, not the shape alone"
    )]
    NotSymmetric {
        /// Number of the motion, from 0.
        number: usize,
        /// What is missing.
        error: MeshError,
    },
    /// Points have images, but functions do not.
    #[error(
        "`symmetry[{number}]`: every point has an image, but not every triangle and edge: diagonals may run another way, or more than two triangles meet at an edge"
    )]
    SymmetryEdges {
        /// Number of the motion, from 0.
        number: usize,
    },
    /// Motions of which the order matters.
    #[error(
        "`symmetry[{number}]`: it does not commute with one before it; leave one of them out (mirrors across each other and turns about one axis commute)"
    )]
    SymmetriesDiffer {
        /// Number of the motion, from 0.
        number: usize,
    },
    /// Symmetry without factors of a matrix.
    #[error(
        "`symmetry` is for the linear solver \"lu\" on the device `cpu`; leave it out elsewhere"
    )]
    SymmetrySolver,
    /// Points of a near field that make no box.
    #[error(
        "`near_field`: {count:e} points are not possible (1 to {most:e}), nor one where the corners differ or several where they do not"
    )]
    NearField {
        /// Points asked for.
        count: f64,
        /// The most that is accepted.
        most: f64,
    },
    /// More unknowns than a matrix may have.
    #[error(
        "{unknowns} unknowns make a matrix of {gibibytes:.0} GiB; at most {most} unknowns are possible: use longer edges, a lower frequency, or `linear_solver = {{ kind = \"fft\" }}`, which keeps no matrix"
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
    fn class(&self) -> ErrorClass {
        match self {
            Error::Iteration(error) => error.class(),
            Error::GpuFactors(error) => error.class(),
            Error::Device(error) => error.class(),
            Error::Cancelled(error) => error.class(),
            Error::Sweep(_)
            | Error::Aspects(_)
            | Error::Target(_)
            | Error::Mesh(_)
            | Error::NotPositive { .. }
            | Error::Share { .. }
            | Error::NoEdge
            | Error::Open { .. }
            | Error::Excitation
            | Error::PortDirection { .. }
            | Error::NoGap { .. }
            | Error::PortEquation
            | Error::SymmetryDirection { .. }
            | Error::NotSymmetric { .. }
            | Error::SymmetryEdges { .. }
            | Error::SymmetriesDiffer { .. }
            | Error::SymmetrySolver
            | Error::NearField { .. }
            | Error::TooManyUnknowns { .. }
            | Error::Factors(_)
            | Error::Range { .. }
            | Error::GpuPhases { .. }
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

/// A number that must be positive, or why it is not.
pub(crate) fn positive(key: &'static str, value: f64) -> Result<f64, Error> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(Error::NotPositive { key, value })
    }
}
