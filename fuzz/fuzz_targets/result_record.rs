//! Whatever `result.json` says, it is refused or shown on a page on which nothing of it has become a script.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::result_record(bytes));
