//! Parameter sweeps: every variation of a problem is run into its own folder, and the key figures are merged into a
//! table.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use wavefield_numerics::cpu::CpuPool;
use wavefield_numerics::observe::{Cancelled, Observer, Progress};
use wavefield_solver::checkpoint::{CheckpointError, CheckpointStore};
use wavefield_solver::{ErrorClass, tasks};

use crate::Error;
use crate::outcome::{Check, Data, Figure, FigureKind, KeyFigure, Outcome, Series};
use crate::problem::Variation;
use crate::result::{PROGRAM, Record};
use crate::run::{Options, run_alone};

/// Saved result of a variation.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Summary {
    key_figures: Vec<KeyFigure>,
    /// Number of failed checks.
    failed: u32,
    seconds: f64,
}

/// Reason why a variation was not run.
enum NotRun {
    Failed(Error),
    Cancelled,
    Checkpoint(CheckpointError),
}

impl From<CheckpointError> for NotRun {
    fn from(reason: CheckpointError) -> NotRun {
        NotRun::Checkpoint(reason)
    }
}

impl From<Cancelled> for NotRun {
    fn from(_: Cancelled) -> NotRun {
        NotRun::Cancelled
    }
}

impl From<NotRun> for Error {
    fn from(reason: NotRun) -> Error {
        match reason {
            NotRun::Failed(error) => error,
            NotRun::Cancelled => Error::interrupted(),
            NotRun::Checkpoint(reason) => Error::runtime(reason.to_string()),
        }
    }
}

/// Observer of a variation: passes on the stop request and drops progress, which the sweep reports.
struct Quiet<'a>(&'a dyn Observer);

impl Observer for Quiet<'_> {
    fn progress(&self, _: &Progress<'_>) {}

    fn stop_requested(&self) -> bool {
        self.0.stop_requested()
    }
}

/// Runs all variations that are not in the journal, one after another within a process, and merges them.
pub(crate) fn run(
    variations: &[Variation],
    options: &Options,
    checkpoints: &dyn CheckpointStore,
    observer: &dyn Observer,
    folder: &Path,
) -> Result<Outcome, Error> {
    let keys = variations
        .iter()
        .map(|variation| {
            let identity = variation.problem.identity()?;
            tasks::common(&identity).map_err(|error| Error::runtime(error.to_string()))
        })
        .collect::<Result<Vec<_>, Error>>()?;
    // One at a time: a variation uses all threads itself.
    let one_by_one = CpuPool::new(Some(1))?;
    let summaries: Vec<Summary> = one_by_one.install(|| {
        tasks::run_all(checkpoints, observer, "variations", &keys, |number| {
            let variation = &variations[number];
            let start = Instant::now();
            let own = Options {
                resume: true,
                ..options.clone()
            };
            let out = folder.join(variation.folder());
            // On a thread outside the pool: a pool thread that waits would steal the next variation.
            let finished = std::thread::scope(|scope| {
                let work = || run_alone(&variation.problem, &own, &Quiet(observer), &out);
                scope.spawn(work).join()
            });
            let lost = |_| {
                Err(Error::runtime(
                    "the thread of a variation panicked".to_owned(),
                ))
            };
            let (record, _) =
                finished
                    .unwrap_or_else(lost)
                    .map_err(|error| match error.class() {
                        ErrorClass::Interrupted => NotRun::Cancelled,
                        _ => NotRun::Failed(error),
                    })?;
            Ok::<Summary, NotRun>(Summary {
                failed: record.checks.iter().filter(|check| !check.passes()).count() as u32,
                key_figures: record.key_figures,
                seconds: start.elapsed().as_secs_f64(),
            })
        })
    })?;
    Ok(gathered(variations, &summaries))
}

/// Renumbers the result folders of an earlier, smaller or larger, sweep, so that folders and table rows agree and an
/// interrupted variation is resumed. Only one process at a time may call it.
pub(crate) fn renumber(variations: &[Variation], folder: &Path) -> Result<(), Error> {
    let failed = |error: std::io::Error| Error::writing(folder, &error);
    let wanted: HashSet<String> = variations.iter().map(Variation::folder).collect();
    // Folders whose number is not that of this sweep, by the rest of their names.
    let mut misplaced: HashMap<String, Vec<PathBuf>> = HashMap::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        // File type of the entry itself: a symbolic link is not a folder.
        if entry.file_type().map_err(failed)?.is_dir() && !wanted.contains(&name) {
            let rest = name.trim_start_matches(|c: char| c.is_ascii_digit());
            misplaced
                .entry(rest.to_owned())
                .or_default()
                .push(entry.path());
        }
    }
    for paths in misplaced.values_mut() {
        // Popped from the end: lowest number first.
        paths.sort_unstable_by(|a, b| b.cmp(a));
    }
    for variation in variations {
        let path = folder.join(variation.folder());
        let found = misplaced.get_mut(&variation.unnumbered_folder());
        if !path.exists()
            && let Some(from) = found.and_then(Vec::pop)
        {
            std::fs::rename(&from, &path).map_err(|error| Error::writing(&path, &error))?;
        }
    }
    Ok(())
}

