//! Whatever the bytes, a table of reference data is refused or has a row for every line.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::reference_table(bytes));
