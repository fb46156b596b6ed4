//! The problem specification.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wavefield_physics::constants::SPEED_OF_LIGHT;
use wavefield_physics::quantity::{Frequency, Length};
use wavefield_solver::scene::Issues;

use crate::coverage::CoverageSpec;
use crate::element::Element;
use crate::feed::FeedSpec;

/// Maximum number of rows or columns.
const MAX_SIDE: usize = 400;

/// A flat reflectarray whose phases, and optionally spacings, are synthesized for one beam over a coverage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// Frequency.
    pub frequency: Frequency,
    /// Feed horn.
    pub feed: FeedSpec,
    /// Element lattice.
    pub lattice: Lattice,
    /// Element pattern.
    #[serde(default)]
    pub element: Element,
    /// Coverage of the beam.
    pub coverage: CoverageSpec,
    /// Upper limit on the directivity outside the coverage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sidelobe_mask: Option<SidelobeMask>,
}

/// An upper limit on the directivity outside the coverage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SidelobeMask {
    /// Maximum co-polar directivity in any visible direction outside the transition, dBi.
    pub level_dbi: f64,
    /// Width of the transition around the coverage in direction cosines, where the directivity is unconstrained;
    /// default one beamwidth (wavelength over the longer side).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transition: Option<f64>,
}

/// Rows and columns of elements around the origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lattice {
    /// Number of columns, along x.
    pub columns: usize,
    /// Number of rows, along y.
    pub rows: usize,
    /// Distance between neighbors, or the limits of free distances.
    pub spacing: Spacing,
}

/// Distances between neighbors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Spacing {
    /// Uniform.
    Even(Length),
    /// Free between limits, row by row and column by column.
    Free(FreeSpacing),
}

/// Limits of free distances.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FreeSpacing {
    /// Minimum distance.
    pub min: Length,
    /// Maximum distance.
    pub max: Length,
}

impl Spec {
    /// Adds everything that is wrong with the specification, as far as no file is needed to tell.
    pub fn check(&self, issues: &mut Issues) {
        let frequency = self.frequency.0;
        issues.positive("frequency", frequency, "Hz");
        let known = frequency > 0.0 && frequency.is_finite();
        let wavelength = known.then(|| SPEED_OF_LIGHT / frequency);
        self.feed.check(wavelength, issues);
        self.lattice.check(wavelength, issues);
        if let Some(mask) = &self.sidelobe_mask {
            mask.check(issues);
        }
        self.coverage.check(issues);
    }
}

impl SidelobeMask {
    fn check(&self, issues: &mut Issues) {
        issues.range("sidelobe_mask.level_dbi", self.level_dbi, -100.0, 100.0);
        if let Some(transition) = self.transition {
            issues.range("sidelobe_mask.transition", transition, 1e-4, 1.0);
        }
    }
}

impl Lattice {
    fn check(&self, wavelength: Option<f64>, issues: &mut Issues) {
        for (path, count) in [
            ("lattice.columns", self.columns),
            ("lattice.rows", self.rows),
        ] {
            issues.range(path, count as f64, 2.0, MAX_SIDE as f64);
        }
        // Without a wavelength, the sign of a length in wavelengths is that of its count.
        let mut positive = |path: &str, length: Length| {
            let meters = length.meters(wavelength.unwrap_or(1.0));
            if !(meters.is_finite() && meters > 0.0) {
                issues.add(
                    path,
                    format!("`{path}` must be positive and finite, not {length}"),
                );
            }
        };
        match self.spacing {
            Spacing::Even(length) => positive("lattice.spacing", length),
            Spacing::Free(FreeSpacing { min, max }) => {
                positive("lattice.spacing.min", min);
                positive("lattice.spacing.max", max);
                if wavelength
                    .is_some_and(|wavelength| min.meters(wavelength) >= max.meters(wavelength))
                {
                    issues.add(
                        "lattice.spacing.min",
                        format!(
                            "`lattice.spacing.min` ({min}) must be smaller than `lattice.spacing.max` ({max})"
                        ),
                    );
                }
            }
        }
    }
}
