//! Whatever the text, a choice of device is refused or its own writing gives it back.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::device_choice(bytes));
