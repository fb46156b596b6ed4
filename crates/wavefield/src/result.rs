//! Result folder: `result.json`, `arrays.npz`, one CSV per table, GRASP files of far fields, Touchstone files of ports,
//! VTK files of fields, `problem.toml`.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};

pub use wavefield_report::record::{CONVENTIONS, PROGRAM, Record, Timing};
use wavefield_report::{csv, grasp, npz, touchstone, vtu};

use wavefield_solver::{display_path, printable};

use crate::Error;
use crate::checkpoint::{self, storage};
use crate::outcome::{Array, FieldFile, NetworkFile, Outcome};
use crate::output_file;
use crate::replacement::{self, Replacement};
use crate::report;

/// Bytes of an array that are written at once.
const BUFFER: usize = 1 << 20;
const RECORD: &str = "result.json";
const ARRAYS: &str = "arrays.npz";
const REPORT: &str = "report.html";
const FIGURES: &str = "figures";

/// Prepares the folder: new, empty except for checkpoints and result folders, or a previous result, which will be
/// replaced.
///
/// # Errors
/// [`Error::input`] for an empty path, a folder with other files, and links.
pub fn prepare(folder: &Path) -> Result<(), Error> {
    if folder.as_os_str().is_empty() {
        return Err(Error::input(
            "the path of the result folder is empty; pass for instance `result`",
        ));
    }
    output_file::refuse_links(folder)?;
    replacement::complete(folder)?;
    // A run that was killed while writing its result leaves part of it beside its checkpoint.
    if former(folder).is_some() || checkpoint::is_marked(folder) {
        return Ok(());
    }
    match fs::read_dir(folder) {
        Ok(entries) => {
            let ours = |path: &Path| {
                checkpoint::is_ours(path)
                    || replacement::is_stage(path)
                    || former(path).is_some()
                    || checkpoint::is_kept(path)
            };
            if entries.flatten().any(|entry| !ours(&entry.path())) {
                return Err(Error::input(format!(
                    "{} is not empty and holds no previous result; choose another folder with --out",
                    display_path(folder)
                )));
            }
            Ok(())
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            fs::create_dir_all(folder).map_err(|error| Error::writing(folder, &error))
        }
        Err(error) => Err(Error::input(format!(
            "cannot use {} as result folder: {error}",
            display_path(folder)
        ))),
    }
}

/// Returns whether a folder holds a result.
pub fn is_result(folder: &Path) -> bool {
    replacement::current(folder, RECORD).is_ok_and(|path| path.is_file())
}

/// Returns the record of a previous result in a folder, if it is one of this program.
fn former(folder: &Path) -> Option<Record> {
    let path = folder.join(RECORD);
    // Reading a pipe of this name would wait for its writer.
    let text = path.is_file().then(|| fs::read_to_string(path))?.ok()?;
    let record: Record = serde_json::from_str(&text).ok()?;
    record.program.starts_with("wavefield ").then_some(record)
}

/// Writes tables, arrays, the report, and the record. A previous result is replaced as a whole: the folder holds either
/// the old one or the new one.
pub fn write(folder: &Path, record: &Record, outcome: &Outcome) -> Result<(), Error> {
    prepare(folder)?;
    let mut new = Replacement::begin(folder)?;
    new.write("problem.toml", record.problem.as_bytes())?;
    for table in &outcome.tables {
        let name = format!("{}.csv", table.name);
        new.write(&name, csv::write(table, outcome).as_bytes())?;
    }
    for grid in &outcome.grids {
        if let Some(text) = grasp::grid(&record.title, grid, outcome) {
            new.write(&format!("{}.grd", grid.name), text.as_bytes())?;
        }
    }
    for cuts in &outcome.cuts {
        if let Some(text) = grasp::cuts(&record.title, cuts, outcome) {
            new.write(&format!("{}.cut", cuts.name), text.as_bytes())?;
        }
    }
    for network in &outcome.networks {
        if let Some(text) = touchstone::network(&record.title, network, outcome) {
            new.write(&network.file_name(), text.as_bytes())?;
        }
    }
    for file in &outcome.fields {
        if let Some(bytes) = vtu::moment(file, outcome) {
            new.write(&file.file_name(), &bytes)?;
        }
    }
    if !outcome.fields.is_empty() {
        new.write(FieldFile::SERIES, vtu::series(&outcome.fields).as_bytes())?;
    }
    new.write_by(ARRAYS, |file| {
        npz::write(BufWriter::with_capacity(BUFFER, file), &outcome.arrays)
            .map_err(std::io::Error::other)
    })?;
    new.write(REPORT, report::page(record, outcome).as_bytes())?;
    let text = serde_json::to_string_pretty(record)
        .map_err(|error| Error::runtime(format!("cannot serialize the result as JSON: {error}")))?;
    new.write(RECORD, text.as_bytes())?;
    new.commit(former(folder).map_or_else(Vec::new, |old| files_of(&old)))
}

