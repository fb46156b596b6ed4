//! Exact solutions: what every solver of the program is held against.
//!
//! | file | solution |
//! |---|---|
//! | `sphere` | PEC, dielectric and coated spheres (Mie series with any number of layers) |
//! | `cylinder` | PEC and dielectric circular cylinders, TM and TE |
//! | `cylinder_group` | several of them side by side |
//! | `half_plane` | Sommerfeld's half-plane, TM and TE |
//! | `hertzian_dipole` | short electric dipole, near and far |
//! | `sound` | acoustic monopole and dipole |
//! | `piston` | circular piston in a baffle, anywhere in front of it |
//! | `plate` | modes of a simply supported plate in a baffle |

pub mod cylinder;
pub mod cylinder_group;
pub mod half_plane;
pub mod hertzian_dipole;
pub mod piston;
pub mod plate;
pub mod sound;
pub mod sphere;

/// Why an exact solution cannot be evaluated as asked.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExactError {
    /// A length, frequency or other number that must be positive is not.
    #[error("{what} must be positive and finite, not {value}")]
    NotPositive {
        /// What the number is.
        what: &'static str,
        /// Its value in SI units.
        value: f64,
    },
    /// Layers do not grow outwards.
    #[error("layer {layer} ends at a radius of {outer} m, inside the previous one at {inner} m")]
    LayersOutOfOrder {
        /// Number of the layer, the core being 0.
        layer: usize,
        /// Its outer radius.
        outer: f64,
        /// The radius it starts at.
        inner: f64,
    },
    /// A medium would create energy.
    #[error(
        "a medium with {what} = {re}{im:+}j creates energy: with e^(+jωt) loss is a negative imaginary part"
    )]
    ActiveMedium {
        /// Which of its constants.
        what: &'static str,
        /// Real part.
        re: f64,
        /// Imaginary part.
        im: f64,
    },
    /// The body is larger in wavelengths than the series is good for.
    #[error("{what} is {size:.1e} radians of phase across; at most {most:.0e} are possible")]
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// Wavenumber times length.
        size: f64,
        /// The most that is accepted.
        most: f64,
    },
    /// The point lies where the solution is not defined.
    #[error("the point lies {where_}")]
    Outside {
        /// Where it lies.
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

/// Largest phase |k|·radius inside a medium: ten million steps of recurrence, a tenth of a second.
pub(crate) const MOST_INSIDE: f64 = 1e7;

/// Largest phase k·radius outside, which decides the number of partial waves held in memory.
pub(crate) const MOST_OUTSIDE: f64 = 1e6;

/// Largest phase k·length of a sound source whose integral is done by quadrature.
pub(crate) const MOST_SOURCE: f64 = 1e4;

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
