//! Any bytes are rejected as a reference table, or give a row for every line.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::reference_table(bytes));
