//! Any text is rejected as a quantity with a reason, or gives a finite number that round-trips through its formatting.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::quantity(bytes));
