//! Whatever packets arrive, complete hops hold the bytes of their offsets in the stream.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::packet_stream(bytes));
