//! Cases of `validate` and `bench`: name, limits known before the run, metrics, and output line.

mod record;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use serde_json::{Map, Value, json};

use record::Record;
use wavefield::Error;

/// Purpose of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Correctness.
    Validation,
    /// Performance.
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

/// Limit of a metric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// Upper limit.
    AtMost(f64),
    /// Lower limit.
    AtLeast(f64),
}

impl Limit {
    /// Returns the limiting value.
    pub fn number(self) -> f64 {
        match self {
            Limit::AtMost(number) | Limit::AtLeast(number) => number,
        }
    }

    /// Returns whether a value satisfies the limit; NaN does not.
    pub fn holds(self, value: f64) -> bool {
        match self {
            Limit::AtMost(number) => value <= number,
            Limit::AtLeast(number) => value >= number,
        }
    }

    /// Returns whether recorded metrics satisfy all limits; a missing or non-finite metric does not.
    pub fn all_hold(limits: &Limits, metrics: &Metrics) -> bool {
        (limits.iter()).all(|(name, limit)| {
            (metrics.get(name)).is_some_and(|value| value.is_finite() && limit.holds(*value))
        })
    }

    /// Returns ≤ or ≥.
    pub fn sign(self) -> &'static str {
        match self {
            Limit::AtMost(_) => "≤",
            Limit::AtLeast(_) => "≥",
        }
    }
}

/// Formats the limit as in records: `≤ 0.5`.
impl std::fmt::Display for Limit {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "{} {}",
            self.sign(),
            record::number(self.number())
        )
    }
}

/// Named metrics.
pub type Metrics = BTreeMap<String, f64>;

/// Limits of named metrics.
pub type Limits = BTreeMap<String, Limit>;

/// Case to be measured, with limits that are known before it runs.
pub struct Case {
    /// `solver/case`.
    pub name: &'static str,
    /// One-line description.
    pub about: &'static str,
    /// Limits of correctness, or of a ratio to a bound of the machine; all must hold for the case to pass.
    pub limits: Limits,
    /// Limits of wall-clock time, which depend on the machine and its load: reported separately, without effect on
    /// whether the case passes.
    pub time_limits: Limits,
    /// Measurement.
    pub measure: Box<dyn Fn() -> Result<Measured, Error>>,
}

impl Case {
    /// Creates a case without limits.
    pub(crate) fn new(
        name: &'static str,
        about: &'static str,
        measure: impl Fn() -> Result<Measured, Error> + 'static,
    ) -> Case {
        Case {
            name,
            about,
            limits: Limits::new(),
            time_limits: Limits::new(),
            measure: Box::new(measure),
        }
    }

    /// Adds limits that decide whether the case passes.
    pub(crate) fn limits<N: Into<String>>(
        mut self,
        limits: impl IntoIterator<Item = (N, Limit)>,
    ) -> Case {
        (self.limits).extend(limits.into_iter().map(|(name, limit)| (name.into(), limit)));
        self
    }

    /// Adds limits of wall-clock time.
    pub(crate) fn time_limits<N: Into<String>>(
        mut self,
        limits: impl IntoIterator<Item = (N, Limit)>,
    ) -> Case {
        (self.time_limits).extend(limits.into_iter().map(|(name, limit)| (name.into(), limit)));
        self
    }

    /// Runs the measurement and times it.
    pub fn run(&self) -> Result<Line, Error> {
        let start = Instant::now();
        let measured = (self.measure)()?;
        Ok(Line {
            case: self.name,
            measured,
            limits: self.limits.clone(),
            time_limits: self.time_limits.clone(),
            seconds: start.elapsed().as_secs_f64(),
        })
    }

    /// Returns the case as JSON without running it.
    pub fn json(&self) -> Value {
        json!({
            "case": self.name,
            "about": self.about,
            "limits": with_sense(&self.limits),
            "time_limits": with_sense(&self.time_limits),
        })
    }
}

/// Checks that all cases can fail: a case without a limit of correctness, or with a duplicate name, is an error.
///
/// # Errors
/// [`Error::runtime`] with the name of the case.
pub(crate) fn checked(cases: Vec<Case>) -> Result<Vec<Case>, Error> {
    for (number, case) in cases.iter().enumerate() {
        let name = case.name;
        if case.limits.is_empty() {
            let has = if case.time_limits.is_empty() {
                "no limit"
            } else {
                "only limits of wall-clock time"
            };
            return Err(Error::runtime(format!(
                "case `{name}` has {has} and cannot fail; add a limit of correctness"
            )));
        }
        if let Some(metric) = (case.limits.keys()).find(|name| case.time_limits.contains_key(*name))
        {
            return Err(Error::runtime(format!(
                "case `{name}` limits `{metric}` both as correctness and as wall-clock time"
            )));
        }
        if cases[..number].iter().any(|other| other.name == name) {
            return Err(Error::runtime(format!("duplicate case name `{name}`")));
        }
    }
    Ok(cases)
}

