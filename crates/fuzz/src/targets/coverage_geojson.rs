//! Fuzz target `coverage_geojson`.

use crate::coverage::assert_sound;
use wavefield_physics::quantity::Angle;
use wavefield_reflectarray::coverage::{Coverage, CoverageSpec};

/// Any text is rejected as GeoJSON with the position of the error, or gives a region of directions with an area.
pub fn coverage_geojson(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let spec = CoverageSpec {
        geojson: Some("region.json".to_owned()),
        satellite_longitude: Some(Angle::from_degrees(10.0)),
        margin: 0.001,
        ..CoverageSpec::default()
    };
    match Coverage::new(&spec, Some(text)) {
        Ok(coverage) => assert_sound(&coverage),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
