//! Whatever the text, a problem is refused with findings that can be shown, or written out in full it is the same problem.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::problem_file(bytes));
