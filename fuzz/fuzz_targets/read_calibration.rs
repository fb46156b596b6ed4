//! Whatever the bytes, `read_calibration` either refuses them or returns numbers.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::read_calibration(bytes));
