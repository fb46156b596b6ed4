//! What a user may ask of this solver, as it stands in a problem file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wavefield_physics::quantity::{Frequency, Length};

use crate::coverage::CoverageSpec;
use crate::element::Element;
use crate::feed::FeedSpec;

/// A flat reflectarray whose phases, and perhaps positions, are to fill a coverage with one beam.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// The frequency.
    pub frequency: Frequency,
    /// The horn that lights the array.
    pub feed: FeedSpec,
    /// Where the elements are.
    pub lattice: Lattice,
    /// How a cell radiates.
    #[serde(default)]
    pub element: Element,
    /// The region the beam must cover.
    pub coverage: CoverageSpec,
    /// The most that may go beyond it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ceiling: Option<Ceiling>,
}

/// A ceiling on the directivity outside the coverage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ceiling {
    /// The largest co-polar directivity in any visible direction outside, dBi.
    pub level_dbi: f64,
    /// Width of the transition around the coverage in direction cosines, where nothing is asked; one
    /// beamwidth (wavelength over the longer side) if left out.
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
    /// Distance between neighbours, or the limits between which distances are free.
    pub spacing: Spacing,
}

/// Distances between neighbours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Spacing {
    /// All the same.
    Even(Length),
    /// Free between limits, row by row and column by column.
    Free(FreeSpacing),
}

/// Limits of free distances.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FreeSpacing {
    /// The least distance.
    pub least: Length,
    /// The largest distance.
    pub most: Length,
}
