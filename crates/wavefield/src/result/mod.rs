//! The result folder: `result.json`, `arrays.npz`, one CSV per table, GRASP files of far fields, Touchstone
//! files of ports, VTK files of fields, `problem.toml`.

mod csv;
mod grasp;
mod npy;
mod npz;
mod touchstone;
mod vtu;

use std::fs;
use std::io::Write as _;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::failure::{Failure, shown};
use crate::keep::{self, medium::force_folder};
use crate::outcome::{
    Check, FieldCuts, FieldFile, FieldGrid, Figure, KeyFigure, NetworkFile, Outcome, Table,
    Validity, View,
};
use crate::output_file;
use crate::report;

/// Version of the conventions stamped into every result.
pub const CONVENTIONS: u32 = 1;

/// Name and version of the program.
pub(crate) const PROGRAM: &str = concat!("wavefield ", env!("CARGO_PKG_VERSION"));

/// The conventions in one line.
const CONVENTIONS_SUMMARY: &str = "e^{+jωt}; SI; θ from +z, φ from +x; incidence by the direction the wave comes from; \
     V = θ̂, H = φ̂; S_pq: p received, q transmitted; far field as r·E·e^{jkr}; loss as negative imaginary part";

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
    /// The most memory the run was foreseen to take, bytes.
    pub memory: usize,
    /// Seconds by stage, in order.
    pub timings: Vec<Timing>,
    /// One sentence about the result.
    pub summary: String,
    /// Numbers worth showing first.
    pub key_figures: Vec<KeyFigure>,
    /// Checks the run made of itself.
    pub checks: Vec<Check>,
    /// Where the methods of a comparison hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub validity: Vec<Validity>,
    /// Tables.
    pub tables: Vec<Table>,
    /// Figures.
    pub figures: Vec<Figure>,
    /// The three-dimensional view.
    pub view: View,
    /// Far fields written as GRASP grids.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grids: Vec<FieldGrid>,
    /// Far fields written as GRASP cuts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cuts: Vec<FieldCuts>,
    /// Scattering parameters written as Touchstone files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub networks: Vec<NetworkFile>,
    /// Fields of a mesh written as VTK files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldFile>,
}

