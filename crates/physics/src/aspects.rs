//! Where waves come from and where the scattered field is looked at: how a problem file asks for it, and the
//! pairs of directions that follow.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::direction::Direction;
use crate::quantity::Angle;
use crate::sweep::{Sweep, SweepError};

/// The direction a plane wave comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Incidence {
    /// Angle from +z.
    #[serde(default = "horizon")]
    pub theta: Sweep<Angle>,
    /// Angle from +x.
    pub phi: Sweep<Angle>,
}

/// The directions in which the scattered field is looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Observation {
    /// Back where the wave comes from.
    Monostatic,
    /// In the given directions, for every incidence.
    Bistatic(Bistatic),
}

/// Directions of observation: every θ with every φ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bistatic {
    /// Angle from +z.
    #[serde(default = "horizon")]
    pub theta: Sweep<Angle>,
    /// Angle from +x.
    pub phi: Sweep<Angle>,
}

fn horizon() -> Sweep<Angle> {
    Sweep::One(Angle::from_degrees(90.0))
}

/// One line of a result: a frequency and a pair of directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aspect {
    /// Number of the frequency in the sweep.
    pub frequency: usize,
    /// Where the wave comes from.
    pub from: Direction,
    /// Where the scattered field is looked at.
    pub to: Direction,
}

/// Why directions cannot be laid out.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AspectError {
    /// A sweep cannot be laid out.
    #[error("`{key}`: {source}")]
    Sweep {
        /// The key in the problem file.
        key: &'static str,
        /// Why.
        source: SweepError,
    },
    /// A polar angle outside its range.
    #[error("`{key}` must lie between 0 and 180 deg, not at {degrees} deg; use phi to go round")]
    Theta {
        /// The key in the problem file.
        key: &'static str,
        /// The angle asked for.
        degrees: f64,
    },
    /// More results than a run may hold.
    #[error(
        "{count:.3e} results were asked for, at most {most:.0e} are possible; use fewer angles or frequencies"
    )]
    TooMany {
        /// Number of results.
        count: f64,
        /// The most that is accepted.
        most: f64,
    },
}

/// Refuses more results than a run may hold, before any of them is laid out.
///
/// # Errors
/// There are too many.
pub fn limited(count: f64, most: f64) -> Result<(), AspectError> {
    if count > most {
        return Err(AspectError::TooMany { count, most });
    }
    Ok(())
}

/// Pairs of directions, from and to: observation runs fastest, then φ of incidence, then θ.
///
/// # Errors
/// A sweep that cannot be laid out, a polar angle out of range, or more pairs than `most`.
pub fn pairs(
    incidence: &Incidence,
    observation: &Observation,
    most: f64,
) -> Result<Vec<(Direction, Direction)>, AspectError> {
    let sources = grid(
        ["incidence.theta", "incidence.phi"],
        [&incidence.theta, &incidence.phi],
        most,
    )?;
    match observation {
        Observation::Monostatic => Ok(sources.into_iter().map(|d| (d, d)).collect()),
        Observation::Bistatic(bistatic) => {
            let receivers = grid(
                ["observation.theta", "observation.phi"],
                [&bistatic.theta, &bistatic.phi],
                most,
            )?;
            limited(sources.len() as f64 * receivers.len() as f64, most)?;
            Ok(sources
                .iter()
                .flat_map(|&from| receivers.iter().map(move |&to| (from, to)))
                .collect())
        }
    }
}

/// Directions in which what is radiated is looked at, as a problem file's `directions` asks for them.
///
/// # Errors
/// A sweep cannot be laid out, or there are more directions than `most`.
pub fn directions(asked: &Bistatic, most: f64) -> Result<Vec<Direction>, AspectError> {
    grid(
        ["directions.theta", "directions.phi"],
        [&asked.theta, &asked.phi],
        most,
    )
}

fn grid(
    keys: [&'static str; 2],
    [theta, phi]: [&Sweep<Angle>; 2],
    most: f64,
) -> Result<Vec<Direction>, AspectError> {
    let values = |key, sweep: &Sweep<Angle>| {
        sweep
            .values()
            .map_err(|source| AspectError::Sweep { key, source })
    };
    let (thetas, phis) = (values(keys[0], theta)?, values(keys[1], phi)?);
    limited(thetas.len() as f64 * phis.len() as f64, most)?;
    for theta in &thetas {
        if !(0.0..=180.0).contains(&theta.degrees()) {
            return Err(AspectError::Theta {
                key: keys[0],
                degrees: theta.degrees(),
            });
        }
    }
    Ok(thetas
        .iter()
        .flat_map(|theta| phis.iter().map(|phi| Direction::new(theta.0, phi.0)))
        .collect())
}
