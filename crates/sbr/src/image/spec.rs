//! Radar products as they are asked for in a problem file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wavefield_physics::constants::SPEED_OF_LIGHT;
use wavefield_physics::direction::Direction;
use wavefield_physics::far_field::Channel;
use wavefield_physics::quantity::Length;

use super::band::Band;
use super::error::ProductError;
use super::turn::Turn;
use super::window::Window;

/// What to make of a sweep: range profiles, an image, scattering centres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Products {
    /// Received and transmitted polarisation, V = θ̂ and H = φ̂.
    pub channel: Channel,
    /// Weights over the sweep: `taylor` and `hann` lower sidelobes, `none` resolves finest.
    pub window: Window,
    /// Whether to make a profile over down-range of every aspect; needs frequencies in even steps.
    pub range_profile: bool,
    /// Whether to make an image; needs frequencies and angles in even steps, seen from where the wave comes from.
    pub image: bool,
    /// Which scattering centres to list; needs what an image needs.
    pub centres: Option<Centres>,
    /// An image straight from the rays of one aspect and frequency, those in the middle of the sweep, at this
    /// resolution: no sweep is needed.
    pub direct_image: Option<Resolution>,
    /// Whether to map where on its surface the body scatters from, at the aspect and frequency in the middle of the
    /// sweep.
    pub surface_map: bool,
}

/// The resolution of a direct image.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Resolution {
    /// Along the line of sight: c/2B of the band it stands for.
    pub down_range: Length,
    /// Across it: λ/2Δφ of the turn it stands for.
    pub cross_range: Length,
}

/// Which scattering centres to list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Centres {
    /// Most of them.
    pub count: usize,
    /// Decibels below the strongest at which the list ends.
    pub below_peak: f64,
}

impl Default for Products {
    fn default() -> Products {
        Products {
            channel: Channel::VV,
            window: Window::Taylor,
            range_profile: false,
            image: false,
            centres: None,
            direct_image: None,
            surface_map: false,
        }
    }
}

impl Default for Centres {
    fn default() -> Centres {
        Centres {
            count: 20,
            below_peak: 30.0,
        }
    }
}

/// More centres than anybody reads.
const MOST_CENTRES: usize = 1000;
/// Rounding ends every list.
const MOST_BELOW_PEAK: f64 = 200.0;

impl Products {
    /// Whether the products need an image.
    pub fn needs_image(&self) -> bool {
        self.image || self.centres.is_some()
    }

    /// Checks before the long part of a run that a sweep can make the products.
    ///
    /// # Errors
    /// What the sweep lacks.
    pub fn check(
        &self,
        frequencies: &[f64],
        aspects: &[(Direction, Direction)],
    ) -> Result<(), ProductError> {
        if self.range_profile || self.needs_image() {
            Band::new(frequencies)?;
        }
        if self.needs_image() {
            if aspects.iter().any(|(from, to)| from != to) {
                return Err(ProductError::Bistatic);
            }
            let directions: Vec<_> = aspects.iter().map(|(from, _)| *from).collect();
            Turn::new(&directions)?;
        }
        if (self.direct_image.is_some() || self.surface_map)
            && aspects.iter().any(|(from, to)| from != to)
        {
            return Err(ProductError::OnlyBack);
        }
        if let Some(Resolution {
            down_range,
            cross_range,
        }) = &self.direct_image
        {
            let wavelength = SPEED_OF_LIGHT / frequencies.iter().copied().fold(0.0, f64::max);
            for (key, length) in [("down_range", down_range), ("cross_range", cross_range)] {
                let metres = length.metres(wavelength);
                if !(metres > 0.0 && metres.is_finite()) {
                    return Err(ProductError::Resolution { key, metres });
                }
            }
        }
        if let Some(centres) = &self.centres {
            if !(1..=MOST_CENTRES).contains(&centres.count) {
                return Err(ProductError::Count {
                    found: centres.count,
                    most: MOST_CENTRES,
                });
            }
            if !(centres.below_peak > 0.0 && centres.below_peak <= MOST_BELOW_PEAK) {
                return Err(ProductError::BelowPeak {
                    found: centres.below_peak,
                    most: MOST_BELOW_PEAK,
                });
            }
        }
        Ok(())
    }
}
