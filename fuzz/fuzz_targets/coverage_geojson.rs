//! Any text is rejected as GeoJSON with the position of the error, or gives a region of directions with an area.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::coverage_geojson(bytes));
