//! Any text is rejected as a device choice, or round-trips through its formatting.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::device_choice(bytes));
