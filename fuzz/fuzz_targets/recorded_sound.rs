//! Any recording files are rejected with the key of the file, or give a holography plan with whole frames.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::recorded_sound(bytes));
