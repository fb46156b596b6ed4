//! Any bytes are rejected as a zipped mesh, or give a valid surface.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::reference_mesh(bytes));
