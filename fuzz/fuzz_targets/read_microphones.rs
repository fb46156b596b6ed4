//! Whatever the bytes, `read_microphones` either refuses them or returns places, and these are a grid or refused.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::read_microphones(bytes));
