//! Any bytes with any name are rejected by `read_any`, or give a valid mesh of the reported size.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::read_any_mesh(bytes));
