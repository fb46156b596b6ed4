//! Any bytes are rejected by `read_wav`, or give a recording of whole samples.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::read_wav(bytes));
