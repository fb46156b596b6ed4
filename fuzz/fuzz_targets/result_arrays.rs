//! Whatever `arrays.npz` holds, it is refused or its arrays are as long as their shapes, and the report is drawn of them.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::result_arrays(bytes));
