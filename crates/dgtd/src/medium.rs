//! Media of the elements.

use wavefield_physics::constants::VACUUM_IMPEDANCE;
use wavefield_physics::material::MediumSpec;

/// Homogeneous, isotropic, nondispersive medium.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Medium {
    /// Relative permittivity.
    pub permittivity: f64,
    /// Relative permeability.
    pub permeability: f64,
    /// Electric conductivity times the impedance of vacuum, Z₀σ, 1/m.
    pub electric_loss: f64,
    /// Magnetic conductivity over the impedance of vacuum, σ*/Z₀, 1/m.
    pub magnetic_loss: f64,
}

impl Medium {
    /// Vacuum.
    pub const VACUUM: Medium = Medium {
        permittivity: 1.0,
        permeability: 1.0,
        electric_loss: 0.0,
        magnetic_loss: 0.0,
    };

    /// Returns the medium of real constants.
    pub(crate) fn of(constants: &MediumSpec) -> Medium {
        Medium {
            permittivity: constants.permittivity.value().re,
            permeability: constants.permeability.value().re,
            electric_loss: VACUUM_IMPEDANCE * constants.conductivity.map_or(0.0, |c| c.0),
            magnetic_loss: 0.0,
        }
    }

    /// Returns whether the medium is passive: positive, finite constants and a nonnegative conductivity.
    pub(crate) fn is_sound(&self) -> bool {
        let positive = |x: f64| x.is_finite() && x > 0.0;
        positive(self.permittivity)
            && positive(self.permeability)
            && self.electric_loss.is_finite()
            && self.electric_loss >= 0.0
    }

    /// Returns the wave impedance relative to that of vacuum, √(μ/ε).
    pub fn impedance(&self) -> f64 {
        (self.permeability / self.permittivity).sqrt()
    }

    /// Returns the phase velocity relative to that in vacuum, 1/√(με).
    pub fn speed(&self) -> f64 {
        (self.permeability * self.permittivity).sqrt().recip()
    }
}
