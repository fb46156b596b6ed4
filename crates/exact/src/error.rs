//! Errors of this solver.

use wavefield_numerics::observe::Cancelled;
use wavefield_physics::exact::ExactError;
use wavefield_physics::material::MaterialError;
use wavefield_solver::scene::InvalidSpec;
use wavefield_solver::scene::aspects::AspectError;
use wavefield_solver::{Classified, ErrorClass};

/// Why an exact problem cannot be planned or did not finish.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// The specification is not valid.
    #[error(transparent)]
    Invalid(#[from] InvalidSpec),
    /// Directions cannot be laid out.
    #[error(transparent)]
    Aspects(#[from] AspectError),
    /// A material has no interior or is not passive.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// The body is so large in wavelengths that the series is no longer trusted.
    #[error(
        "`bodies.0.geometry.radius`: the body has ka = {ka:.3e}; the series is trusted up to {most:.0e}"
    )]
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
            Error::Invalid(_)
            | Error::Aspects(_)
            | Error::Material(_)
            | Error::TooLarge { .. }
            | Error::Series(_) => ErrorClass::Input,
        }
    }

    fn path(&self) -> Option<String> {
        match self {
            Error::TooLarge { .. } => Some("bodies.0.geometry.radius".to_owned()),
            Error::Material(_) => Some("bodies.0.material".to_owned()),
            _ => None,
        }
    }
}
