//! Whatever the text, a described coverage is refused or is a region of directions with an area.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wavefield_fuzz::assert_sound;
use wavefield_reflectarray::coverage::{Coverage, CoverageSpec};

fuzz_target!(|text: &str| {
    let Ok(spec) = toml::from_str::<CoverageSpec>(text) else {
        return;
    };
    if let Ok(coverage) = Coverage::new(&spec, None) {
        assert_sound(&coverage);
    }
});
