//! What `validate` and `bench` print: one case, its numbers, and what they are held to.

mod record;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use serde_json::{Map, Value, json};

use crate::failure::Failure;
use record::Record;

/// What cases are measured for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// How right the program is.
    Validation,
    /// How fast it is.
    Bench,
}

impl Kind {
    fn title(self) -> &'static str {
        match self {
            Kind::Validation => "Validation",
            Kind::Bench => "Benchmarks",
        }
    }

    fn command(self) -> &'static str {
        match self {
            Kind::Validation => "validate",
            Kind::Bench => "bench",
        }
    }
}

/// What a number is held to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// It must not be larger.
    AtMost(f64),
    /// It must not be smaller.
    AtLeast(f64),
}

impl Limit {
    /// The bare number.
    pub fn number(self) -> f64 {
        match self {
            Limit::AtMost(number) | Limit::AtLeast(number) => number,
        }
    }

    /// Whether a value keeps the limit; NaN keeps none.
    pub fn holds(self, value: f64) -> bool {
        match self {
            Limit::AtMost(number) => value <= number,
            Limit::AtLeast(number) => value >= number,
        }
    }

    /// ≤ or ≥.
    pub fn sign(self) -> &'static str {
        match self {
            Limit::AtMost(_) => "≤",
            Limit::AtLeast(_) => "≥",
        }
    }
}

/// The largest of some errors. A NaN is the worst of all, not the absence of an error.
#[derive(Clone, Copy, Debug, Default)]
pub struct Worst(f64);

impl Worst {
    /// The worst of a sequence; 0 if there is none.
    pub fn of(errors: impl IntoIterator<Item = f64>) -> f64 {
        let mut worst = Worst::default();
        for error in errors {
            worst.see(error);
        }
        worst.value()
    }

    /// Takes one more error in.
    pub fn see(&mut self, error: f64) {
        // The largest number stands for what is none, since JSON knows neither NaN nor infinity.
        let error = if error.is_finite() { error } else { f64::MAX };
        self.0 = self.0.max(error);
    }

    /// The worst so far.
    pub fn value(self) -> f64 {
        self.0
    }
}

/// Named numbers.
pub type Metrics = BTreeMap<String, f64>;

/// A case that can be measured.
pub struct Case {
    /// `solver/case`.
    pub name: &'static str,
    /// What is measured, in a line.
    pub about: &'static str,
    /// Measures it.
    pub measure: Box<dyn Fn() -> Result<Measured, Failure>>,
}

impl Case {
    /// A case that needs nothing but itself.
    pub(crate) fn new(
        name: &'static str,
        about: &'static str,
        measure: fn() -> Result<Measured, Failure>,
    ) -> Case {
        Case {
            name,
            about,
            measure: Box::new(measure),
        }
    }
}

/// What measuring a case gave.
pub enum Measured {
    /// Numbers, and what they are held to.
    Numbers {
        /// The numbers.
        metrics: Metrics,
        /// What they are held to; every limit has its metric.
        limits: BTreeMap<String, Limit>,
    },
    /// It could not be measured here.
    Skipped(String),
}

