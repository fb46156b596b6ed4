//! Whatever the text, a sweep is refused or holds finite values, no more than are allowed.
#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use wavefield_physics::quantity::{Angle, Frequency};
use wavefield_physics::sweep::{MAX_SWEEP, Sweep};

fuzz_target!(|text: &str| {
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
});
