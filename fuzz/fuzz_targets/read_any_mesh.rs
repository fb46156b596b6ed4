//! Whatever the bytes and the name, `read_any` either refuses them or returns a sound mesh as large as its report says.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::read_any_mesh(bytes));
