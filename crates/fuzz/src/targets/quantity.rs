//! Fuzz target `quantity`.

use wavefield_physics::quantity::{
    Angle, Conductivity, Density, Dimension, Frequency, Length, Speed, Time, check,
};

/// Any text is rejected as a quantity with a reason, or gives a finite number that round-trips through its formatting.
pub fn quantity(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    macro_rules! survives_writing {
        ($($kind:ident)*) => {$(
            match text.parse::<$kind>() {
                Ok(value) => {
                    assert!(value.0.is_finite());
                    assert_eq!(value.to_string().parse(), Ok(value));
                }
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        )*};
    }
    survives_writing!(Frequency Angle Time Conductivity Speed Density);
    let length = text.parse::<Length>();
    if let Ok(length) = length {
        assert!(length.meters(1.0).is_finite());
        assert_eq!(length.to_string().parse(), Ok(length));
    }
    assert_eq!(check(text, Dimension::Length).is_ok(), length.is_ok());
}
