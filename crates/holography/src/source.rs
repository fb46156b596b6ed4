//! Sources with known fields: ground truth for holograms.
//!
//! Pressures are complex amplitudes with e^{+jωt}: p(t) = Re(p e^{jωt}). Sources lie at z ≤ 0, arrays at z > 0.

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_physics::exact::piston::Piston;
use wavefield_physics::exact::plate::PlateMode;
use wavefield_physics::exact::sound;
use wavefield_physics::medium::Fluid;

use crate::array::MicrophoneArray;
use crate::error::{Error, positive};
use crate::hologram::Hologram;

/// A source and its position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Source {
    /// Monopole: a small pulsating body.
    Monopole {
        /// Position, m.
        position: [f64; 3],
        /// Volume velocity Q, m³/s.
        volume_velocity: Complex64,
    },
    /// Dipole: a small oscillating body.
    Dipole {
        /// Position, m.
        position: [f64; 3],
        /// Dipole moment D = Qd, m⁴/s.
        moment: [f64; 3],
    },
    /// Circular piston in a rigid baffle at z = 0.
    Piston {
        /// Center in the baffle, m.
        center: [f64; 2],
        /// Radius and velocity.
        piston: Piston,
    },
    /// Simply supported plate in a rigid baffle at z = 0, vibrating in one mode.
    Plate {
        /// Center in the baffle, m.
        center: [f64; 2],
        /// Size, mode, and velocity.
        plate: PlateMode,
    },
}

impl Source {
    /// Estimates the number of operations of the field at one point.
    pub(crate) fn operations(&self) -> f64 {
        match self {
            Self::Monopole { .. } | Self::Dipole { .. } => 1e2,
            Self::Piston { .. } => 1e5,
            Self::Plate { .. } => 3.5e6,
        }
    }

    /// Checks that the field is defined at a point, without computing the field of an extended source.
    ///
    /// # Errors
    /// Returns [`Error::Field`] where the field is undefined.
    pub(crate) fn check(
        &self,
        fluid: &Fluid,
        frequency: f64,
        point: [f64; 3],
    ) -> Result<(), Error> {
        match self {
            Self::Monopole { .. } | Self::Dipole { .. } => {
                self.pressure(fluid, frequency, point)?;
            }
            Self::Piston { center, piston } => {
                let radius = (point[0] - center[0]).hypot(point[1] - center[1]);
                piston.check(fluid, frequency, radius, point[2])?;
            }
            Self::Plate { plate, .. } => {
                plate.check(fluid, frequency, point)?;
            }
        }
        Ok(())
    }

    /// Returns the pressure at a point, Pa.
    ///
    /// # Errors
    /// Returns [`Error::Field`] where the field is undefined.
    pub fn pressure(
        &self,
        fluid: &Fluid,
        frequency: f64,
        point: [f64; 3],
    ) -> Result<Complex64, Error> {
        let from = |origin: [f64; 3]| std::array::from_fn(|i| point[i] - origin[i]);
        Ok(match self {
            Self::Monopole {
                position,
                volume_velocity,
            } => sound::monopole(fluid, *volume_velocity, frequency, from(*position))?.pressure,
            Self::Dipole { position, moment } => {
                sound::dipole(fluid, *moment, frequency, from(*position))?.pressure
            }
            Self::Piston { center, piston } => {
                let radius = (point[0] - center[0]).hypot(point[1] - center[1]);
                piston.pressure(fluid, frequency, radius, point[2])?
            }
            Self::Plate { center, plate } => {
                let corner = [
                    center[0] - plate.size[0] / 2.0,
                    center[1] - plate.size[1] / 2.0,
                    0.0,
                ];
                plate.pressure(fluid, frequency, from(corner))?
            }
        })
    }
}

/// Computes the exact hologram of several sources for an array at height z.
///
/// # Errors
/// Returns [`Error::Field`] where a field is undefined, and [`Error::NotPositive`] for an invalid frequency.
pub fn exact_hologram(
    sources: &[Source],
    fluid: &Fluid,
    array: &MicrophoneArray,
    frequency: f64,
    z: f64,
) -> Result<Hologram, Error> {
    positive("the frequency", frequency)?;
    let pressures = (0..array.channels())
        .into_par_iter()
        .map(|channel| {
            let [x, y] = array.position(channel);
            sources
                .iter()
                .map(|source| source.pressure(fluid, frequency, [x, y, z]))
                .sum()
        })
        .collect::<Result<Vec<Complex64>, Error>>()?;
    Hologram::new(*array, frequency, pressures)
}