/// Returns the files of a result, figures included.
fn files_of(record: &Record) -> Vec<String> {
    let mut names = vec![RECORD.to_owned()];
    names.extend((record.tables.iter()).map(|table| format!("{}.csv", table.name)));
    names.extend(record.grids.iter().map(|grid| format!("{}.grd", grid.name)));
    names.extend(record.cuts.iter().map(|cuts| format!("{}.cut", cuts.name)));
    names.extend(record.networks.iter().map(NetworkFile::file_name));
    names.extend(record.fields.iter().map(FieldFile::file_name));
    if !record.fields.is_empty() {
        names.push(FieldFile::SERIES.to_owned());
    }
    let figures = report::file_names(&record.figures);
    names.extend((figures.iter()).map(|name| format!("{FIGURES}/{name}")));
    names
}

/// Regenerates the report of a result folder.
pub fn write_report(folder: &Path) -> Result<PathBuf, Error> {
    let (record, outcome) = read_to_write(folder)?;
    let path = folder.join(REPORT);
    write_file(&path, report::page(&record, &outcome).as_bytes())?;
    Ok(path)
}

/// Writes every figure of a result folder as an SVG file, and returns their folder.
pub fn write_figures(folder: &Path) -> Result<PathBuf, Error> {
    let (record, outcome) = read_to_write(folder)?;
    let figures = folder.join(FIGURES);
    fs::create_dir_all(&figures).map_err(|error| Error::writing(&figures, &error))?;
    for (name, figure) in report::file_names(&record.figures)
        .iter()
        .zip(&record.figures)
    {
        let text = report::svg_file(figure, &outcome);
        write_file(&figures.join(name), text.as_bytes())?;
    }
    Ok(figures)
}

/// Reads a result folder, to write to it.
fn read_to_write(folder: &Path) -> Result<(Record, Outcome), Error> {
    output_file::refuse_links(folder)?;
    replacement::complete(folder)?;
    read(folder)
}

/// Reads a result folder; nothing in it changes.
pub fn read(folder: &Path) -> Result<(Record, Outcome), Error> {
    let record = read_record(folder)?;
    let arrays = read_arrays(&arrays_file(folder)?)?;
    let outcome = outcome(&record, arrays);
    Ok((record, outcome))
}

/// Reads the record of a result folder, without its arrays.
pub fn read_record(folder: &Path) -> Result<Record, Error> {
    let path = replacement::current(folder, RECORD)?;
    let text = fs::read_to_string(&path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Error::input(format!(
            "no result in {}; run `wavefield run` first",
            display_path(folder)
        )),
        _ => Error::reading(&path, &error),
    })?;
    let mut record: Record = serde_json::from_str(&text).map_err(|error| {
        Error::input(format!(
            "{} is not a wavefield result: {error}",
            display_path(&path)
        ))
    })?;
    record.title = printable(&record.title);
    Ok(record)
}

/// Returns the archive of the arrays of a result folder.
pub fn arrays_file(folder: &Path) -> Result<PathBuf, Error> {
    replacement::current(folder, ARRAYS)
}

/// Returns the outcome of a record and its arrays.
pub fn outcome(record: &Record, arrays: Vec<Array>) -> Outcome {
    Outcome {
        summary: record.summary.clone(),
        key_figures: record.key_figures.clone(),
        arrays,
        tables: record.tables.clone(),
        variables: record.variables.clone(),
        figures: record.figures.clone(),
        view: record.view.clone(),
        grids: record.grids.clone(),
        cuts: record.cuts.clone(),
        networks: record.networks.clone(),
        fields: record.fields.clone(),
        checks: record.checks.clone(),
        validity: record.validity.clone(),
        accuracy: record.accuracy,
    }
}

/// Reads all arrays of a file.
fn read_arrays(path: &Path) -> Result<Vec<Array>, Error> {
    let file = File::open(path).map_err(|error| Error::reading(path, &error))?;
    npz::read(BufReader::new(file)).map_err(|error| Error::reading(path, &error))
}

/// Returns whether a path names a file, a folder, or a link, even one to nothing.
pub fn is_taken(path: &Path) -> bool {
    path.is_symlink() || path.exists()
}

/// Writes a file under a new temporary name beside it first, so that an interruption leaves no partial file and no other
/// file is touched; a symbolic link of its name is replaced, not followed.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let failed = |error: std::io::Error| Error::writing(path, &error);
    let mut partial = output_file::temporary_beside(path).map_err(failed)?;
    storage::write(partial.as_file_mut(), bytes).map_err(failed)?;
    storage::sync(partial.as_file()).map_err(failed)?;
    // Dropping the path would remove the file of its name, of which there is none after the rename.
    let partial = partial.into_temp_path();
    storage::rename(&partial, path).map_err(failed)
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
