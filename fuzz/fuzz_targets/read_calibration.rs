//! Any bytes are rejected by `read_calibration`, or give numbers.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::read_calibration(bytes));
