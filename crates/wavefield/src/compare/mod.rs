//! Comparison of results: overlaid curves, and differences from a reference.
//!
//! Rows are compared where frequency and directions agree. The reference is the result asked for, or else an exact
//! solution if there is one.

mod candidate;
mod figures;
mod measure;
mod rows;
mod validity;

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::Serialize;
use wavefield_numerics::observe::Observer;
use wavefield_solver::display_path;

pub use candidate::Candidate;
pub use measure::{Agreement, suite_errors, written_db};

use crate::Error;
use crate::outcome::{Data, KeyFigure, Outcome};
use crate::result::{self, Record, Timing};
use crate::run::Options;
use rows::{NOISE_DB, Rows, format_label};

/// Options of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Options of the runs.
    pub options: Options,
    /// Name of the reference; by default an exact solution, else an integral equation, else the first result.
    pub reference: Option<String>,
}

/// Default reference solvers, most accurate first: integral equations have discretization errors only.
const JUDGES: [&str; 3] = ["exact", "mom2d", "mom3d"];

/// Agreement of one result with the reference in one quantity.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// Name of the result.
    pub name: String,
    /// Column of the quantity.
    pub quantity: String,
    /// Error metrics.
    #[serde(flatten)]
    pub agreement: Agreement,
}

/// Compares the results that the paths name, and writes a result folder with a report. Problems are run first, into
/// subfolders of their names.
///
/// # Errors
/// [`Error::input`] for fewer than two results, or results without a common quantity; those of a run.
pub fn compare_to_folder(
    paths: &[PathBuf],
    comparison: &Comparison,
    observer: &dyn Observer,
    folder: &Path,
) -> Result<(Record, Vec<Verdict>), Error> {
    let start = Instant::now();
    let sources = candidate::sources(paths)?;
    let is_out = |path: &&PathBuf| {
        let same = |a: &Path, b: &Path| Some(a.canonicalize().ok()? == b.canonicalize().ok()?);
        same(path, folder) == Some(true)
    };
    if let Some(path) = paths.iter().find(is_out) {
        return Err(Error::input(format!(
            "{} would be replaced by the comparison; choose another folder with --out",
            display_path(path)
        )));
    }
    // An unusable result folder is reported before any run.
    result::prepare(folder)?;
    let mut candidates = sources
        .iter()
        .map(|source| source.candidate(&comparison.options, observer, folder))
        .collect::<Result<Vec<_>, _>>()?;
    candidate::label(&mut candidates, &sources);
    let Compared {
        mut record,
        outcome,
        verdicts,
    } = compare(&candidates, comparison.reference.as_deref())?;
    record.timings.push(Timing {
        stage: "compare".to_owned(),
        seconds: start.elapsed().as_secs_f64(),
    });
    result::write(folder, &record, &outcome)?;
    Ok((record, verdicts))
}

/// Results that have been compared.
#[derive(Clone, Debug)]
pub struct Compared {
    /// Record of the comparison.
    pub record: Record,
    /// All values on common rows, and figures of them.
    pub outcome: Outcome,
    /// Agreement of every result with the reference.
    pub verdicts: Vec<Verdict>,
}

