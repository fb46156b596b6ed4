//! Specification of the radar products.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wavefield_physics::constants::SPEED_OF_LIGHT;
use wavefield_physics::direction::Direction;
use wavefield_physics::far_field::Channel;
use wavefield_physics::quantity::Length;
use wavefield_solver::scene::Issues;

use super::angular_aperture::AngularAperture;
use super::band::Band;
use super::error::ProductError;
use super::window::Window;

/// Radar products of a sweep: range profiles, ISAR image, scattering centers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Products {
    /// Received and transmitted polarization, V = θ̂ and H = φ̂.
    pub channel: Channel,
    /// Window over the sweep: `taylor` and `hann` lower the sidelobes, `none` has the finest resolution.
    pub window: Window,
    /// Computes a range profile of every aspect; requires a uniform frequency step.
    pub range_profile: bool,
    /// Computes an ISAR image; requires monostatic observation and uniform steps in frequency and angle.
    pub image: bool,
    /// Extracts scattering centers; has the requirements of an image.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scattering_centers: Option<ScatteringCenters>,
    /// Image-domain formation (Bhalla–Ling) from the rays of the central aspect and frequency at this resolution;
    /// requires no sweep.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image_domain: Option<Resolution>,
    /// Maps the backscatter over the surface of the body at the central aspect and frequency.
    pub surface_map: bool,
}

/// Resolution of an image-domain formation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Resolution {
    /// Down-range resolution c/2B of the equivalent bandwidth B.
    pub down_range: Length,
    /// Cross-range resolution λ/2Δφ of the equivalent angular aperture Δφ.
    pub cross_range: Length,
}

/// Extraction of scattering centers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ScatteringCenters {
    /// Maximum number of scattering centers.
    pub count: usize,
    /// Dynamic range below the strongest center, dB.
    pub dynamic_range_db: f64,
}

impl Default for Products {
    fn default() -> Products {
        Products {
            channel: Channel::VV,
            window: Window::Taylor,
            range_profile: false,
            image: false,
            scattering_centers: None,
            image_domain: None,
            surface_map: false,
        }
    }
}

impl Default for ScatteringCenters {
    fn default() -> ScatteringCenters {
        ScatteringCenters {
            count: 20,
            dynamic_range_db: 30.0,
        }
    }
}

/// Maximum number of scattering centers.
const MAX_CENTERS: usize = 1000;
/// Maximum dynamic range, dB; rounding errors dominate below it.
const MAX_DYNAMIC_RANGE_DB: f64 = 200.0;

impl Products {
    /// Returns whether the products need an image.
    pub fn needs_image(&self) -> bool {
        self.image || self.scattering_centers.is_some()
    }

    /// Adds issues where the sweep does not support the products.
    pub fn check(
        &self,
        frequencies: &[f64],
        aspects: &[(Direction, Direction)],
        issues: &mut Issues,
    ) {
        let path = |key: &str| format!("sbr.products.{key}");
        let monostatic = aspects.iter().all(|(from, to)| from == to);
        let imaging = if self.image {
            "image"
        } else {
            "scattering_centers"
        };
        if (self.range_profile || self.needs_image())
            && let Err(error) = Band::new(frequencies)
        {
            issues.add("frequency", error.to_string());
        }
        if self.needs_image() && !monostatic {
            issues.add(path(imaging), ProductError::Bistatic.to_string());
        } else if self.needs_image() {
            let directions: Vec<_> = aspects.iter().map(|(from, _)| *from).collect();
            if let Err(error) = AngularAperture::new(&directions) {
                issues.add(path(imaging), error.to_string());
            }
        }
        for (key, asked) in [
            ("image_domain", self.image_domain.is_some()),
            ("surface_map", self.surface_map),
        ] {
            if asked && !monostatic {
                issues.add(path(key), ProductError::OnlyBack.to_string());
            }
        }
        if let Some(Resolution {
            down_range,
            cross_range,
        }) = &self.image_domain
        {
            let wavelength = SPEED_OF_LIGHT / frequencies.iter().copied().fold(0.0, f64::max);
            for (key, length) in [("down_range", down_range), ("cross_range", cross_range)] {
                let key = path(&format!("image_domain.{key}"));
                issues.positive(&key, length.meters(wavelength), "m");
            }
        }
        if let Some(centers) = &self.scattering_centers {
            let count = centers.count as f64;
            issues.range(
                &path("scattering_centers.count"),
                count,
                1.0,
                MAX_CENTERS as f64,
            );
            let key = path("scattering_centers.dynamic_range_db");
            issues.range(&key, centers.dynamic_range_db, 1e-3, MAX_DYNAMIC_RANGE_DB);
        }
    }
}
