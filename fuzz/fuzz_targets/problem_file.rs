//! Any text is rejected as a problem file with findings that can be rendered, or each of its problems, written out in
//! full, is the same problem.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::problem_file(bytes));
