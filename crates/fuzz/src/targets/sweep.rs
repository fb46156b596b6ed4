//! Fuzz target `sweep`.

use std::collections::BTreeMap;

use wavefield_physics::quantity::{Angle, Frequency};
use wavefield_physics::sweep::{MAX_SWEEP, Sweep};

/// Any text is rejected as a sweep, or gives finite values within the allowed number.
pub fn sweep(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    macro_rules! laid_out {
        ($($kind:ident)*) => {$(
            for sweep in toml::from_str::<BTreeMap<String, Sweep<$kind>>>(text).into_iter().flatten() {
                if let Ok(values) = sweep.1.values() {
                    assert!((1..=MAX_SWEEP).contains(&values.len()));
                    assert!(values.iter().all(|value| value.0.is_finite()));
                }
            }
        )*};
    }
    laid_out!(Angle Frequency);
}