/// Numbers, and what they are held to.
pub(crate) fn held_to(metrics: &[(&str, f64)], limits: &[(&str, Limit)]) -> Measured {
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

/// One line of the output.
pub struct Line {
    /// Name of the case.
    pub case: &'static str,
    /// What was measured.
    pub measured: Measured,
    /// Seconds it took.
    pub seconds: f64,
}

impl Case {
    /// Measures and times the case.
    pub fn run(&self) -> Result<Line, Failure> {
        let start = Instant::now();
        let measured = (self.measure)()?;
        Ok(Line {
            case: self.name,
            measured,
            seconds: start.elapsed().as_secs_f64(),
        })
    }
}

impl Line {
    /// Whether every limit is kept; a skipped case has shown nothing.
    pub fn passes(&self) -> bool {
        match &self.measured {
            Measured::Skipped(_) => false,
            Measured::Numbers { metrics, limits } => limits
                .iter()
                .all(|(name, limit)| metrics.get(name).is_some_and(|value| limit.holds(*value))),
        }
    }

    /// The line as JSON.
    pub fn json(&self) -> Value {
        let number = |value: f64| {
            if value.is_finite() {
                json!(value)
            } else {
                Value::Null
            }
        };
        let (metrics, limits, skipped) = match &self.measured {
            Measured::Skipped(why) => (Map::new(), Map::new(), Some(why)),
            Measured::Numbers { metrics, limits } => (
                metrics
                    .iter()
                    .map(|(name, value)| (name.clone(), number(*value)))
                    .collect(),
                limits
                    .iter()
                    .map(|(name, limit)| (name.clone(), number(limit.number())))
                    .collect(),
                None,
            ),
        };
        let mut line = json!({
            "case": self.case,
            "metrics": metrics,
            "limits": limits,
            "pass": self.passes(),
            "seconds": (self.seconds * 1e6).round() / 1e6,
        });
        if let Some(why) = skipped {
            line["skipped"] = json!(why);
        }
        line
    }

    /// The line for a person.
    pub fn text(&self) -> String {
        let mut text = String::new();
        match &self.measured {
            Measured::Skipped(why) => text.push_str(&format!("SKIP  {}: {why}\n", self.case)),
            Measured::Numbers { metrics, limits } => {
                let mark = if self.passes() { "good" } else { "FAIL" };
                text.push_str(&format!("{mark}  {} ({:.2} s)\n", self.case, self.seconds));
                for (name, value) in metrics {
                    let held = limits
                        .get(name)
                        .map(|limit| {
                            let mark = if limit.holds(*value) {
                                ""
                            } else {
                                "  <-- not kept"
                            };
                            format!("   {} {:e}{mark}", limit.sign(), limit.number())
                        })
                        .unwrap_or_default();
                    text.push_str(&format!("      {name:<28} {value:<12.4e}{held}\n"));
                }
            }
        }
        text
    }
}

/// The cases whose names match a pattern such as `exact/*`.
pub fn matching<'a>(cases: &'a [Case], pattern: Option<&str>) -> Result<Vec<&'a Case>, Failure> {
    let Some(pattern) = pattern else {
        return Ok(cases.iter().collect());
    };
    let glob = glob::Pattern::new(pattern)
        .map_err(|error| Failure::Input(format!("`{pattern}` is not a pattern: {error}")))?;
    let found: Vec<&Case> = cases
        .iter()
        .filter(|case| glob.matches(case.name))
        .collect();
    if found.is_empty() {
        let names: Vec<&str> = cases.iter().map(|case| case.name).collect();
        return Err(Failure::Input(format!(
            "no case matches `{pattern}`; there are: {}",
            names.join(", ")
        )));
    }
    Ok(found)
}

/// Measures cases one after the other and prints a line for each; keeps the numbers in a record if one is named.
pub fn print_all(
    kind: Kind,
    cases: &[&Case],
    json: bool,
    record: Option<&Path>,
) -> Result<(), Failure> {
    let mut record = record.map(Record::open).transpose()?;
    let mut bad = Vec::new();
    for case in cases {
        let line = case.run()?;
        if json {
            say!("{}", line.json());
        } else {
            say!("{}", line.text().trim_end());
        }
        if !line.passes() {
            bad.push(case.name);
        }
        // Written after every case: the next may take an hour.
        if let Some(record) = &mut record {
            record.keep(case, &line);
            record.write(kind)?;
        }
    }
    if bad.is_empty() {
        Ok(())
    } else {
        Err(Failure::NotGood(format!("not good: {}", bad.join(", "))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(value: f64, limit: Limit) -> Line {
        Line {
            case: "a/b",
            measured: Measured::Numbers {
                metrics: [("m".to_owned(), value)].into(),
                limits: [("m".to_owned(), limit)].into(),
            },
            seconds: 1.0,
        }
    }

    #[test]
    fn a_limit_can_be_missed() {
        assert!(line(1.0, Limit::AtMost(1.0)).passes());
        assert!(!line(1.1, Limit::AtMost(1.0)).passes());
        assert!(!line(0.9, Limit::AtLeast(1.0)).passes());
        assert!(!line(f64::NAN, Limit::AtMost(1.0)).passes());
        assert!(!line(f64::NAN, Limit::AtLeast(1.0)).passes());
    }

    #[test]
    fn a_line_holds_the_five_fields_of_the_contract() {
        let json = line(0.5, Limit::AtMost(1.0)).json();
        assert_eq!(
            json.to_string(),
            r#"{"case":"a/b","metrics":{"m":0.5},"limits":{"m":1.0},"pass":true,"seconds":1.0}"#
        );
    }

    #[test]
    fn a_nan_is_the_worst_error() {
        assert_eq!(Worst::of([1.0, f64::NAN, 2.0]), f64::MAX);
        assert_eq!(Worst::of([f64::INFINITY]), f64::MAX);
        assert_eq!(Worst::of([0.5, 0.25]), 0.5);
    }

    #[test]
    fn a_limit_without_its_metric_fails() {
        let mut line = line(0.5, Limit::AtMost(1.0));
        if let Measured::Numbers { metrics, .. } = &mut line.measured {
            metrics.clear();
        }
        assert!(!line.passes());
    }
}
