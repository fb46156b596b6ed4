//! Fuzz target `read_calibration`.

use wavefield_holography::files;

/// Whatever the bytes, `read_calibration` either refuses them or returns numbers.
pub fn read_calibration(bytes: &[u8]) {
    if let Ok(factors) = files::read_calibration(bytes) {
        assert!(factors.iter().all(|factor| factor.is_finite()));
    }
}
