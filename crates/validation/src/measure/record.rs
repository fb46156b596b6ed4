//! Records of measurements: a JSON file of metrics, and a generated page of the book.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use wavefield_numerics::cpu::CpuInfo;

use super::{Case, Kind, Limits, Line, Measured};
use wavefield::result::{PROGRAM, write_file};
use wavefield::{Error, display_path};

/// Extension of the page.
const PAGE: &str = "md";

/// Latest measurement of every case.
#[derive(Debug)]
pub(super) struct Record {
    path: PathBuf,
    entries: BTreeMap<String, Entry>,
}

/// Latest measurement of a case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// One-line description.
    about: String,
    /// Date of the measurement.
    date: String,
    /// Name and version of the program.
    program: String,
    /// CPU and number of threads.
    machine: String,
    /// Run time, s.
    seconds: f64,
    /// Metrics.
    metrics: BTreeMap<String, f64>,
    /// Limits as text: `≤ 0.5`.
    limits: BTreeMap<String, String>,
    /// Limits of wall-clock time, which do not affect `pass`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    time_limits: BTreeMap<String, String>,
    /// Whether all limits of correctness hold.
    pass: bool,
    /// Whether all limits of wall-clock time hold.
    #[serde(default = "kept", skip_serializing_if = "is_kept")]
    in_time: bool,
}

fn kept() -> bool {
    true
}

fn is_kept(in_time: &bool) -> bool {
    *in_time
}

fn written(limits: &Limits) -> BTreeMap<String, String> {
    (limits.iter())
        .map(|(name, limit)| (name.clone(), limit.to_string()))
        .collect()
}

impl Record {
    /// Reads the record of a file; an empty one if the file does not exist.
    pub(super) fn open(path: &Path) -> Result<Record, Error> {
        if path.extension().is_some_and(|ending| ending == PAGE) {
            return Err(Error::input(format!(
                "{} is the name of the page beside the record; pass for instance `record.json`",
                display_path(path)
            )));
        }
        let entries = match fs::read_to_string(path) {
            Ok(text) => serde_json::from_str(&text).map_err(|error| {
                Error::input(format!(
                    "{} is not a record of measurements: {error}",
                    display_path(path)
                ))
            })?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => BTreeMap::new(),
            Err(error) => return Err(Error::reading(path, &error)),
        };
        Ok(Record {
            path: path.to_owned(),
            entries,
        })
    }

    /// Adds a measurement, replacing a previous one; a skipped case leaves the previous one.
    pub(super) fn keep(&mut self, case: &Case, line: &Line) {
        let Measured::Metrics(metrics) = &line.measured else {
            return;
        };
        let cpu = CpuInfo::detect();
        let entry = Entry {
            about: case.about.to_owned(),
            date: today(),
            program: PROGRAM.to_owned(),
            machine: format!(
                "{}, {} threads, {}",
                cpu.brand.as_deref().unwrap_or("unknown CPU"),
                cpu.logical_cores,
                cpu.simd
            ),
            seconds: (line.seconds * 1e3).round() / 1e3,
            // JSON has no infinity; a non-finite metric has failed its limit already.
            metrics: (metrics.iter())
                .filter(|(_, value)| value.is_finite())
                .map(|(name, value)| (name.clone(), *value))
                .collect(),
            limits: written(&line.limits),
            time_limits: written(&line.time_limits),
            pass: line.passes(),
            in_time: line.in_time(),
        };
        self.entries.insert(case.name.to_owned(), entry);
    }

    /// Writes the metrics and the page.
    pub(super) fn write(&self, kind: Kind) -> Result<(), Error> {
        let mut text = serde_json::to_string_pretty(&self.entries)
            .map_err(|error| Error::runtime(format!("cannot write the metrics: {error}")))?;
        text.push('\n');
        write_file(&self.path, text.as_bytes())?;
        write_file(&self.path.with_extension(PAGE), self.page(kind).as_bytes())
    }

