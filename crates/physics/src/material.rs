//! Materials as specified in problem files.

use num_complex::Complex64;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::exact::sphere::Core;
use crate::medium::Medium;
use crate::quantity::Conductivity;

/// A material: `"pec"`, `"vacuum"`, a medium by its constants, or a surface impedance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Material {
    /// A named material.
    Named(NamedMaterial),
    /// A homogeneous medium, by its constants.
    Medium(MediumSpec),
    /// A surface impedance.
    Surface(SurfaceImpedance),
}

/// An impedance boundary condition: the tangential E is the surface impedance times the surface current.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SurfaceImpedance {
    /// Surface impedance relative to that of vacuum: a number, or [real, imaginary] with a nonnegative real part.
    pub surface_impedance: ComplexNumber,
}

/// Named materials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NamedMaterial {
    /// Perfect electric conductor.
    Pec,
    /// Vacuum.
    Vacuum,
}

/// A homogeneous medium, by its constants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MediumSpec {
    /// Relative permittivity: a number, or [real, imaginary] with loss as a negative imaginary part.
    pub permittivity: ComplexNumber,
    /// Relative permeability; default: 1.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub permeability: ComplexNumber,
    /// Conductivity σ, added to the permittivity as −jσ/(ωε₀).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conductivity: Option<Conductivity>,
}

/// A complex number: `4.0` or `[4.0, -0.5]`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ComplexNumber {
    /// A real number.
    Real(f64),
    /// Real and imaginary part.
    Complex([f64; 2]),
}

impl ComplexNumber {
    /// Returns the number.
    pub fn value(self) -> Complex64 {
        match self {
            ComplexNumber::Real(re) => Complex64::new(re, 0.0),
            ComplexNumber::Complex([re, im]) => Complex64::new(re, im),
        }
    }
}

fn one() -> ComplexNumber {
    ComplexNumber::Real(1.0)
}

fn is_one(number: &ComplexNumber) -> bool {
    number.value() == Complex64::new(1.0, 0.0)
}

/// Errors of material constants.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MaterialError {
    /// The medium is active.
    #[error("{what} {re}{im:+}j is active: with e^(+jωt), loss is a negative imaginary part")]
    Active {
        /// Name of the constant.
        what: &'static str,
        /// Real part.
        re: f64,
        /// Imaginary part.
        im: f64,
    },
    /// A constant is zero or not finite.
    #[error("{what} must be finite and not zero")]
    Degenerate {
        /// Name of the constant.
        what: &'static str,
    },
    /// A surface impedance is active or not finite.
    #[error(
        "the surface impedance {re}{im:+}j is active or not finite; its real part must be nonnegative"
    )]
    ActiveSurface {
        /// Real part.
        re: f64,
        /// Imaginary part.
        im: f64,
    },
    /// A surface impedance where a medium is required.
    #[error("a surface impedance has no interior; use \"pec\" or a medium")]
    NoInterior,
    /// A conductivity is negative.
    #[error("the conductivity must be nonnegative, not {value} S/m")]
    NegativeConductivity {
        /// Value in S/m.
        value: f64,
    },
}

impl Material {
    /// Returns whether this is the PEC.
    pub fn is_pec(&self) -> bool {
        *self == Material::Named(NamedMaterial::Pec)
    }

    /// Returns the material at a frequency in Hz: a PEC, or a medium with its loss.
    ///
    /// # Errors
    /// The medium is active, or this is a surface impedance.
    pub fn core(&self, frequency: f64) -> Result<Core, MaterialError> {
        match self {
            Material::Named(NamedMaterial::Pec) => Ok(Core::Pec),
            Material::Named(NamedMaterial::Vacuum) => Ok(Core::Medium(Medium::VACUUM)),
            Material::Medium(spec) => spec.medium(frequency).map(Core::Medium),
            Material::Surface(_) => Err(MaterialError::NoInterior),
        }
    }

    /// Checks that the material is passive at a frequency in Hz.
    ///
    /// # Errors
    /// The material is active, or a constant is zero or not finite.
    pub fn check(&self, frequency: f64) -> Result<(), MaterialError> {
        match self {
            Material::Surface(surface) => surface.check(),
            _ => self.core(frequency).map(|_| ()),
        }
    }
}

impl SurfaceImpedance {
    fn check(self) -> Result<(), MaterialError> {
        let Complex64 { re, im } = self.surface_impedance.value();
        if re >= 0.0 && re.is_finite() && im.is_finite() {
            Ok(())
        } else {
            Err(MaterialError::ActiveSurface { re, im })
        }
    }
}

impl MediumSpec {
    fn medium(&self, frequency: f64) -> Result<Medium, MaterialError> {
        let conductivity = self.conductivity.map_or(0.0, |c| c.0);
        if conductivity < 0.0 {
            return Err(MaterialError::NegativeConductivity {
                value: conductivity,
            });
        }
        let loss = Medium::conductive(0.0, conductivity, frequency).permittivity;
        let medium = Medium {
            permittivity: self.permittivity.value() + loss,
            permeability: self.permeability.value(),
        };
        for (what, constant) in [
            ("permittivity", medium.permittivity),
            ("permeability", medium.permeability),
        ] {
            if !constant.is_finite() || constant == Complex64::new(0.0, 0.0) {
                return Err(MaterialError::Degenerate { what });
            }
            if constant.im > 0.0 {
                return Err(MaterialError::Active {
                    what,
                    re: constant.re,
                    im: constant.im,
                });
            }
        }
        Ok(medium)
    }
}
