//! Whatever the files of a recording, a plan of holography refuses them by their key or stands on whole frames.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wavefield_fuzz::recorded_sound(bytes));
