//! Candidates of a comparison: result folders, problems to be run, and CSV tables.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use wavefield_numerics::observe::Observer;

use wavefield_solver::{display_path, printable};

use crate::Error;
use crate::outcome::{Data, Outcome};
use crate::output_file::slug;
use crate::problem::{Document, Problem};
use crate::result;
use crate::run::{Options, run_alone};

/// A named result.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Name: that of its file or folder, or of its solver in a problem for several; unique.
    pub name: String,
    /// Label in figures and tables: its name, or what [`compare_to_folder`](super::compare_to_folder) tells it apart by.
    pub label: String,
    /// Title of the problem; empty for a CSV table.
    pub title: String,
    /// Solver; empty for a CSV table.
    pub solver: String,
    /// One-line description.
    pub about: String,
    /// Arrays and tables.
    pub outcome: Outcome,
}

/// Source of a result.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) name: String,
    /// Name with that of the parent folder, or of the problem file, for results of equal names.
    qualified: String,
    /// Name in a problem for several solvers, that of the solver by default.
    entry: Option<String>,
    path: PathBuf,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Folder,
    Problem(Box<Problem>),
    Table,
}

/// Returns the sources that the paths name: a folder that is not a result stands for the problem files in it, and a
/// problem file for the problems of all its solvers.
///
/// # Errors
/// [`Error::input`] for a path that is neither, every error of a problem, and duplicate names.
pub(super) fn sources(paths: &[PathBuf]) -> Result<Vec<Source>, Error> {
    let mut found: Vec<Source> = Vec::new();
    for path in paths {
        if result::is_result(path) {
            found.push(Source::new(path, Kind::Folder));
        } else if path.is_dir() {
            let entries = std::fs::read_dir(path).map_err(|error| Error::reading(path, &error))?;
            let mut problems: Vec<PathBuf> = (entries.flatten().map(|entry| entry.path()))
                .filter(|path| path.extension() == Some(OsStr::new("toml")))
                .collect();
            problems.sort();
            if problems.is_empty() {
                return Err(Error::input(format!(
                    "{} is neither a result folder nor a folder of problem files (.toml)",
                    display_path(path)
                )));
            }
            for path in problems {
                found.extend(of_problem_file(&path)?);
            }
        } else if path.extension() == Some(OsStr::new("csv")) {
            found.push(Source::new(path, Kind::Table));
        } else {
            found.extend(of_problem_file(path)?);
        }
    }
    let names: Vec<String> = found.iter().map(|source| source.name.clone()).collect();
    for source in &mut found {
        if names.iter().filter(|name| **name == source.name).count() > 1 {
            source.name.clone_from(&source.qualified);
        }
    }
    let is_run = |source: &Source| matches!(source.kind, Kind::Problem(_));
    for (number, source) in found.iter().enumerate() {
        let name = &source.name;
        let collides = |other: &Source| {
            let shared = is_run(source) && is_run(other) && source.subfolder() == other.subfolder();
            other.name == *name || shared
        };
        if found[..number].iter().any(collides) {
            return Err(Error::input(format!(
                "duplicate result name `{name}`; rename a file or folder"
            )));
        }
    }
    Ok(found)
}

/// Returns the problems of a file: one by the name of the file, several by the names of their solvers.
fn of_problem_file(path: &Path) -> Result<Vec<Source>, Error> {
    let mut problems = Document::read(path)?.problems()?;
    if problems.len() == 1
        && let Some((_, problem)) = problems.pop()
    {
        return Ok(vec![Source::new(path, Kind::Problem(Box::new(problem)))]);
    }
    let file = Source::new(path, Kind::Table).name;
    let of_solver = |(name, problem): (String, _)| Source {
        qualified: format!("{file}-{name}"),
        entry: Some(name.clone()),
        name,
        path: path.to_owned(),
        kind: Kind::Problem(Box::new(problem)),
    };
    Ok(problems.into_iter().map(of_solver).collect())
}

