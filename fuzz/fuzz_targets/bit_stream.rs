//! Any bytes give every complete hop of the PDM bitstream and nothing else.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::bit_stream(bytes));
