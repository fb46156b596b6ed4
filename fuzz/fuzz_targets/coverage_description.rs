//! Any text is rejected as a coverage, or gives a region of directions with an area.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::coverage_description(bytes));
