//! Any text is rejected as a sweep, or gives finite values within the allowed number.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::sweep(bytes));
