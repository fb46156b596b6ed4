//! Any `arrays.npz` is rejected, or its arrays have the lengths of their shapes and the report is drawn from them.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::result_arrays(bytes));
