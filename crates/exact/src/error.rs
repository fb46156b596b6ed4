//! What can be wrong with a problem for this solver.

use wavefield_numerics::observe::Cancelled;
use wavefield_physics::aspects::AspectError;
use wavefield_physics::exact::ExactError;
use wavefield_physics::material::MaterialError;
use wavefield_physics::sweep::SweepError;
use wavefield_solver::{Classified, ErrorClass};

/// Why an exact problem cannot be planned or did not finish.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// Directions cannot be laid out.
    #[error(transparent)]
    Aspects(#[from] AspectError),
    /// A sweep cannot be laid out.
    #[error("`{key}`: {source}")]
    Sweep {
        /// The key in the problem file.
        key: &'static str,
        /// Why.
        source: SweepError,
    },
    /// A material makes no sense.
    #[error("`{key}`: {source}")]
    Material {
        /// The key in the problem file.
        key: &'static str,
        /// Why.
        source: MaterialError,
    },
    /// A coat is said to be a conductor.
    #[error(
        "`target.coats`: a coat cannot be a perfect conductor: what is below it would not be seen"
    )]
    ConductingCoat,
    /// A length or a frequency is not positive.
    #[error("`{key}` must be positive, not {value}")]
    NotPositive {
        /// The key in the problem file.
        key: &'static str,
        /// Its value in SI units.
        value: f64,
    },
    /// A cylinder is lit at an angle to its normal.
    #[error(
        "`{key}`: a cylinder along z is lit and seen at theta = 90 deg, not at {degrees} deg; leave theta out"
    )]
    ObliqueCylinder {
        /// The key in the problem file.
        key: &'static str,
        /// The angle asked for.
        degrees: f64,
    },
    /// The body is made of nothing.
    #[error("`target.material`: a body of vacuum scatters nothing")]
    Nothing,
    /// The body is so large in wavelengths that the series is no longer trusted.
    #[error("`target.radius`: the body has ka = {ka:.3e}; the series is trusted up to {most:.0e}")]
    TooLarge {
        /// Circumference in wavelengths.
        ka: f64,
        /// The largest that is accepted.
        most: f64,
    },
    /// The series failed.
    #[error(transparent)]
    Series(#[from] ExactError),
    /// The run was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl Classified for Error {
    fn class(&self) -> ErrorClass {
        match self {
            Error::Cancelled(error) => error.class(),
            Error::Aspects(_)
            | Error::Sweep { .. }
            | Error::Material { .. }
            | Error::ConductingCoat
            | Error::NotPositive { .. }
            | Error::ObliqueCylinder { .. }
            | Error::Nothing
            | Error::TooLarge { .. }
            | Error::Series(_) => ErrorClass::Input,
        }
    }
}
