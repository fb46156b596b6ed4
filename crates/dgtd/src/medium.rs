//! Media of the elements.

use wavefield_physics::constants::VACUUM_IMPEDANCE;
use wavefield_physics::material::MediumSpec;

/// A homogeneous medium without dispersion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Medium {
    /// Relative permittivity.
    pub permittivity: f64,
    /// Relative permeability.
    pub permeability: f64,
    /// Electric conductivity times the impedance of vacuum, 1/m.
    pub electric_loss: f64,
    /// Magnetic conductivity over the impedance of vacuum, 1/m.
    pub magnetic_loss: f64,
}

impl Medium {
    /// Empty space.
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

    /// Returns whether waves travel through it without growing.
    pub(crate) fn is_sound(&self) -> bool {
        let positive = |x: f64| x.is_finite() && x > 0.0;
        positive(self.permittivity)
            && positive(self.permeability)
            && self.electric_loss.is_finite()
            && self.electric_loss >= 0.0
    }

    /// The impedance over that of vacuum, √(μ/ε).
    pub fn impedance(&self) -> f64 {
        (self.permeability / self.permittivity).sqrt()
    }

    /// The speed of waves over that in vacuum.
    pub fn speed(&self) -> f64 {
        (self.permeability * self.permittivity).sqrt().recip()
    }
}
