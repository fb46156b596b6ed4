//! Whatever the text, a table is refused or agrees with itself.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::compared_table(bytes));
