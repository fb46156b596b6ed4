//! Whatever the bytes, a stream of bits gives every whole hop of them and nothing else.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::bit_stream(bytes));
