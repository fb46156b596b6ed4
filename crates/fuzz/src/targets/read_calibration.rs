//! Fuzz target `read_calibration`.

use wavefield_holography::files;

/// Any bytes are rejected by `read_calibration`, or give numbers.
pub fn read_calibration(bytes: &[u8]) {
    if let Ok(factors) = files::read_calibration(bytes) {
        assert!(factors.iter().all(|factor| factor.is_finite()));
    }
}
