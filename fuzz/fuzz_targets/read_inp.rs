//! Any bytes are rejected by `read_inp`, or give a valid mesh that can be inspected.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::read_inp(bytes));