/// Merges the numeric key figures of all variations into a table over the swept values.
fn gathered(variations: &[Variation], summaries: &[Summary]) -> Outcome {
    let mut columns: Vec<(String, String, Data)> = vec![(
        "number".to_owned(),
        String::new(),
        Data::Index((1..=variations.len() as u32).collect()),
    )];
    let swept = variations.first().map_or(&[][..], |first| &first.values);
    for (at, (path, _)) in swept.iter().enumerate() {
        let values = variations.iter().map(|variation| &variation.values[at].1);
        let read: Vec<Option<(f64, String)>> = values.map(number_of).collect();
        let unit = read
            .first()
            .cloned()
            .flatten()
            .map_or(String::new(), |(_, unit)| unit);
        let same = |found: &Option<(f64, String)>| found.as_ref().is_some_and(|f| f.1 == unit);
        if read.iter().all(same) {
            let numbers = read.iter().flatten().map(|(number, _)| *number).collect();
            columns.push((path.clone(), unit, Data::Real(numbers)));
        }
    }
    let varied = columns.len();
    let first = summaries
        .first()
        .map_or(&[][..], |first| &first.key_figures);
    for figure in first {
        let same = |other: &&KeyFigure| other.label == figure.label && other.unit == figure.unit;
        let value = |summary: &Summary| -> Option<f64> {
            summary.key_figures.iter().find(same)?.value.parse().ok()
        };
        let values: Option<Vec<f64>> = summaries.iter().map(value).collect();
        if let Some(values) = values {
            columns.push((
                figure.label.clone(),
                figure.unit.clone(),
                Data::Real(values),
            ));
        }
    }
    let seconds = summaries.iter().map(|summary| summary.seconds).collect();
    columns.push(("seconds".to_owned(), "s".to_owned(), Data::Real(seconds)));
    let failed: u32 = summaries
        .iter()
        .map(|summary| u32::from(summary.failed > 0))
        .sum();
    let mut outcome = Outcome {
        summary: format!("Parameter sweep of {} variations.", variations.len()),
        key_figures: vec![KeyFigure::new(
            "variations",
            variations.len().to_string(),
            "",
        )],
        checks: vec![Check {
            name: "variations with failed checks".to_owned(),
            value: failed.into(),
            limit: 0.0,
            against: "reports of the variations".to_owned(),
            remedy: "open the reports of the variations, which name the keys".to_owned(),
        }],
        ..Outcome::default()
    };
    if let Some(figure) = figure(variations, &columns[1..varied], columns.get(varied)) {
        outcome.figures.push(figure);
    }
    let borrowed: Vec<(&str, &str, Data)> = (columns.iter())
        .map(|(name, unit, data)| (name.as_str(), unit.as_str(), data.clone()))
        .collect();
    outcome.add_table(
        "sweep",
        "Swept values and key figures; the result folder of a variation starts with its number.",
        borrowed,
    );
    if let Some(table) = outcome.tables.last_mut() {
        table.in_report = variations.len() <= SHOWN;
    }
    outcome
}

/// Maximum number of table rows in the report.
const SHOWN: usize = 60;

/// Maximum number of curves in a figure.
const MAX_CURVES: usize = 8;

/// Returns the figure of the first key figure versus the fastest swept value, one curve per combination of the others.
fn figure(
    variations: &[Variation],
    varied: &[(String, String, Data)],
    found: Option<&(String, String, Data)>,
) -> Option<Figure> {
    let (y, y_unit, _) = found?;
    let (path, _) = variations.first()?.values.last()?;
    let (x, x_unit, _) = varied.last().filter(|(name, ..)| name == path)?;
    let rest = |variation: &Variation| -> Vec<String> {
        let values = variation.values.iter().rev().skip(1).rev();
        values.map(|(path, value)| named(path, value)).collect()
    };
    let run = (variations.iter())
        .take_while(|variation| rest(variation) == rest(&variations[0]))
        .count();
    let curves = (variations.chunks(run).enumerate().take(MAX_CURVES))
        .map(|(number, chunk)| {
            let name = rest(&chunk[0]).join(", ");
            let name = if name.is_empty() { y } else { &name };
            Series {
                part: (run < variations.len()).then_some((number * run, run)),
                ..Series::new(name, &format!("sweep/{x}"), &format!("sweep/{y}"))
            }
        })
        .collect();
    Some(Figure {
        title: format!("{y} versus {x}"),
        caption: "One run per point.".to_owned(),
        kind: FigureKind::Cartesian,
        x_label: x.clone(),
        x_unit: x_unit.clone(),
        y_label: y.clone(),
        y_unit: y_unit.clone(),
        series: curves,
    })
}

/// Formats a value with the last component of its path.
fn named(path: &str, value: &toml::Value) -> String {
    let last = path.rsplit('.').next().unwrap_or(path);
    match value {
        toml::Value::String(text) => format!("{last} {text}"),
        other => format!("{last} {other}"),
    }
}

/// Parses a value as a number and its unit.
fn number_of(value: &toml::Value) -> Option<(f64, String)> {
    match value {
        toml::Value::Integer(number) => Some((*number as f64, String::new())),
        toml::Value::Float(number) => Some((*number, String::new())),
        toml::Value::String(text) => {
            let (number, unit) = text.trim().split_once(' ').unwrap_or((text, ""));
            Some((number.parse().ok()?, unit.trim().to_owned()))
        }
        _ => None,
    }
}

/// Returns the identity of the sweep's checkpoint, which differs from that of every other problem.
pub(crate) fn identity() -> String {
    format!("{PROGRAM} sweep")
}

/// Creates the record of a sweep.
pub(crate) fn record(variations: &[Variation], text: &str, outcome: &Outcome) -> Record {
    let title = variations.first().map_or("", |first| &first.problem.title);
    Record::of("sweep", format!("Sweep: {title}"), text.to_owned(), outcome)
}
