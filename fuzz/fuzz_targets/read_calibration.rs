//! Whatever the bytes, `read_calibration` either refuses them or returns numbers.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wavefield_holography::files::read_calibration;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(factors) = read_calibration(bytes) {
        assert!(factors.iter().all(|factor| factor.is_finite()));
    }
});
