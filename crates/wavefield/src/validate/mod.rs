//! Validation: results held against exact solutions, reference data and each other.

mod compute;
mod exact;
mod nufft;

use std::collections::BTreeMap;

use crate::examples::{Example, Expected};
use crate::failure::Failure;
use crate::measure::{Case, Limit, Measured, Metrics};

/// Every validation case.
pub fn cases() -> Vec<Case> {
    let mut cases = compute::cases();
    cases.extend(exact::cases());
    cases.extend(nufft::cases());
    cases
}

/// Numbers of a case of the gallery, held to the limits of its `expected.toml`.
fn held_to_expected(name: &str, metrics: Metrics) -> Result<Measured, Failure> {
    let example = Example::find(name)
        .ok_or_else(|| Failure::Runtime(format!("no case `{name}` is built in")))?;
    let expected = Expected::parse(example.expected)
        .map_err(|error| Failure::Runtime(format!("expected.toml of `{name}`: {error}")))?;
    Ok(Measured::Numbers {
        metrics,
        limits: expected
            .limits
            .into_iter()
            .map(|(metric, limit)| (metric, Limit::AtMost(limit)))
            .collect(),
    })
}

/// Numbers of a case without a problem file.
fn held_to(metrics: &[(&str, f64)], limits: &[(&str, Limit)]) -> Measured {
    Measured::Numbers {
        metrics: metrics
            .iter()
            .map(|(name, value)| ((*name).to_owned(), *value))
            .collect(),
        limits: limits
            .iter()
            .map(|(name, limit)| ((*name).to_owned(), *limit))
            .collect::<BTreeMap<_, _>>(),
    }
}

/// Numbers between −½ and ½ from a multiplicative hash: the same everywhere, no pattern an FFT could like.
fn noise(index: usize) -> f64 {
    let bits = (index as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (bits ^ (bits >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (mixed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
}