impl Record {
    /// The record of an outcome, without what only a run knows: its device, its cost and its times.
    pub(crate) fn of(solver: &str, title: String, problem: String, outcome: &Outcome) -> Record {
        Record {
            program: PROGRAM.to_owned(),
            conventions: CONVENTIONS,
            conventions_summary: CONVENTIONS_SUMMARY.to_owned(),
            solver: solver.to_owned(),
            title,
            problem_sha256: String::new(),
            problem,
            device: String::new(),
            threads: 0,
            accuracy: outcome.accuracy,
            memory: 0,
            timings: Vec::new(),
            summary: outcome.summary.clone(),
            key_figures: outcome.key_figures.clone(),
            checks: outcome.checks.clone(),
            validity: outcome.validity.clone(),
            tables: outcome.tables.clone(),
            figures: outcome.figures.clone(),
            view: outcome.view.clone(),
            grids: outcome.grids.clone(),
            cuts: outcome.cuts.clone(),
            networks: outcome.networks.clone(),
            fields: outcome.fields.clone(),
        }
    }
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
const REPORT: &str = "report.html";
const FIGURES: &str = "figures";

/// Makes the folder ready: new, empty but for checkpoints and folders of results, or a former result, which will be
/// replaced.
pub fn prepare(folder: &Path) -> Result<(), Failure> {
    output_file::refuse_links(folder)?;
    // A run that was killed while it wrote its result leaves part of it beside what it had kept.
    if former(folder).is_some() || keep::is_marked(folder) {
        return Ok(());
    }
    match fs::read_dir(folder) {
        Ok(entries) => {
            let ours =
                |path: &Path| keep::is_ours(path) || former(path).is_some() || keep::is_kept(path);
            if entries.flatten().any(|entry| !ours(&entry.path())) {
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
        Err(error) => Err(Failure::Input(format!(
            "{} cannot be the result folder: {error}",
            shown(folder)
        ))),
    }
}

/// Whether a folder holds a result.
pub(crate) fn is_result(folder: &Path) -> bool {
    folder.join(RECORD).is_file()
}

/// The record of a former result in a folder, if what is there is one of ours.
fn former(folder: &Path) -> Option<Record> {
    let text = fs::read_to_string(folder.join(RECORD)).ok()?;
    let record: Record = serde_json::from_str(&text).ok()?;
    record.program.starts_with("wavefield ").then_some(record)
}

/// Writes tables, arrays and the report, and the record last: a folder with a record is complete.
/// A former result is taken away first, so that no table of it stays behind.
pub fn write(folder: &Path, record: &Record, outcome: &Outcome) -> Result<(), Failure> {
    prepare(folder)?;
    if let Some(old) = former(folder) {
        let mut names = vec![RECORD.to_owned()];
        names.extend(old.tables.iter().map(|table| format!("{}.csv", table.name)));
        names.extend(old.grids.iter().map(|grid| format!("{}.grd", grid.name)));
        names.extend(old.cuts.iter().map(|cuts| format!("{}.cut", cuts.name)));
        names.extend(old.networks.iter().map(NetworkFile::file_name));
        names.extend(old.fields.iter().map(FieldFile::file_name));
        if !old.fields.is_empty() {
            names.push(FieldFile::SERIES.to_owned());
        }
        names.extend(
            (report::file_names(&old.figures).iter()).map(|name| format!("{FIGURES}/{name}")),
        );
        // A record from elsewhere must not name files of other folders.
        for name in names.iter().filter(|name| stays_inside(name)) {
            let path = folder.join(name);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(Failure::writing(&path, &error));
                }
                _ => {}
            }
        }
    }
    write_file(&folder.join("problem.toml"), record.problem.as_bytes())?;
    for table in &outcome.tables {
        let path = folder.join(format!("{}.csv", table.name));
        write_file(&path, csv::write(table, outcome).as_bytes())?;
    }
    for grid in &outcome.grids {
        if let Some(text) = grasp::grid(&record.title, grid, outcome) {
            write_file(&folder.join(format!("{}.grd", grid.name)), text.as_bytes())?;
        }
    }
    for cuts in &outcome.cuts {
        if let Some(text) = grasp::cuts(&record.title, cuts, outcome) {
            write_file(&folder.join(format!("{}.cut", cuts.name)), text.as_bytes())?;
        }
    }
    for network in &outcome.networks {
        if let Some(text) = touchstone::network(&record.title, network, outcome) {
            write_file(&folder.join(network.file_name()), text.as_bytes())?;
        }
    }
    for file in &outcome.fields {
        if let Some(bytes) = vtu::moment(file, outcome) {
            write_file(&folder.join(file.file_name()), &bytes)?;
        }
    }
    if !outcome.fields.is_empty() {
        let text = vtu::series(&outcome.fields);
        write_file(&folder.join(FieldFile::SERIES), text.as_bytes())?;
    }
    npz::write(&folder.join(ARRAYS), &outcome.arrays)?;
    write_file(
        &folder.join(REPORT),
        report::page(record, outcome).as_bytes(),
    )?;
    let text = serde_json::to_string_pretty(record).map_err(|error| {
        Failure::Runtime(format!("the result cannot be written as JSON: {error}"))
    })?;
    write_file(&folder.join(RECORD), text.as_bytes())?;
    force_folder(folder).map_err(|error| Failure::writing(folder, &error))
}

/// Whether a path leads into the folder it is joined to.
fn stays_inside(name: &str) -> bool {
    (Path::new(name).components()).all(|part| matches!(part, Component::Normal(_)))
}

/// Makes the report of a result folder anew.
pub fn write_report(folder: &Path) -> Result<PathBuf, Failure> {
    output_file::refuse_links(folder)?;
    let (record, outcome) = read(folder)?;
    let path = folder.join(REPORT);
    write_file(&path, report::page(&record, &outcome).as_bytes())?;
    Ok(path)
}

/// Writes every figure of a result folder as an SVG file, and returns the folder they are in.
pub fn write_figures(folder: &Path) -> Result<PathBuf, Failure> {
    output_file::refuse_links(folder)?;
    let (record, outcome) = read(folder)?;
    let figures = folder.join(FIGURES);
    fs::create_dir_all(&figures).map_err(|error| Failure::writing(&figures, &error))?;
    for (name, figure) in report::file_names(&record.figures)
        .iter()
        .zip(&record.figures)
    {
        let text = report::svg_file(figure, &outcome);
        write_file(&figures.join(name), text.as_bytes())?;
    }
    Ok(figures)
}

/// Reads a result folder back.
pub fn read(folder: &Path) -> Result<(Record, Outcome), Failure> {
    let path = folder.join(RECORD);
    let text = fs::read_to_string(&path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Failure::Input(format!(
            "there is no result in {}; `wavefield run` leaves one",
            shown(folder)
        )),
        _ => Failure::reading(&path, &error),
    })?;
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
        grids: record.grids.clone(),
        cuts: record.cuts.clone(),
        networks: record.networks.clone(),
        fields: record.fields.clone(),
        checks: record.checks.clone(),
        validity: record.validity.clone(),
        accuracy: record.accuracy,
    };
    Ok((record, outcome))
}

/// Writes a file under another name first, so that a stop leaves no half of it; a link of either name is replaced, not followed.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::writing(path, &error);
    let partial = partial_name(path);
    let mut file = output_file::replace(&partial).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    // What was kept of the run is removed when its result is there, and must not be all there was.
    file.sync_data().map_err(failed)?;
    drop(file);
    fs::rename(&partial, path).map_err(failed)
}

/// The name a file has while it is being written.
fn partial_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".partial");
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_former_record_takes_no_files_of_other_folders_away() {
        let around = tempfile::tempdir().unwrap();
        let (folder, other) = (
            around.path().join("result"),
            around.path().join("other.csv"),
        );
        fs::write(&other, "numbers").unwrap();
        let plain = Outcome::default();
        let mut hostile = plain.clone();
        let absolute = around.path().join("other").display().to_string();
        for name in ["../other", absolute.as_str()] {
            hostile.add_table(name, "", Vec::new());
        }
        let record = |outcome| Record::of("exact", String::new(), String::new(), outcome);
        fs::create_dir(&folder).unwrap();
        let text = serde_json::to_string(&record(&hostile)).unwrap();
        fs::write(folder.join(RECORD), text).unwrap();
        write(&folder, &record(&plain), &plain).unwrap();
        assert_eq!(fs::read_to_string(&other).unwrap(), "numbers");
    }
}
