//! Media of propagation: electromagnetic media and fluids.

use num_complex::Complex64;

use crate::constants::{
    VACUUM_IMPEDANCE, VACUUM_PERMITTIVITY, angular_frequency, vacuum_wavenumber,
};

/// A homogeneous isotropic electromagnetic medium at one frequency. Loss is a negative imaginary
/// part (time dependence e^{+jωt}).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Medium {
    /// Relative permittivity ε′ − jε″.
    pub permittivity: Complex64,
    /// Relative permeability µ′ − jµ″.
    pub permeability: Complex64,
}

impl Medium {
    /// Vacuum.
    pub const VACUUM: Medium = Medium {
        permittivity: Complex64::new(1.0, 0.0),
        permeability: Complex64::new(1.0, 0.0),
    };

    /// Creates a medium from a real permittivity and a conductivity in S/m: ε = ε′ − jσ/(ωε₀).
    pub fn conductive(permittivity: f64, conductivity: f64, frequency: f64) -> Medium {
        Medium {
            permittivity: Complex64::new(
                permittivity,
                -conductivity / (angular_frequency(frequency) * VACUUM_PERMITTIVITY),
            ),
            permeability: Complex64::new(1.0, 0.0),
        }
    }

    /// Returns the refractive index √(εµ) on the decaying branch, Im ≤ 0.
    pub fn refractive_index(&self) -> Complex64 {
        // √ε·√µ, each on its principal branch, instead of √(εµ): for passive ε and µ both roots are
        // in the fourth quadrant, so the product has Im ≤ 0, also for ε, µ < 0.
        passive_root(self.permittivity) * passive_root(self.permeability)
    }

    /// Returns the wave impedance √(µ/ε) relative to vacuum.
    pub fn relative_impedance(&self) -> Complex64 {
        passive_root(self.permeability) / passive_root(self.permittivity)
    }

    /// Returns the wavenumber in rad/m at a frequency in Hz.
    pub fn wavenumber(&self, frequency: f64) -> Complex64 {
        self.refractive_index() * vacuum_wavenumber(frequency)
    }

    /// Returns the wave impedance in Ω.
    pub fn impedance(&self) -> Complex64 {
        self.relative_impedance() * VACUUM_IMPEDANCE
    }
}

/// Returns the square root with Im ≤ 0: −j√|x| for a negative real number.
pub(crate) fn passive_root(value: Complex64) -> Complex64 {
    let root = value.sqrt();
    if root.im > 0.0 { -root } else { root }
}

/// A fluid, the medium of sound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fluid {
    /// Density, in kg/m³.
    pub density: f64,
    /// Speed of sound, in m/s.
    pub sound_speed: f64,
}

impl Fluid {
    /// Air at 20 °C and sea level.
    pub const AIR: Fluid = Fluid {
        density: 1.204,
        sound_speed: 343.0,
    };

    /// Returns the wavenumber ω/c in rad/m.
    pub fn wavenumber(&self, frequency: f64) -> f64 {
        angular_frequency(frequency) / self.sound_speed
    }

    /// Returns the characteristic impedance ρc in Pa·s/m.
    pub fn impedance(&self) -> f64 {
        self.density * self.sound_speed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waves_decay_in_lossy_media() {
        for (e, m) in [
            ((4.0, 0.0), (1.0, 0.0)),
            ((2.5, -0.5), (1.5, -0.2)),
            ((-5.0, 0.0), (1.0, 0.0)),
            ((-2.0, 0.0), (-3.0, 0.0)),
            ((1.0, -1e6), (1.0, 0.0)),
        ] {
            let medium = Medium {
                permittivity: Complex64::new(e.0, e.1),
                permeability: Complex64::new(m.0, m.1),
            };
            let n = medium.refractive_index();
            assert!(n.im <= 0.0, "{medium:?} {n}");
            let square = medium.permittivity * medium.permeability;
            assert!((n * n - square).norm() <= 1e-14 * square.norm());
        }
    }

    #[test]
    fn skin_depth_of_a_good_conductor() {
        // δ = √(2/ωµσ) for σ ≫ ωε; copper at 1 GHz: 2.06 µm.
        let copper = Medium::conductive(1.0, 5.96e7, 1e9);
        let depth = -1.0 / copper.wavenumber(1e9).im;
        assert!((depth - 2.0616e-6).abs() < 1e-9, "{depth}");
    }
}