    /// Generates the page: a section for each group of cases, a table for each case.
    fn page(&self, kind: Kind) -> String {
        let (title, command) = (kind.title(), kind.command());
        let mut page = format!(
            "# {title}\n\nMade by `wavefield {command} --record`; every value on this page was measured by the command \
             above it.\n"
        );
        let missed: Vec<&str> = (self.entries.iter())
            .filter(|(_, entry)| !entry.pass)
            .map(|(name, _)| name.as_str())
            .collect();
        let kept = self.entries.len() - missed.len();
        page.push_str(&format!("{kept} of {} cases pass", self.entries.len()));
        page.push_str(&match missed[..] {
            [] => ".\n".to_owned(),
            _ => format!("; failed: `{}`.\n", missed.join("`, `")),
        });
        let mut group = "";
        for (name, entry) in &self.entries {
            let of = name.split('/').next().unwrap_or_default();
            if of != group {
                page.push_str(&format!("\n## {of}\n"));
                group = of;
            }
            page.push_str(&format!(
                "\n**{}**\n\n    wavefield {command} {name}\n\n| metric | value | limit |\n|---|---|---|\n",
                entry.about
            ));
            for (name, value) in &entry.metrics {
                let limit = match (entry.limits.get(name), entry.time_limits.get(name)) {
                    (Some(limit), _) => limit.clone(),
                    (None, Some(limit)) => format!("{limit} (time)"),
                    (None, None) => String::new(),
                };
                page.push_str(&format!("| {name} | {} | {limit} |\n", number(*value)));
            }
            page.push_str(&format!(
                "\n{}{}{}, {} s, {}, {}.\n",
                if entry.pass {
                    ""
                } else {
                    "**A limit is not met.** "
                },
                if entry.in_time {
                    ""
                } else {
                    "A time limit is not met. "
                },
                entry.date,
                number(entry.seconds),
                entry.program,
                entry.machine
            ));
        }
        page
    }
}

/// Formats a number with three digits, and integers exactly.
pub(super) fn number(value: f64) -> String {
    let size = value.abs();
    if value.fract() == 0.0 && size < 1e9 {
        return format!("{value}");
    }
    if !(1e-3..1e6).contains(&size) {
        let text = format!("{value:.2e}");
        return match text.split_once('e') {
            Some((digits, power)) => format!("{}e{power}", without_zeros(digits)),
            None => text,
        };
    }
    let decimals = (2 - size.log10().floor() as i32).max(0) as usize;
    without_zeros(&format!("{value:.decimals$}")).to_owned()
}

/// Formats a decimal fraction without trailing zeros.
fn without_zeros(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}

/// Returns the date as year, month, and day of the Gregorian calendar (UTC).
fn today() -> String {
    let seconds = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    date(seconds / 86_400)
}

/// Returns the date a number of days after 1970-01-01: four centuries have 146,097 days, and a year that starts in
/// March has its leap day last.
fn date(days: u64) -> String {
    let days = days + 719_468;
    let (century4, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    format!("{:04}-{month:02}-{day:02}", 400 * century4 + year + later)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Limit;

    #[test]
    fn days_have_their_dates() {
        for (days, wanted) in [
            (0, "1970-01-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_089, "2025-01-01"),
            (20_773, "2026-11-16"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(date(days), wanted);
        }
    }

    #[test]
    fn numbers_have_three_digits() {
        for (value, wanted) in [
            (0.0, "0"),
            (0.24175, "0.242"),
            (747.19, "747"),
            (-84.27, "-84.3"),
            (2501.3, "2501"),
            (1.234e-9, "1.23e-9"),
            (0.5, "0.5"),
            (100.0, "100"),
            (28_808.0, "28808"),
            (1e-5, "1e-5"),
        ] {
            assert_eq!(number(value), wanted);
        }
    }

    #[test]
    fn pages_of_the_book_are_as_made_from_their_records() {
        let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src");
        for (kind, name) in [
            (Kind::Validation, "validation.json"),
            (Kind::Bench, "benchmarks.json"),
        ] {
            let path = book.join(name);
            let record = Record::open(&path).unwrap();
            assert!(!record.entries.is_empty());
            let page = fs::read_to_string(path.with_extension("md")).unwrap();
            assert_eq!(page, record.page(kind));
        }
    }

    #[test]
    fn a_case_measured_again_takes_its_place_and_the_others_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("validation.json");
        let case = |name| Case::new(name, "what it is", || Ok(Measured::Skipped(String::new())));
        let line = |case, value| Line {
            case,
            measured: [("error", value), ("run_seconds", 3.0)].into(),
            limits: [("error".to_owned(), Limit::AtMost(0.5))].into(),
            time_limits: [("run_seconds".to_owned(), Limit::AtMost(2.0))].into(),
            seconds: 1.0,
        };
        let mut record = Record::open(&path).unwrap();
        record.keep(&case("a/x"), &line("a/x", 0.25));
        record.keep(&case("a/y"), &line("a/y", 0.75));
        record.write(Kind::Validation).unwrap();
        let mut record = Record::open(&path).unwrap();
        record.keep(&case("a/y"), &line("a/y", 0.125));
        record.write(Kind::Validation).unwrap();
        let page = fs::read_to_string(folder.path().join("validation.md")).unwrap();
        assert!(page.contains("2 of 2 cases pass."), "{page}");
        assert!(page.contains("| error | 0.25 | ≤ 0.5 |"));
        assert!(page.contains("| error | 0.125 | ≤ 0.5 |"));
        assert!(page.contains("| run_seconds | 3 | ≤ 2 (time) |"));
        assert!(page.contains("A time limit is not met."));
    }
}
