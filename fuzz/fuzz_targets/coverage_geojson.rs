//! Whatever the text, GeoJSON is refused with the place that is wrong or is a region of directions with an area.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::coverage_geojson(bytes));