impl Source {
    fn new(path: &Path, kind: Kind) -> Source {
        let is_folder = matches!(kind, Kind::Folder);
        // Most results are in a folder of this name: its parent distinguishes them.
        let named = (path.parent())
            .filter(|parent| is_folder && path.ends_with("result") && parent.file_name().is_some())
            .unwrap_or(path);
        let name = if is_folder {
            named.file_name()
        } else {
            named.file_stem()
        };
        let name = name.map_or_else(
            || "result".to_owned(),
            |name| printable(&name.display().to_string()),
        );
        let parent = named.parent().and_then(Path::file_name);
        Source {
            qualified: parent.map_or(name.clone(), |parent| {
                format!("{}-{name}", printable(&parent.display().to_string()))
            }),
            entry: None,
            name,
            path: path.to_owned(),
            kind,
        }
    }

    /// Returns the name of the subfolder in which a problem is run. Without periods it is neither `..` nor the name of a
    /// file of the comparison.
    fn subfolder(&self) -> String {
        let name = slug(&self.name.replace('.', "-"));
        if name.is_empty() {
            "problem".to_owned()
        } else {
            name
        }
    }

    /// Returns the result; a problem is first run into a folder of its name.
    pub(super) fn candidate(
        &self,
        options: &Options,
        observer: &dyn Observer,
        folder: &Path,
    ) -> Result<Candidate, Error> {
        let (record, outcome) = match &self.kind {
            Kind::Folder => result::read(&self.path)?,
            Kind::Problem(problem) => {
                let folder = folder.join(self.subfolder());
                run_alone(problem, options, observer, &folder)?
            }
            Kind::Table => {
                let path = &self.path;
                let text =
                    std::fs::read_to_string(path).map_err(|error| Error::reading(path, &error))?;
                let outcome = table(&text)
                    .map_err(|error| Error::input(format!("{}: {error}", display_path(path))))?;
                return Ok(Candidate {
                    name: self.name.clone(),
                    label: self.name.clone(),
                    title: String::new(),
                    solver: String::new(),
                    about: "CSV table".to_owned(),
                    outcome,
                });
            }
        };
        Ok(Candidate {
            name: self.name.clone(),
            label: self.name.clone(),
            about: format!("{}, {}", record.solver, record.title),
            title: record.title,
            solver: record.solver,
            outcome,
        })
    }
}

/// Labels the candidates, in the order of their sources, by their solvers, or else by their titles, by both, or by their
/// names: the first of these that tells all apart. A CSV table has its name only.
pub(super) fn label(candidates: &mut [Candidate], sources: &[Source]) {
    let forms: [fn(&str, &str) -> String; 3] = [
        |solver, _| solver.to_owned(),
        |_, title| title.to_owned(),
        |solver, title| format!("{title} ({solver})"),
    ];
    for form in forms {
        let labels: Vec<String> = (candidates.iter().zip(sources))
            .map(|(candidate, source)| match &candidate.solver {
                table if table.is_empty() => candidate.name.clone(),
                solver => form(source.entry.as_ref().unwrap_or(solver), &candidate.title),
            })
            .collect();
        let different: BTreeSet<&String> = labels.iter().collect();
        if different.len() == labels.len() && !different.contains(&String::new()) {
            for (candidate, label) in candidates.iter_mut().zip(labels) {
                candidate.label = label;
            }
            return;
        }
    }
    for candidate in candidates {
        candidate.label.clone_from(&candidate.name);
    }
}

/// Reads the table of a CSV file: a header of `name[unit]`, then numbers; it matches any table of the other results.
fn table(text: &str) -> Result<Outcome, String> {
    let mut lines = (text.lines().enumerate()).filter(|(_, line)| !line.trim().is_empty());
    let (_, head) = lines.next().ok_or("the file is empty")?;
    let heads: Vec<(&str, &str)> = head
        .split(',')
        .map(|cell| {
            let cell = cell.trim();
            match cell.split_once('[') {
                Some((name, unit)) => (name, unit.trim_end_matches(']')),
                None => (cell, ""),
            }
        })
        .collect();
    let mut columns = vec![Vec::new(); heads.len()];
    for (number, line) in lines {
        let cells: Vec<&str> = line.split(',').collect();
        if cells.len() != heads.len() {
            return Err(format!(
                "line {} has {} cells, the header has {}",
                number + 1,
                cells.len(),
                heads.len()
            ));
        }
        for (column, cell) in columns.iter_mut().zip(cells) {
            let value: f64 = cell
                .trim()
                .parse()
                .map_err(|_| format!("line {}: `{}` is not a number", number + 1, cell.trim()))?;
            column.push(value);
        }
    }
    let mut outcome = Outcome::default();
    let columns = heads.into_iter().zip(columns);
    outcome.add_table(
        ANY,
        "CSV table",
        columns
            .map(|((name, unit), values)| (name, unit, Data::Real(values)))
            .collect(),
    );
    Ok(outcome)
}

