//! The coverage in the problem specification.

use std::collections::HashSet;

use geo::CoordsIter;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wavefield_physics::quantity::Angle;
use wavefield_solver::scene::Issues;

use super::natural_earth;
use super::outline::Outline;
use super::polygons::ellipse;

/// Maximum margin and simplification tolerance, direction cosines.
const MAX_MARGIN: f64 = 0.1;
/// Maximum of the minimum polygon area, square degrees.
const MAX_POLYGON_AREA: f64 = 1e4;

/// The coverage: the union of everything that is named here, widened by a margin.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CoverageSpec {
    /// Countries by English name, alpha-3 code, or numeric code of ISO 3166-1: "France", "FRA", "250".
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub countries: Vec<String>,
    /// Path of a GeoJSON file with polygons, relative to the problem file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-file" = "GeoJSON"))]
    pub geojson: Option<String>,
    /// Bounding box [west, south, east, north] in degrees to which countries and GeoJSON polygons are clipped; across
    /// the date line west exceeds east.
    #[serde(default, rename = "box", skip_serializing_if = "Option::is_none")]
    pub bounding_box: Option<[f64; 4]>,
    /// Longitude of the geostationary satellite, east positive; countries and GeoJSON polygons need it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub satellite_longitude: Option<Angle>,
    /// Minimum area of the polygons and holes of countries and GeoJSON, in square degrees of longitude and latitude:
    /// smaller polygons are dropped and smaller holes are filled.
    #[serde(default)]
    pub min_polygon_area: f64,
    /// Polygons in direction cosines with respect to the nadir, u to the east, v to the north.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub polygons_uv: Vec<Outline>,
    /// An ellipse in the (u, v) plane.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ellipse: Option<EllipseUv>,
    /// Margin for pointing errors, direction cosines.
    #[serde(default)]
    pub margin: f64,
    /// Tolerance of the simplification of the outline, direction cosines.
    #[serde(default)]
    pub simplify: f64,
}

/// An ellipse in the (u, v) plane; a circle has equal semi-axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EllipseUv {
    /// Center (u, v), direction cosines.
    pub center: [f64; 2],
    /// Semi-axes, direction cosines.
    pub semi_axes: [f64; 2],
    /// Angle from the u axis to the first semi-axis, counterclockwise.
    #[serde(default = "unturned")]
    pub rotation: Angle,
}

fn unturned() -> Angle {
    Angle::from_degrees(0.0)
}

impl CoverageSpec {
    /// Adds everything that is wrong with the coverage, as far as no file is needed to tell.
    pub fn check(&self, issues: &mut Issues) {
        if !self.is_on_earth() && self.polygons_uv.is_empty() && self.ellipse.is_none() {
            issues.add_with_help(
                "coverage",
                "`coverage` names no region",
                "give `countries`, `geojson`, `polygons_uv`, `ellipse`, or several of them",
            );
        }
        self.check_countries(issues);
        self.check_satellite(issues);
        self.check_box(issues);
        for (path, value, most) in [
            ("coverage.margin", self.margin, MAX_MARGIN),
            ("coverage.simplify", self.simplify, MAX_MARGIN),
            (
                "coverage.min_polygon_area",
                self.min_polygon_area,
                MAX_POLYGON_AREA,
            ),
        ] {
            issues.range(path, value, 0.0, most);
        }
        for (index, outline) in self.polygons_uv.iter().enumerate() {
            outline.check(&format!("coverage.polygons_uv.{index}"), issues);
        }
        if let Some(ellipse) = &self.ellipse {
            ellipse.check(issues);
        }
    }

    fn check_countries(&self, issues: &mut Issues) {
        let mut checked = HashSet::new();
        for (index, name) in self.countries.iter().enumerate() {
            if !checked.insert(name) || natural_earth::country(name).is_some() {
                continue;
            }
            let path = format!("coverage.countries.{index}");
            let shown: String = name.trim().chars().take(natural_earth::SHOWN).collect();
            let forms = "countries are given by name (\"France\"), alpha-3 code (\"FRA\"), or numeric code (\"250\") of ISO 3166-1";
            let alike: Vec<String> = natural_earth::suggestions(name)
                .iter()
                .map(|name| format!("`{name}`"))
                .collect();
            let help = match alike.is_empty() {
                true => forms.to_owned(),
                false => format!("did you mean {}? {forms}", alike.join(" or ")),
            };
            issues.add_with_help(
                path.as_str(),
                format!("`{path}`: there is no country `{shown}`"),
                help,
            );
        }
    }

    fn check_satellite(&self, issues: &mut Issues) {
        let path = "coverage.satellite_longitude";
        match self.longitude() {
            Some(longitude) => issues.range(path, longitude, -360.0, 360.0),
            None if self.is_on_earth() => issues.add_with_help(
                path,
                format!("`{path}` is missing; countries and GeoJSON polygons need it"),
                "write for example \"5 deg\"",
            ),
            None => {}
        }
    }

    fn check_box(&self, issues: &mut Issues) {
        let Some([west, south, east, north]) = self.bounding_box else {
            return;
        };
        let path = "coverage.box";
        let mut wrong = |problem: String| {
            issues.add(
                path,
                format!("`{path}` = [west, south, east, north] in degrees: {problem}"),
            );
        };
        if ![west, east].iter().all(|x| x.abs() <= 360.0) {
            wrong(format!(
                "west and east must lie between -360 and 360, not at {west} and {east}"
            ));
        } else if west == east {
            wrong(format!(
                "west and east are the same ({west}), the box is empty"
            ));
        }
        if ![south, north].iter().all(|y| y.abs() <= 90.0) {
            wrong(format!(
                "south and north must lie between -90 and 90, not at {south} and {north}"
            ));
        } else if south >= north {
            wrong(format!("south ({south}) must be less than north ({north})"));
        }
    }

    /// Returns whether polygons on the Earth are named, which need a satellite to be projected.
    pub(super) fn is_on_earth(&self) -> bool {
        !self.countries.is_empty() || self.geojson.is_some()
    }

    /// Returns the longitude of the satellite in degrees.
    pub(super) fn longitude(&self) -> Option<f64> {
        let longitude = self.satellite_longitude?.degrees();
        // The conversion from radians leaves roundoff that would appear in messages.
        Some((longitude * 1e9).round() / 1e9)
    }
}

impl EllipseUv {
    fn check(&self, issues: &mut Issues) {
        let path = "coverage.ellipse";
        if !self.semi_axes.iter().all(|axis| *axis > 0.0) {
            let path = format!("{path}.semi_axes");
            let message = format!("`{path}` must be positive, not {:?}", self.semi_axes);
            issues.add(path, message);
        } else if !(self.polygon().coords_iter()).all(|c| c.x.hypot(c.y) <= 1.0) {
            issues.add(
                path,
                format!("`{path}` exceeds the visible region; u² + v² must not exceed 1"),
            );
        }
    }

    /// Returns the polygon that approximates the ellipse.
    pub(super) fn polygon(&self) -> geo::Polygon {
        ellipse(self.center, self.semi_axes, self.rotation.0)
    }
}
