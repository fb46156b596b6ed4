//! What a user may say about a coverage, as it stands in a problem file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wavefield_physics::quantity::Angle;

use super::outline::Outline;

/// The region a beam must cover: the union of everything that is named here, with a margin.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CoverageSpec {
    /// Countries by English name, alpha-3 code or numeric code of ISO 3166-1: "France", "FRA", "250".
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub countries: Vec<String>,
    /// Path of a GeoJSON file with polygons, relative to the problem file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-file" = "GeoJSON"))]
    pub geojson: Option<String>,
    /// [west, south, east, north] in degrees: what of the countries and the GeoJSON file is meant. A
    /// box over the date line has its west east of its east.
    #[serde(default, rename = "box", skip_serializing_if = "Option::is_none")]
    pub bounding_box: Option<[f64; 4]>,
    /// Longitude above which the geostationary satellite stands, east positive. Countries and
    /// GeoJSON need it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub satellite_longitude: Option<Angle>,
    /// Parts of the countries and the GeoJSON file smaller than this are left out and holes
    /// smaller than this are filled, in square degrees of longitude and latitude.
    #[serde(default)]
    pub smallest_island: f64,
    /// Polygons given by direction cosines with respect to the nadir, u to the east, v to the north.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub polygons_uv: Vec<Outline>,
    /// An ellipse in the (u, v) plane.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ellipse: Option<EllipseUv>,
    /// How far the region is widened for errors of pointing, in direction cosines.
    #[serde(default)]
    pub margin: f64,
    /// How far the outline may be moved to make it simpler, in direction cosines.
    #[serde(default)]
    pub simplify: f64,
}

/// An ellipse in the (u, v) plane; a circle has equal semi-axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EllipseUv {
    /// Centre (u, v) in direction cosines.
    pub centre: [f64; 2],
    /// The two semi-axes in direction cosines.
    pub semi_axes: [f64; 2],
    /// Angle from the u axis to the first semi-axis, anticlockwise.
    #[serde(default = "unturned")]
    pub rotation: Angle,
}

fn unturned() -> Angle {
    Angle::from_degrees(0.0)
}
