//! The result folder: `result.json`, `arrays.npz`, one CSV per table, `problem.toml`.

mod csv;
mod npz;

use std::fs;
use std::io::Write as _;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::failure::{Failure, shown};
use crate::outcome::{Check, Figure, KeyFigure, Outcome, Table, View};

/// Version of the conventions stamped into every result.
pub const CONVENTIONS: u32 = 1;

/// What a run was: everything about it but the arrays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Name and version of the program.
    pub program: String,
    /// Version of the conventions, see CONVENTIONS.md.
    pub conventions: u32,
    /// The conventions in one line, for a reader without the program.
    pub conventions_summary: String,
    /// The solver.
    pub solver: String,
    /// Title of the problem.
    pub title: String,
    /// SHA-256 of the resolved problem.
    pub problem_sha256: String,
    /// The problem with every default written out.
    pub problem: String,
    /// What computed it.
    pub device: String,
    /// Threads used.
    pub threads: usize,
    /// Relative accuracy promised.
    pub accuracy: f64,
    /// Memory the plan asked for, bytes.
    pub memory: usize,
    /// Seconds by stage, in order.
    pub timings: Vec<Timing>,
    /// One sentence about the result.
    pub summary: String,
    /// Numbers worth showing first.
    pub key_figures: Vec<KeyFigure>,
    /// Checks the run made of itself.
    pub checks: Vec<Check>,
    /// Tables.
    pub tables: Vec<Table>,
    /// Figures.
    pub figures: Vec<Figure>,
    /// The three-dimensional view.
    pub view: View,
}

/// Time spent in one stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// Name of the stage.
    pub stage: String,
    /// Seconds.
    pub seconds: f64,
}

const RECORD: &str = "result.json";
const ARRAYS: &str = "arrays.npz";

/// Makes the folder ready: new, empty, or a former result that is replaced.
pub fn prepare(folder: &Path) -> Result<(), Failure> {
    if folder.join(RECORD).is_file() {
        return Ok(());
    }
    match fs::read_dir(folder) {
        Ok(mut entries) => {
            if entries.next().is_some() {
                return Err(Failure::Input(format!(
                    "{} is not empty and holds no former result; choose another folder with --out",
                    shown(folder)
                )));
            }
            Ok(())
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            fs::create_dir_all(folder).map_err(|error| Failure::writing(folder, &error))
        }
        Err(error) => Err(Failure::writing(folder, &error)),
    }
}

/// Writes everything; the record last, so that a folder with a record is complete.
pub fn write(folder: &Path, record: &Record, outcome: &Outcome) -> Result<(), Failure> {
    let old = folder.join(RECORD);
    if old.exists() {
        fs::remove_file(&old).map_err(|error| Failure::writing(&old, &error))?;
    }
    write_file(&folder.join("problem.toml"), record.problem.as_bytes())?;
    for table in &outcome.tables {
        let path = folder.join(format!("{}.csv", table.name));
        let text = csv::write(table, outcome);
        write_file(&path, text.as_bytes())?;
    }
    npz::write(&folder.join(ARRAYS), &outcome.arrays)?;
    let text = serde_json::to_string_pretty(record).map_err(|error| {
        Failure::Runtime(format!("the result cannot be written as JSON: {error}"))
    })?;
    write_file(&folder.join(RECORD), text.as_bytes())
}

/// Reads a result folder back.
pub fn read(folder: &Path) -> Result<(Record, Outcome), Failure> {
    let path = folder.join(RECORD);
    let text = fs::read_to_string(&path).map_err(|error| Failure::reading(&path, &error))?;
    let record: Record = serde_json::from_str(&text).map_err(|error| {
        Failure::Input(format!(
            "{} is not a result of this program: {error}",
            shown(&path)
        ))
    })?;
    let arrays = npz::read(&folder.join(ARRAYS))?;
    let outcome = Outcome {
        summary: record.summary.clone(),
        key_figures: record.key_figures.clone(),
        arrays,
        tables: record.tables.clone(),
        figures: record.figures.clone(),
        view: record.view.clone(),
        checks: record.checks.clone(),
        accuracy: record.accuracy,
    };
    Ok((record, outcome))
}

/// Writes a file under another name first, so that a stop leaves no half of it.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::writing(path, &error);
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    let partial = Path::new(&partial);
    let mut file = fs::File::create(partial).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    drop(file);
    fs::rename(partial, path).map_err(failed)
}
