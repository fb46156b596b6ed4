//! Aspects: pairs of directions of incidence and observation, generated from sweeps.

use std::ops::RangeInclusive;

use wavefield_physics::direction::Direction;
use wavefield_physics::quantity::Angle;
use wavefield_physics::sweep::{Sweep, SweepError};

use super::{Directions, Observation, PlaneWave};

/// One row of a result: a frequency and a pair of directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aspect {
    /// Index of the frequency in the sweep.
    pub frequency: usize,
    /// Direction of incidence.
    pub from: Direction,
    /// Direction of observation.
    pub to: Direction,
}

/// Errors of direction sweeps.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AspectError {
    /// A sweep is invalid.
    #[error("`{key}`: {source}")]
    Sweep {
        /// Key in the problem file.
        key: &'static str,
        /// Fault of the sweep.
        source: SweepError,
    },
    /// A polar angle out of range.
    #[error(
        "`{key}` is {degrees} deg; polar angles lie between 0 and 180 deg, in an observation between -180 and 180 deg"
    )]
    Theta {
        /// Key in the problem file.
        key: &'static str,
        /// Requested angle, in degrees.
        degrees: f64,
    },
    /// More results than a run may produce.
    #[error(
        "{count:.3e} results requested, the limit is {most:.0e}; reduce the number of angles or frequencies"
    )]
    TooMany {
        /// Number of results.
        count: f64,
        /// Maximum number of results.
        most: f64,
    },
    /// Plane waves with an observation of radiation.
    #[error("`observation.kind` of plane waves must be \"monostatic\" or \"bistatic\"")]
    NotScattering,
}

/// Checks the number of results against the limit, before any of them is allocated.
///
/// # Errors
/// [`AspectError::TooMany`].
pub fn limited(count: f64, most: f64) -> Result<(), AspectError> {
    if count > most {
        return Err(AspectError::TooMany { count, most });
    }
    Ok(())
}

/// Polar angles of incidence, deg.
pub(super) const INCIDENCE: RangeInclusive<f64> = 0.0..=180.0;
/// Polar angles of observation, deg. A cut runs through the pole: (−θ, φ) is the direction (θ, φ + 180°), with θ̂ and φ̂
/// reversed, so that fields along the cut are continuous.
pub(super) const OBSERVATION: RangeInclusive<f64> = -180.0..=180.0;

/// Returns the pairs of directions of incidence and observation; observation varies fastest, then φ of incidence, then
/// θ.
///
/// # Errors
/// A sweep is invalid, a polar angle is out of range, there are more than `most` pairs, or the observation is of
/// radiation.
pub fn pairs(
    wave: &PlaneWave,
    observation: &Observation,
    most: f64,
) -> Result<Vec<(Direction, Direction)>, AspectError> {
    let sources = Grid::new(
        ["excitation.theta", "excitation.phi"],
        [&wave.theta, &wave.phi],
        INCIDENCE,
        most,
    )?;
    // The pairs of a large sweep are most of its memory: nothing else of that size is made.
    let mut pairs = Vec::new();
    match observation {
        Observation::Monostatic => {
            pairs.reserve_exact(sources.count());
            pairs.extend(sources.directions().map(|d| (d, d)));
        }
        Observation::Bistatic(asked) => {
            let receivers = Grid::of_observation(asked, most)?;
            limited(sources.count() as f64 * receivers.count() as f64, most)?;
            pairs.reserve_exact(sources.count() * receivers.count());
            for from in sources.directions() {
                pairs.extend(receivers.directions().map(|to| (from, to)));
            }
        }
        Observation::FarField(_) => return Err(AspectError::NotScattering),
    }
    Ok(pairs)
}

/// Returns the directions of observation.
///
/// # Errors
/// A sweep is invalid, or there are more than `most` directions.
pub fn directions(asked: &Directions, most: f64) -> Result<Vec<Direction>, AspectError> {
    Ok(Grid::of_observation(asked, most)?.directions().collect())
}

/// Directions with every combination of polar and azimuth angles, φ fastest.
struct Grid {
    thetas: Vec<Angle>,
    phis: Vec<Angle>,
}

impl Grid {
    fn of_observation(asked: &Directions, most: f64) -> Result<Grid, AspectError> {
        Grid::new(
            ["observation.theta", "observation.phi"],
            [&asked.theta, &asked.phi],
            OBSERVATION,
            most,
        )
    }

    fn new(
        keys: [&'static str; 2],
        [theta, phi]: [&Sweep<Angle>; 2],
        range: RangeInclusive<f64>,
        most: f64,
    ) -> Result<Grid, AspectError> {
        let values = |key, sweep: &Sweep<Angle>| {
            sweep
                .values()
                .map_err(|source| AspectError::Sweep { key, source })
        };
        let (thetas, phis) = (values(keys[0], theta)?, values(keys[1], phi)?);
        limited(thetas.len() as f64 * phis.len() as f64, most)?;
        for theta in &thetas {
            if !range.contains(&theta.degrees()) {
                return Err(AspectError::Theta {
                    key: keys[0],
                    degrees: theta.degrees(),
                });
            }
        }
        Ok(Grid { thetas, phis })
    }

    fn count(&self) -> usize {
        self.thetas.len() * self.phis.len()
    }

    fn directions(&self) -> impl Iterator<Item = Direction> + '_ {
        let along = |theta: &Angle| {
            let theta = theta.0;
            (self.phis.iter()).map(move |phi| Direction::new(theta, phi.0))
        };
        self.thetas.iter().flat_map(along)
    }
}
