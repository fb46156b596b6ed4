//! What the elements are made of.

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

    /// The impedance over that of vacuum, √(μ/ε).
    pub fn impedance(&self) -> f64 {
        (self.permeability / self.permittivity).sqrt()
    }

    /// The speed of waves over that in vacuum.
    pub fn speed(&self) -> f64 {
        (self.permeability * self.permittivity).sqrt().recip()
    }
}