/// Table name that matches any table.
pub(super) const ANY: &str = "table";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_read_with_its_units() {
        let outcome = table("phi[deg], vv_dbsm[dBsm]\n\n0,-3\n1.5,-inf\n").unwrap();
        assert_eq!(outcome.tables[0].columns[1].unit, "dBsm");
        let phi = outcome.array("table/phi").unwrap().as_real().unwrap();
        assert_eq!(phi, [0.0, 1.5]);
    }

    #[test]
    fn what_is_no_table_is_refused_by_its_line() {
        assert!(table("").is_err());
        assert!(table("a,b\n1,2\n3").unwrap_err().starts_with("line 3"));
        assert!(table("a\nx").unwrap_err().contains("`x`"));
    }

    #[test]
    fn problems_are_run_in_subfolders() {
        for (name, expected) in [
            ("sphere_2.5GHz", "sphere-2-5GHz"),
            ("..", "problem"),
            ("../../up", "up"),
            (".staged", "staged"),
            ("result.json", "result-json"),
        ] {
            let mut source = Source::new(Path::new("x.csv"), Kind::Table);
            source.name = name.to_owned();
            assert_eq!(source.subfolder(), expected);
        }
    }

    #[test]
    fn equal_names_are_qualified_by_their_folders() {
        let names = |paths: &[&str]| -> Result<Vec<String>, Error> {
            let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
            let found = sources(&paths)?;
            Ok(found.into_iter().map(|source| source.name).collect())
        };
        let found = names(&["a/result.csv", "b/result.csv", "b/other.csv"]).unwrap();
        assert_eq!(found, ["a-result", "b-result", "other"]);
        let same = names(&["a/result.csv", "a/result.csv"]).unwrap_err();
        assert!(same.to_string().contains("`a-result`"));
    }

    #[test]
    fn labels_tell_all_results_apart() {
        let labels_of = |all: &[[&str; 3]], entry: Option<&str>| -> Vec<String> {
            let source = Source {
                entry: entry.map(str::to_owned),
                ..Source::new(Path::new("x"), Kind::Table)
            };
            let candidate = |[name, solver, title]: &[&str; 3]| Candidate {
                name: (*name).to_owned(),
                label: String::new(),
                title: (*title).to_owned(),
                solver: (*solver).to_owned(),
                about: String::new(),
                outcome: Outcome::default(),
            };
            let mut candidates: Vec<Candidate> = all.iter().map(candidate).collect();
            label(&mut candidates, &vec![source; all.len()]);
            candidates
                .into_iter()
                .map(|candidate| candidate.label)
                .collect()
        };
        let labels = |all: &[[&str; 3]]| labels_of(all, None);
        let (one, two) = (["one", "sbr", "coarse"], ["two", "exact", "coarse"]);
        let measured = ["measured", "", ""];
        assert_eq!(labels(&[one, two, measured]), ["sbr", "exact", "measured"]);
        let fine = ["three", "sbr", "fine"];
        assert_eq!(labels(&[one, fine]), ["coarse", "fine"]);
        let all = labels(&[one, two, fine]);
        assert_eq!(all, ["coarse (sbr)", "coarse (exact)", "fine (sbr)"]);
        let all = labels(&[one, one, two]);
        assert_eq!(all, ["one", "one", "two"], "names are unique before");
        // A name given in the problem file replaces that of the solver.
        assert_eq!(labels_of(&[one], Some("sbr-edges")), ["sbr-edges"]);
    }
}
