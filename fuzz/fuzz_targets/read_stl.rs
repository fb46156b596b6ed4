//! Whatever the bytes, `read_stl` either refuses them or returns a sound mesh that can be looked over.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::read_stl(bytes));
