//! Fuzz target `device_choice`.

use wavefield_gpu::DeviceChoice;

/// Any text is rejected as a device choice, or round-trips through its formatting.
pub fn device_choice(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if let Ok(choice) = text.parse::<DeviceChoice>() {
        assert_eq!(choice.to_string().parse(), Ok(choice));
    }
}
