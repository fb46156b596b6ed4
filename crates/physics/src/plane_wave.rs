//! Plane waves, e^{+jωt}: E(r) = E₀ e^{−jk k̂·r} with k̂ = −r̂ of the direction of incidence.

use num_complex::Complex64;

use crate::direction::Direction;
use wavefield_numerics::vector::{Vector, cross, dot, scaled};

/// A linearly polarized plane wave of unit amplitude.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaneWave {
    /// Direction that the wave is incident from.
    pub from: Direction,
    /// Polarization as (V, H) = (θ̂, φ̂) components.
    pub polarization: (Complex64, Complex64),
    /// Wavenumber, in rad/m.
    pub wavenumber: f64,
}

impl PlaneWave {
    /// Returns the direction of propagation k̂ = −r̂.
    pub fn travel(&self) -> Vector {
        scaled(self.from.unit(), -1.0)
    }

    /// Returns the electric field vector at a point, relative to the amplitude at the origin.
    pub fn field(&self, point: Vector) -> [Complex64; 3] {
        let phase = self.wavenumber * dot(self.from.unit(), point);
        let wave = Complex64::from_polar(1.0, phase);
        let (theta, phi) = (self.from.theta_hat(), self.from.phi_hat());
        std::array::from_fn(|i| {
            (self.polarization.0 * theta[i] + self.polarization.1 * phi[i]) * wave
        })
    }

    /// Returns the magnetic field vector at a point times the wave impedance: ηH = k̂ × E.
    pub fn magnetic_field(&self, point: Vector) -> [Complex64; 3] {
        let electric = self.field(point);
        let travel = self.travel();
        let [re, im] = [electric.map(|z| z.re), electric.map(|z| z.im)];
        let (re, im) = (cross(travel, re), cross(travel, im));
        std::array::from_fn(|i| Complex64::new(re[i], im[i]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phase_falls_along_the_direction_of_travel() {
        let wave = PlaneWave {
            from: Direction::from_degrees(90.0, 0.0),
            polarization: (Complex64::new(1.0, 0.0), Complex64::new(0.0, 0.0)),
            wavenumber: 2.0,
        };
        assert_eq!(wave.travel()[0], -1.0);
        let ahead = wave.field([-0.1, 0.0, 0.0])[2] / wave.field([0.0; 3])[2];
        // Over 0.1 m along the direction of propagation the phase lags by 0.1·k = 0.2 rad.
        assert!((ahead.arg() + 0.2).abs() < 1e-15);
    }

    #[test]
    fn the_field_is_transverse() {
        let wave = PlaneWave {
            from: Direction::new(0.7, 2.1),
            polarization: (Complex64::new(0.3, 0.4), Complex64::new(-0.5, 0.1)),
            wavenumber: 11.0,
        };
        let field = wave.field([0.3, -0.2, 0.9]);
        let k = wave.travel();
        let along: Complex64 = (0..3).map(|i| field[i] * k[i]).sum();
        assert!(along.norm() < 1e-15);
        // The magnetic field is transverse, too, normal to the electric field, and ηH = E in
        // magnitude.
        let magnetic = wave.magnetic_field([0.3, -0.2, 0.9]);
        let across: Complex64 = (0..3).map(|i| field[i] * magnetic[i]).sum();
        let size = |v: [Complex64; 3]| v.iter().map(Complex64::norm_sqr).sum::<f64>();
        assert!(across.norm() < 1e-15);
        assert!((size(field) - size(magnetic)).abs() < 1e-15);
    }
}
