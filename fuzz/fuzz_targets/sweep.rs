//! Whatever the text, a sweep is refused or holds finite values, no more than are allowed.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::sweep(bytes));
