//! Whatever the bytes, a zipped mesh is refused or is a sound surface.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::reference_mesh(bytes));
