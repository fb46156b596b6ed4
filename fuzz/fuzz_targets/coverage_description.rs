//! Whatever the text, a described coverage is refused or is a region of directions with an area.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::coverage_description(bytes));
