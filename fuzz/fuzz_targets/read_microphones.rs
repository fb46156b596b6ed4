//! Any bytes are rejected by `read_microphones`, or give positions, which form a grid or are rejected.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::read_microphones(bytes));
