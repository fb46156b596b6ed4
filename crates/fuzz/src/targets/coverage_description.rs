//! Fuzz target `coverage_description`.

use crate::coverage::assert_sound;
use wavefield_reflectarray::coverage::{Coverage, CoverageSpec};

/// Any text is rejected as a coverage, or gives a region of directions with an area.
pub fn coverage_description(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let Ok(spec) = toml::from_str::<CoverageSpec>(text) else {
        return;
    };
    if let Ok(coverage) = Coverage::new(&spec, None) {
        assert_sound(&coverage);
    }
}
