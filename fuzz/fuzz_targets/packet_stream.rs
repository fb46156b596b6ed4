//! Whatever packets come, hops that are called whole hold the bytes of their places in the stream.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::packet_stream(bytes));
