//! Whatever the text, a quantity is refused with a reason or is a finite number that its own writing gives back.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::quantity(bytes));
