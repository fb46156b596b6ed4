//! Materials as problem files state them.

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
    /// A material known by name.
    Named(NamedMaterial),
    /// A homogeneous medium by its constants.
    Medium(MediumSpec),
    /// A surface impedance.
    Surface(SurfaceImpedance),
}

/// A surface on which the tangential E is the surface impedance times the surface current.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SurfaceImpedance {
    /// Surface impedance relative to that of vacuum: a number, or [real, imaginary] with a real part that is not negative.
    pub surface_impedance: ComplexNumber,
}

/// Materials known by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NamedMaterial {
    /// Perfect electric conductor.
    Pec,
    /// Vacuum.
    Vacuum,
}

/// A homogeneous medium by its constants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MediumSpec {
    /// Relative permittivity: a number, or [real, imaginary] with loss as a negative imaginary part.
    pub permittivity: ComplexNumber,
    /// Relative permeability, 1 if left out.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub permeability: ComplexNumber,
    /// Conductivity, added to the permittivity as −jσ/(ωε0).
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
    /// The number itself.
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

/// Why a material makes no sense.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MaterialError {
    /// The material would amplify waves.
    #[error(
        "{what} {re}{im:+}j has a positive imaginary part, which would create energy; loss is negative here"
    )]
    Active {
        /// Which constant.
        what: &'static str,
        /// Real part.
        re: f64,
        /// Imaginary part.
        im: f64,
    },
    /// A constant is zero or not finite.
    #[error("{what} must be finite and not zero")]
    Degenerate {
        /// Which constant.
        what: &'static str,
    },
    /// A surface impedance would amplify waves, or is not finite.
    #[error(
        "a surface impedance of {re}{im:+}j is not finite or has a negative real part, which would create energy"
    )]
    ActiveSurface {
        /// Real part.
        re: f64,
        /// Imaginary part.
        im: f64,
    },
    /// A surface impedance where a medium is needed.
    #[error("a surface impedance has no interior; take \"pec\" or a medium")]
    NoInterior,
    /// A conductivity is negative.
    #[error("a conductivity of {value} S/m would create energy")]
    NegativeConductivity {
        /// Its value in S/m.
        value: f64,
    },
}

impl Material {
    /// Returns whether this is the perfect electric conductor.
    pub fn is_pec(&self) -> bool {
        *self == Material::Named(NamedMaterial::Pec)
    }

    /// Returns the material at a frequency in Hz: a conductor, or a medium with its loss.
    ///
    /// # Errors
    /// The constants are not those of a passive medium, or this is a surface impedance.
    pub fn core(&self, frequency: f64) -> Result<Core, MaterialError> {
        match self {
            Material::Named(NamedMaterial::Pec) => Ok(Core::Pec),
            Material::Named(NamedMaterial::Vacuum) => Ok(Core::Medium(Medium::VACUUM)),
            Material::Medium(spec) => spec.medium(frequency).map(Core::Medium),
            Material::Surface(_) => Err(MaterialError::NoInterior),
        }
    }

    /// Requires the material to be passive at a frequency in Hz.
    ///
    /// # Errors
    /// It would amplify waves, or a constant is zero or not finite.
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
