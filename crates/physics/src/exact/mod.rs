//! Analytical solutions, the references that every solver is validated against.
//!
//! | file | solution |
//! |---|---|
//! | `sphere` | PEC, dielectric, and coated spheres with any number of layers (Mie series) |
//! | `cylinder` | PEC and dielectric circular cylinders, TM and TE |
//! | `cylinder_group` | multiple scattering by several parallel cylinders |
//! | `half_plane` | Sommerfeld's half-plane, TM and TE |
//! | `hertzian_dipole` | Hertzian dipole, near and far field |
//! | `sound` | acoustic monopole and dipole |
//! | `piston` | baffled circular piston, near and far field |
//! | `plate` | modes of a simply supported baffled plate |

pub mod cylinder;
pub mod cylinder_group;
pub mod half_plane;
pub mod hertzian_dipole;
pub mod piston;
pub mod plate;
pub mod sound;
pub mod sphere;

/// Errors of analytical solutions.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExactError {
    /// A quantity that must be positive is not.
    #[error("{what} must be positive and finite, not {value}")]
    NotPositive {
        /// Name of the quantity.
        what: &'static str,
        /// Value in SI units.
        value: f64,
    },
    /// The layer radii are not increasing.
    #[error("layer {layer} ends at a radius of {outer} m, inside the previous one at {inner} m")]
    LayersOutOfOrder {
        /// Index of the layer; the core is 0.
        layer: usize,
        /// Outer radius, in m.
        outer: f64,
        /// Inner radius, in m.
        inner: f64,
    },
    /// A medium is active.
    #[error(
        "a medium with {what} = {re}{im:+}j is active; with e^(+jωt), loss is a negative imaginary part"
    )]
    ActiveMedium {
        /// Name of the constant.
        what: &'static str,
        /// Real part.
        re: f64,
        /// Imaginary part.
        im: f64,
    },
    /// The electrical size of the body exceeds the limit of the series.
    #[error("the electrical size k·a of {what} is {size:.1e}; the limit is {most:.0e}")]
    TooLarge {
        /// Name of the oversized part.
        what: &'static str,
        /// Electrical size: wavenumber times length.
        size: f64,
        /// Largest electrical size.
        most: f64,
    },
    /// The observation point is outside the domain of the solution.
    #[error("the observation point is {where_}")]
    Outside {
        /// Position of the point.
        where_: &'static str,
    },
    /// A special function failed.
    #[error(transparent)]
    Special(#[from] wavefield_numerics::special::SpecialError),
}

pub(crate) fn positive(what: &'static str, value: f64) -> Result<f64, ExactError> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(ExactError::NotPositive { what, value })
    }
}

/// Largest electrical size |k|·radius of the interior: ten million steps of the recurrence, 0.1 s.
pub(crate) const MAX_INSIDE: f64 = 1e7;

/// Largest electrical size k·radius of the exterior, which determines the number of partial waves
/// in memory.
pub(crate) const MAX_OUTSIDE: f64 = 1e6;

/// Largest electrical size k·length of a sound source that is integrated by quadrature.
pub(crate) const MAX_SOURCE: f64 = 1e4;

pub(crate) fn limited(what: &'static str, size: f64, most: f64) -> Result<(), ExactError> {
    if size <= most {
        Ok(())
    } else {
        Err(ExactError::TooLarge { what, size, most })
    }
}

pub(crate) fn sounding(fluid: &crate::medium::Fluid) -> Result<(), ExactError> {
    positive("the density", fluid.density)?;
    positive("the speed of sound", fluid.sound_speed)?;
    Ok(())
}

pub(crate) fn passive(medium: &crate::medium::Medium) -> Result<(), ExactError> {
    for (what, constant) in [
        ("permittivity", medium.permittivity),
        ("permeability", medium.permeability),
    ] {
        if constant.im > 0.0 || !constant.is_finite() {
            return Err(ExactError::ActiveMedium {
                what,
                re: constant.re,
                im: constant.im,
            });
        }
    }
    Ok(())
}