/// Compares loaded results.
///
/// # Errors
/// [`Error::input`] for fewer than two results, or results without a common quantity.
pub fn compare(candidates: &[Candidate], reference: Option<&str>) -> Result<Compared, Error> {
    if candidates.len() < 2 {
        return Err(Error::input(
            "a comparison needs at least two results; pass result folders, problem files, or CSV tables"
                .to_owned(),
        ));
    }
    let reference = match reference {
        Some(name) => candidates
            .iter()
            .position(|candidate| candidate.name == name)
            .ok_or_else(|| {
                let names: Vec<&str> = candidates.iter().map(|e| e.name.as_str()).collect();
                Error::input(format!(
                    "unknown result `{name}`; choose one of {}",
                    names.join(", ")
                ))
            })?,
        None => (JUDGES.iter())
            .find_map(|&reference| candidates.iter().position(|e| e.solver == reference))
            .unwrap_or(0),
    };
    let rows = Rows::common(candidates, reference)?;
    let mut verdicts = Vec::new();
    let mut outcome = Outcome::default();
    let mut noise = Vec::new();
    let mut columns: Vec<(String, String, Data)> = (rows.keys.iter().zip(&rows.coordinates))
        .map(|(key, values)| {
            (
                key.name.clone(),
                key.unit.clone(),
                Data::Real(values.clone()),
            )
        })
        .collect();
    for (quantity, values) in rows.quantities.iter().zip(&rows.values) {
        for (candidate, values) in candidates.iter().zip(values) {
            let Some(values) = values else { continue };
            let name = format!("{}_{}", candidate.name, quantity.name);
            columns.push((name, quantity.unit.clone(), Data::Real(values.clone())));
        }
        let Some(wanted) = &values[reference] else {
            continue;
        };
        for (number, (candidate, values)) in candidates.iter().zip(values).enumerate() {
            let Some(found) = values.as_ref().filter(|_| number != reference) else {
                continue;
            };
            let label = format!("{}, {}", candidate.label, format_label(&quantity.name));
            if let Some(below) = rows.noise_of(number, quantity) {
                noise.push(weak(&label, below));
                continue;
            }
            let difference = (found.iter().zip(wanted)).map(|(f, w)| f - w).collect();
            let name = format!("{}_{}_difference", candidate.name, quantity.name);
            columns.push((name, "dB".to_owned(), Data::Real(difference)));
            let verdict = Verdict {
                name: candidate.name.clone(),
                quantity: quantity.name.clone(),
                agreement: Agreement::of(found, wanted),
            };
            outcome.key_figures.extend(key_figures_of(&label, &verdict));
            verdicts.push(verdict);
        }
    }
    let borrowed = columns
        .iter()
        .map(|(n, u, d)| (n.as_str(), u.as_str(), d.clone()));
    outcome.add_table(
        TABLE,
        "All results on common rows, and their differences from the reference",
        borrowed.collect(),
    );
    figures::add(&mut outcome, candidates, reference, &rows);
    noise.extend(
        (rows.weak.iter()).map(|(column, below)| weak(&format_label(&column.name), *below)),
    );
    outcome.key_figures.extend(noise);
    outcome.validity = validity::of_all(candidates, reference, &rows);
    let reference = &candidates[reference];
    outcome.summary = format!(
        "{} results at {} common frequencies and directions, compared with {}: {}.",
        candidates.len(),
        rows.coordinates.first().map_or(0, Vec::len),
        reference.label,
        reference.about
    );
    // A comparison predicts no accuracy of its own.
    outcome.accuracy = 0.0;
    Ok(Compared {
        record: record(candidates, &outcome),
        outcome,
        verdicts,
    })
}

/// Name of the table of a comparison.
const TABLE: &str = "comparison";

/// Returns the key figures of a result: mean difference, and fraction of rows within 1 dB.
fn key_figures_of(name: &str, verdict: &Verdict) -> [KeyFigure; 2] {
    let agreement = &verdict.agreement;
    [
        KeyFigure::new(
            &format!("{name}: mean difference"),
            written_db(agreement.mean_db),
            "dB",
        ),
        KeyFigure::new(
            &format!("{name}: within 1 dB"),
            format!("{:.0}", 100.0 * agreement.within_one_db),
            "%",
        ),
    ]
}

/// Returns the key figure of a quantity that is too weak for statistics.
fn weak(name: &str, below: f64) -> KeyFigure {
    let value = if below > NOISE_DB {
        "at noise level"
    } else {
        "not compared"
    };
    let place = match below {
        below if below.is_finite() => format!("({below:.0} dB below the strongest quantity)"),
        _ => "(zero)".to_owned(),
    };
    KeyFigure::new(name, value.to_owned(), &place)
}

fn record(candidates: &[Candidate], outcome: &Outcome) -> Record {
    let names: Vec<&str> = candidates.iter().map(|e| e.label.as_str()).collect();
    let title = format!("Comparison: {}", names.join(", "));
    let problem: String = candidates
        .iter()
        .map(|candidate| format!("# {}: {}\n", candidate.name, candidate.about))
        .collect();
    Record::of("compare", title, problem, outcome)
}
