//! Whatever the text, a choice of device is refused or its own writing gives it back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wavefield_compute::DeviceChoice;

fuzz_target!(|text: &str| {
    if let Ok(choice) = text.parse::<DeviceChoice>() {
        assert_eq!(choice.to_string().parse(), Ok(choice));
    }
});
