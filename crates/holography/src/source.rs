//! Sources of sound with known fields, placed in space: the ground truth holograms are held against.
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

/// A source of sound and where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Source {
    /// A small pulsating body.
    Monopole {
        /// Where it is, metres.
        position: [f64; 3],
        /// Volume velocity Q, m³/s.
        volume_velocity: Complex64,
    },
    /// A small oscillating body.
    Dipole {
        /// Where it is, metres.
        position: [f64; 3],
        /// Moment D = Qd, m⁴/s.
        moment: [f64; 3],
    },
    /// A circular piston in a rigid baffle at z = 0.
    Piston {
        /// Its centre in the baffle, metres.
        centre: [f64; 2],
        /// Radius and velocity.
        piston: Piston,
    },
    /// A simply supported plate in a rigid baffle at z = 0, vibrating in one of its modes.
    Plate {
        /// Its centre in the baffle, metres.
        centre: [f64; 2],
        /// Size, mode and velocity.
        plate: PlateMode,
    },
}

impl Source {
    /// Operations of its field at a point, roughly: a formula, an integral over a circle, one over a plate.
    pub(crate) fn operations(&self) -> f64 {
        match self {
            Self::Monopole { .. } | Self::Dipole { .. } => 1e2,
            Self::Piston { .. } => 1e5,
            Self::Plate { .. } => 1e6,
        }
    }

    /// Pressure at a point, Pa.
    ///
    /// # Errors
    /// [`Error::Field`] where the field is not defined.
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
            Self::Piston { centre, piston } => {
                let radius = (point[0] - centre[0]).hypot(point[1] - centre[1]);
                piston.pressure(fluid, frequency, radius, point[2])?
            }
            Self::Plate { centre, plate } => {
                let corner = [
                    centre[0] - plate.size[0] / 2.0,
                    centre[1] - plate.size[1] / 2.0,
                    0.0,
                ];
                plate.pressure(fluid, frequency, from(corner))?
            }
        })
    }
}

/// The pressure of several sources on the grid of an array held at height z: an exact hologram.
///
/// # Errors
/// [`Error::Field`] where a field is not defined, [`Error::NotPositive`] for a frequency that is none.
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
