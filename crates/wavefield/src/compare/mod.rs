//! Several results on the same quantity: curves over each other, and how far each is from one of them.
//!
//! Results are compared row by row where frequency and directions are the same. What they are held against is an exact
//! solution where there is one among them, or the one that is asked for.

mod entrant;
mod figures;
mod measure;
mod rows;
mod validity;

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::Serialize;
use wavefield_numerics::observe::Observer;

pub use entrant::Entrant;
pub use measure::{Agreement, suite_errors, written_db};

use crate::Error;
use crate::outcome::{Data, KeyFigure, Outcome};
use crate::result::{self, Record, Timing};
use crate::run::Options;
use rows::Rows;

/// How results are compared.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// How problems among them are run.
    pub options: Options,
    /// The name of the one that the others are held against; an exact solution, an integral equation, or else the first if not said.
    pub reference: Option<String>,
}

/// Solvers that the others are held against if nothing is said, the best first: nothing but the mesh is approximated by
/// integral equations.
const JUDGES: [&str; 3] = ["exact", "mom2d", "mom3d"];

/// How one result agrees with the reference in one quantity.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// Name of the result.
    pub name: String,
    /// Column of the quantity.
    pub quantity: String,
    /// How far they are apart.
    #[serde(flatten)]
    pub agreement: Agreement,
}

/// Compares what the paths name, and writes a result folder with a report. Problems are run first, into folders beside
/// the report that bear their names.
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
    let sources = entrant::sources(paths)?;
    // A bad folder costs no run.
    result::prepare(folder)?;
    let entrants = sources
        .iter()
        .map(|source| source.entrant(&comparison.options, observer, folder))
        .collect::<Result<Vec<_>, _>>()?;
    let Compared {
        mut record,
        outcome,
        verdicts,
    } = compare(&entrants, comparison.reference.as_deref())?;
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
    /// What was compared.
    pub record: Record,
    /// All values on common rows, and figures of them.
    pub outcome: Outcome,
    /// How every result agrees with the reference.
    pub verdicts: Vec<Verdict>,
}

/// Compares results that are there.
///
/// # Errors
/// [`Error::input`] for fewer than two results, or results without a common quantity.
pub fn compare(entrants: &[Entrant], reference: Option<&str>) -> Result<Compared, Error> {
    if entrants.len() < 2 {
        return Err(Error::input(
            "a comparison needs two results at least: result folders, problem files or CSV tables"
                .to_owned(),
        ));
    }
    let judge = match reference {
        Some(name) => entrants
            .iter()
            .position(|entrant| entrant.name == name)
            .ok_or_else(|| {
                let names: Vec<&str> = entrants.iter().map(|e| e.name.as_str()).collect();
                Error::input(format!(
                    "no result is called `{name}`; there are {}",
                    names.join(", ")
                ))
            })?,
        None => (JUDGES.iter())
            .find_map(|&judge| entrants.iter().position(|e| e.solver == judge))
            .unwrap_or(0),
    };
    let rows = Rows::common(entrants, judge)?;
    let mut verdicts = Vec::new();
    let mut outcome = Outcome::default();
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
        for (entrant, values) in entrants.iter().zip(values) {
            let Some(values) = values else { continue };
            let name = format!("{}_{}", entrant.name, quantity.name);
            columns.push((name, quantity.unit.clone(), Data::Real(values.clone())));
        }
        let Some(wanted) = &values[judge] else {
            continue;
        };
        for (number, (entrant, values)) in entrants.iter().zip(values).enumerate() {
            let Some(found) = values.as_ref().filter(|_| number != judge) else {
                continue;
            };
            let difference = (found.iter().zip(wanted)).map(|(f, w)| f - w).collect();
            let name = format!("{}_{}_difference", entrant.name, quantity.name);
            columns.push((name, "dB".to_owned(), Data::Real(difference)));
            verdicts.push(Verdict {
                name: entrant.name.clone(),
                quantity: quantity.name.clone(),
                agreement: Agreement::of(found, wanted),
            });
        }
    }
    let borrowed = columns
        .iter()
        .map(|(n, u, d)| (n.as_str(), u.as_str(), d.clone()));
    outcome.add_table(
        TABLE,
        "The same quantity by every result, and its difference from the reference",
        borrowed.collect(),
    );
    figures::add(&mut outcome, entrants, judge, &rows);
    outcome.key_figures = verdicts.iter().flat_map(cards).collect();
    outcome.validity = validity::of_all(entrants, judge, &rows);
    let judge = &entrants[judge];
    outcome.summary = format!(
        "{} results at {} common frequencies and directions, held against {}: {}.",
        entrants.len(),
        rows.coordinates.first().map_or(0, Vec::len),
        judge.name,
        judge.about
    );
    // Nothing is promised that was not measured.
    outcome.accuracy = 0.0;
    Ok(Compared {
        record: record(entrants, &outcome),
        outcome,
        verdicts,
    })
}

/// The table of a comparison.
const TABLE: &str = "comparison";

/// What a verdict says first: the mean difference, and how much of the sweep is right.
fn cards(verdict: &Verdict) -> [KeyFigure; 2] {
    let agreement = &verdict.agreement;
    let name = format!("{}, {}", verdict.name, rows::spoken(&verdict.quantity));
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

fn record(entrants: &[Entrant], outcome: &Outcome) -> Record {
    let names: Vec<&str> = entrants.iter().map(|e| e.name.as_str()).collect();
    let title = format!("Comparison: {}", names.join(", "));
    let problem: String = entrants
        .iter()
        .map(|entrant| format!("# {}: {}\n", entrant.name, entrant.about))
        .collect();
    Record::of("compare", title, problem, outcome)
}
