//! Any `result.json` is rejected, or shown on a page into which it injects no script.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::result_record(bytes));
