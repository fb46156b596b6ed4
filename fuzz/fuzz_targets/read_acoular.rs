//! Whatever the bytes, `read_acoular` either refuses them or returns a recording of whole samples.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::read_acoular(bytes));
