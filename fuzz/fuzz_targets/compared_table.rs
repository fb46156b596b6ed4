//! Any text is rejected as a table, or agrees with itself.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::compared_table(bytes));