/// Outcome of a measurement.
pub enum Measured {
    /// Metrics.
    Metrics(Metrics),
    /// Skipped, with the reason.
    Skipped(String),
}

impl<N: Into<String>, const COUNT: usize> From<[(N, f64); COUNT]> for Measured {
    fn from(metrics: [(N, f64); COUNT]) -> Measured {
        let named = (metrics.into_iter()).map(|(name, value)| (name.into(), value));
        Measured::Metrics(named.collect())
    }
}

impl From<Metrics> for Measured {
    fn from(metrics: Metrics) -> Measured {
        Measured::Metrics(metrics)
    }
}

/// Serializes limits with their sense.
fn with_sense(limits: &Limits) -> Map<String, Value> {
    (limits.iter())
        .map(|(name, limit)| {
            let sense = match limit {
                Limit::AtMost(_) => "at_most",
                Limit::AtLeast(_) => "at_least",
            };
            (name.clone(), json!({ sense: limit.number() }))
        })
        .collect()
}

/// Output line of a case.
pub struct Line {
    /// Name of the case.
    pub case: &'static str,
    /// Outcome of the measurement.
    pub measured: Measured,
    /// Limits that decide whether the case passes.
    pub limits: Limits,
    /// Limits of wall-clock time.
    pub time_limits: Limits,
    /// Run time, s.
    pub seconds: f64,
}

impl Line {
    /// Returns whether all limits of correctness hold; false for a skipped case or a missing metric.
    pub fn passes(&self) -> bool {
        match &self.measured {
            Measured::Skipped(_) => false,
            Measured::Metrics(metrics) => {
                !self.limits.is_empty() && Limit::all_hold(&self.limits, metrics)
            }
        }
    }

    /// Returns whether all limits of wall-clock time hold.
    pub fn in_time(&self) -> bool {
        match &self.measured {
            Measured::Skipped(_) => false,
            Measured::Metrics(metrics) => Limit::all_hold(&self.time_limits, metrics),
        }
    }

    /// Returns the line as JSON.
    pub fn json(&self) -> Value {
        let number = |value: f64| {
            if value.is_finite() {
                json!(value)
            } else {
                Value::Null
            }
        };
        let bare = |limits: &Limits| -> Map<String, Value> {
            (limits.iter())
                .map(|(name, limit)| (name.clone(), number(limit.number())))
                .collect()
        };
        let (metrics, skipped) = match &self.measured {
            Measured::Skipped(why) => (Map::new(), Some(why)),
            Measured::Metrics(metrics) => (
                (metrics.iter())
                    .map(|(name, value)| (name.clone(), number(*value)))
                    .collect(),
                None,
            ),
        };
        let mut line = json!({
            "case": self.case,
            "metrics": metrics,
            "limits": bare(&self.limits),
            "time_limits": bare(&self.time_limits),
            "pass": self.passes(),
            "in_time": self.in_time(),
            "seconds": (self.seconds * 1e6).round() / 1e6,
        });
        if let Some(why) = skipped {
            line["skipped"] = json!(why);
        }
        line
    }

    /// Returns the line as text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        match &self.measured {
            Measured::Skipped(why) => text.push_str(&format!("SKIP  {}: {why}\n", self.case)),
            Measured::Metrics(metrics) => {
                let mark = if self.passes() { "good" } else { "FAIL" };
                text.push_str(&format!("{mark}  {} ({:.2} s)\n", self.case, self.seconds));
                for (name, value) in metrics {
                    let held = [
                        (&self.limits, "  <-- limit not met"),
                        (&self.time_limits, "  (time limit not met)"),
                    ]
                    .into_iter()
                    .find_map(|(limits, missed)| {
                        let limit = limits.get(name)?;
                        let mark = if limit.holds(*value) { "" } else { missed };
                        Some(format!("   {} {:e}{mark}", limit.sign(), limit.number()))
                    })
                    .unwrap_or_default();
                    text.push_str(&format!("      {name:<28} {value:<12.4e}{held}\n"));
                }
                for name in (self.limits.keys().chain(self.time_limits.keys()))
                    .filter(|name| !metrics.contains_key(*name))
                {
                    text.push_str(&format!("      {name:<28} missing metric with a limit\n"));
                }
            }
        }
        text
    }
}

