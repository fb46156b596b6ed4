//! Errors of the analytical solver.

use wavefield_numerics::observe::Cancelled;
use wavefield_physics::exact::ExactError;
use wavefield_physics::material::MaterialError;
use wavefield_solver::scene::InvalidSpec;
use wavefield_solver::scene::aspects::AspectError;
use wavefield_solver::{Classified, ErrorClass};

/// Errors of planning and executing an analytical solution.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// The specification is invalid.
    #[error(transparent)]
    Invalid(#[from] InvalidSpec),
    /// The directions of incidence or observation are invalid.
    #[error(transparent)]
    Aspects(#[from] AspectError),
    /// A material is a surface impedance or active.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// The electrical size of the body exceeds the limit of the series.
    #[error(
        "`bodies.0.geometry.radius`: the electrical size ka of the body is {ka:.3e}, the limit of the series is {most:.0e}; reduce the radius or the frequency"
    )]
    TooLarge {
        /// Electrical size ka: circumference in wavelengths.
        ka: f64,
        /// Largest electrical size.
        most: f64,
    },
    /// Evaluation of the series failed.
    #[error(transparent)]
    Series(#[from] ExactError),
    /// The run was canceled.
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
