//! Validation: results held against exact solutions, reference data and each other.

mod compute;
mod exact;

use std::collections::BTreeMap;

use crate::examples::{Example, Expected};
use crate::failure::Failure;
use crate::measure::{Case, Limit, Measured, Metrics};

/// Every validation case.
pub fn cases() -> Vec<Case> {
    let mut cases = compute::cases();
    cases.extend(exact::cases());
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