/// Returns the cases whose names match a pattern such as `exact/*`.
pub fn matching<'a>(cases: &'a [Case], pattern: Option<&str>) -> Result<Vec<&'a Case>, Error> {
    let Some(pattern) = pattern else {
        return Ok(cases.iter().collect());
    };
    let glob = glob::Pattern::new(pattern)
        .map_err(|error| Error::input(format!("invalid pattern `{pattern}`: {error}")))?;
    let found: Vec<&Case> = cases
        .iter()
        .filter(|case| glob.matches(case.name))
        .collect();
    if found.is_empty() {
        let names: Vec<&str> = cases.iter().map(|case| case.name).collect();
        return Err(Error::input(format!(
            "no case matches `{pattern}`; choose from: {}",
            names.join(", ")
        )));
    }
    Ok(found)
}

/// Runs cases one after another and passes on the line of each; records the metrics if a record is given.
///
/// # Errors
/// [`Error::not_converged`] with the names of the cases that fail.
pub fn measure_all(
    kind: Kind,
    cases: &[&Case],
    record: Option<&Path>,
    mut show: impl FnMut(&Line),
) -> Result<(), Error> {
    let mut record = record.map(Record::open).transpose()?;
    let mut bad = Vec::new();
    for case in cases {
        let line = case.run()?;
        show(&line);
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
        Err(Error::not_converged(format!("failed: {}", bad.join(", "))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(value: f64, limit: Limit) -> Line {
        Line {
            case: "a/b",
            measured: [("m", value)].into(),
            limits: [("m".to_owned(), limit)].into(),
            time_limits: Limits::new(),
            seconds: 1.0,
        }
    }

    fn case(name: &'static str) -> Case {
        Case::new(name, "a case", || Ok([("m", 0.5)].into()))
    }

    #[test]
    fn a_limit_can_be_missed() {
        assert!(line(1.0, Limit::AtMost(1.0)).passes());
        assert!(!line(1.1, Limit::AtMost(1.0)).passes());
        assert!(!line(0.9, Limit::AtLeast(1.0)).passes());
        for limit in [Limit::AtMost(1.0), Limit::AtLeast(1.0)] {
            for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                assert!(!line(value, limit).passes(), "{value}");
            }
        }
    }

    #[test]
    fn a_line_holds_the_fields_of_the_contract() {
        let mut line = line(0.5, Limit::AtMost(1.0));
        line.time_limits.insert("s".to_owned(), Limit::AtMost(2.0));
        assert_eq!(
            line.json().to_string(),
            r#"{"case":"a/b","metrics":{"m":0.5},"limits":{"m":1.0},"time_limits":{"s":2.0},"pass":true,"in_time":false,"seconds":1.0}"#
        );
    }

    #[test]
    fn a_limit_without_its_metric_fails() {
        let mut line = line(0.5, Limit::AtMost(1.0));
        line.measured = Measured::Metrics(Metrics::new());
        assert!(!line.passes());
        assert!(line.text().contains("missing"), "{}", line.text());
    }

    #[test]
    fn a_line_without_limits_fails() {
        let mut line = line(0.5, Limit::AtMost(1.0));
        line.limits.clear();
        assert!(!line.passes());
    }

    #[test]
    fn a_missed_time_limit_is_reported_and_does_not_fail_the_case() {
        let mut line = line(0.5, Limit::AtMost(1.0));
        line.measured = [("m", 0.5), ("s", 3.0)].into();
        line.time_limits.insert("s".to_owned(), Limit::AtMost(2.0));
        assert!(line.passes() && !line.in_time());
        assert!(line.text().contains("time limit not met"));
        line.measured = [("m", 0.5), ("s", 1.0)].into();
        assert!(line.passes() && line.in_time());
    }

    #[test]
    fn a_case_that_cannot_fail_is_refused() {
        let said = |cases| checked(cases).err().map(|error| error.to_string());
        let limit = [("m", Limit::AtMost(1.0))];
        assert!(said(vec![case("a/b")]).unwrap().contains("has no limit"));
        let only_time = case("a/b").time_limits([("s", Limit::AtMost(1.0))]);
        assert!(
            said(vec![only_time])
                .unwrap()
                .contains("only limits of wall-clock")
        );
        let both = case("a/b").limits(limit).time_limits(limit);
        assert!(said(vec![both]).unwrap().contains("both"));
        let twice = vec![case("a/b").limits(limit), case("a/b").limits(limit)];
        assert!(said(twice).unwrap().contains("duplicate case name"));
        assert_eq!(said(vec![case("a/b").limits(limit)]), None);
    }

    #[test]
    fn a_case_tells_its_limits_before_it_runs() {
        let case = case("a/b")
            .limits([("m", Limit::AtLeast(0.25))])
            .time_limits([("s", Limit::AtMost(2.0))]);
        assert_eq!(
            case.json().to_string(),
            r#"{"case":"a/b","about":"a case","limits":{"m":{"at_least":0.25}},"time_limits":{"s":{"at_most":2.0}}}"#
        );
    }
}
