//! Problem file before a solver is chosen: one solver, or several for the same scene.

use std::path::{Path, PathBuf};

use super::check::{solver_of, wrong_type};
use super::error::{Finding, ProblemError};
use super::source::Source;
use super::tree::{Kind, Node, Table};
use super::variations::{self, Variation};
use super::{Problem, SWEEP};
use crate::Error;
use wavefield_solver::display_path;

/// Key of the list of solvers.
const SOLVERS: &str = "solvers";
/// Key of one solver.
const SOLVER: &str = "solver";

/// A problem file.
#[derive(Clone, Debug)]
pub struct Document {
    source: Source,
    tree: Table,
    folder: PathBuf,
}

/// Entry of the list of solvers of a problem file.
#[derive(Clone, Debug)]
struct Entry {
    /// Name of its result.
    name: String,
    solver: Node,
    /// Values that replace those of the file.
    changes: Table,
}

impl Document {
    /// Reads a problem file from disk.
    ///
    /// # Errors
    /// It cannot be read, or is not TOML.
    pub fn read(path: &Path) -> Result<Document, Error> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            if error.kind() == std::io::ErrorKind::NotFound && path == Path::new("problem.toml") {
                Error::input(
                    "no problem.toml in this folder; create one with `wavefield new exact/sphere`, \
                     or list the examples with `wavefield new --list`",
                )
            } else {
                match error.kind() {
                    std::io::ErrorKind::InvalidData => Error::input(format!(
                        "{} is not a problem file: it is not UTF-8 text",
                        display_path(path)
                    )),
                    _ => Error::reading(path, &error),
                }
            }
        })?;
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        Ok(Document::parse(
            &text,
            &path.display().to_string(),
            &folder,
        )?)
    }

    /// Reads a problem file from a string; `name` appears in messages, paths are relative to `folder`.
    ///
    /// # Errors
    /// It is not TOML.
    pub fn parse(text: &str, name: &str, folder: &Path) -> Result<Document, ProblemError> {
        let source = Source::new(name, text);
        Ok(Document {
            tree: source.tree()?,
            source,
            folder: folder.to_owned(),
        })
    }

    /// Takes a problem as values, such as a Python dictionary; paths are relative to `folder`.
    pub fn from_values(values: toml::Table, folder: &Path) -> Document {
        Document {
            source: Source::none(),
            tree: Table::from_values(values),
            folder: folder.to_owned(),
        }
    }

    /// Returns its values.
    ///
    /// # Errors
    /// An integer exceeds 64 bits, or a date is invalid.
    pub fn values(&self) -> Result<toml::Table, Error> {
        self.tree.to_values().map_err(Error::input)
    }

    /// Returns its text; empty for values.
    pub fn text(&self) -> &str {
        self.source.text()
    }

    /// Returns the problem of its only solver, or of the named one.
    ///
    /// # Errors
    /// Every error of the problem.
    pub fn problem(&self, solver: Option<&str>) -> Result<Problem, ProblemError> {
        let tree = self.of_solver(solver)?;
        if let Some((key, _)) = tree.0.iter().find(|(key, _)| key.name == SWEEP) {
            return Err(self.source.failed(vec![Finding {
                path: String::new(),
                message: "this file is a sweep; one problem is required".to_owned(),
                span: key.span.clone(),
                label: "parameter sweep".to_owned(),
                help: Some("use `wavefield run`, which runs all variations".to_owned()),
            }]));
        }
        Problem::from_tree(&self.source, &tree, &self.folder)
    }

    /// Returns the problems of all its solvers, with the names of their results.
    ///
    /// # Errors
    /// Every error of the problems.
    pub fn problems(&self) -> Result<Vec<(String, Problem)>, ProblemError> {
        let entries = self.entries()?;
        let mut findings: Vec<Finding> = Vec::new();
        let mut problems = Vec::with_capacity(entries.len());
        for entry in &entries {
            let tree = self.tree_of(entry, &entries);
            match Problem::from_tree(&self.source, &tree, &self.folder) {
                Ok(problem) => problems.push((entry.name.clone(), problem)),
                Err(error) => {
                    for finding in error.findings {
                        if !findings.contains(&finding) {
                            findings.push(finding);
                        }
                    }
                }
            }
        }
        if findings.is_empty() {
            Ok(problems)
        } else {
            Err(self.source.failed(findings))
        }
    }

    /// Returns the variations of the problem of its only solver, or of the named one, if it has a table `[sweep]`.
    ///
    /// # Errors
    /// Every error of the problems.
    pub fn variations(&self, solver: Option<&str>) -> Result<Option<Vec<Variation>>, Error> {
        let mut tree = self.of_solver(solver)?;
        let Some((_, swept)) = tree.remove(SWEEP) else {
            return Ok(None);
        };
        variations::combined(&tree, &swept, &self.source, &self.folder).map(Some)
    }

    fn of_solver(&self, name: Option<&str>) -> Result<Table, ProblemError> {
        let entries = self.entries()?;
        let listed = || {
            let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
            names.join(", ")
        };
        let failed = |message: String, help: String| {
            let list = self.tree.get(SOLVERS).or_else(|| self.tree.get(SOLVER));
            self.source.failed(vec![Finding {
                path: String::new(),
                message,
                span: list.map_or(0..0, |node| node.span.clone()),
                label: "solvers of this file".to_owned(),
                help: Some(help),
            }])
        };
        let entry = match (name, entries.as_slice()) {
            (None, [only]) => only,
            (None, _) => {
                return Err(failed(
                    format!("this file is for several solvers: {}", listed()),
                    "choose one with --solver, or run `wavefield compare`".to_owned(),
                ));
            }
            (Some(name), _) => {
                entries
                    .iter()
                    .find(|entry| entry.name == name)
                    .ok_or_else(|| {
                        let message = format!("this file is not for the solver `{name}`");
                        failed(message, format!("it is for {}", listed()))
                    })?
            }
        };
        Ok(self.tree_of(entry, &entries))
    }

    /// Returns the solvers of the file.
    fn entries(&self) -> Result<Vec<Entry>, ProblemError> {
        let entries = self
            .try_entries()
            .map_err(|finding| self.source.failed(vec![finding]))?;
        let mut findings = Vec::new();
        for (index, entry) in entries.iter().enumerate() {
            findings.extend(solver_of(&self.tree, &entry.solver).err());
            if entries[..index]
                .iter()
                .any(|other| other.name == entry.name)
            {
                findings.push(Finding {
                    path: String::new(),
                    message: format!("duplicate name `{}` in `solvers`", entry.name),
                    span: entry.solver.span.clone(),
                    label: "duplicate name".to_owned(),
                    help: Some(
                        "give it a name: `{ solver = \"sbr\", name = \"sbr with edges\", … }`"
                            .to_owned(),
                    ),
                });
            }
        }
        if findings.is_empty() {
            Ok(entries)
        } else {
            Err(self.source.failed(findings))
        }
    }

    fn try_entries(&self) -> Result<Vec<Entry>, Finding> {
        let (one, several) = (self.tree.get(SOLVER), self.tree.get(SOLVERS));
        match (one, several) {
            (Some(solver), None) => Ok(vec![Entry::plain(solver)]),
            (None, Some(list)) => match &list.kind {
                Kind::Array(items) if !items.is_empty() => {
                    items.iter().map(Entry::of_item).collect()
                }
                _ => Err(wrong_type(SOLVERS, "a list of solvers", list)),
            },
            (Some(_), Some(list)) => Err(Finding {
                path: String::new(),
                message: "both `solver` and `solvers` are given".to_owned(),
                span: list.span.clone(),
                label: "keep one of them".to_owned(),
                help: Some("keep `solvers` for a file of several solvers".to_owned()),
            }),
            (None, None) => Err(Finding {
                path: String::new(),
                message: "no solver is selected".to_owned(),
                span: 0..0,
                label: "`solver` is missing".to_owned(),
                help: Some("add `solver = \"exact\"` at the top".to_owned()),
            }),
        }
    }

    /// Returns the file reduced to this solver.
    fn tree_of(&self, entry: &Entry, entries: &[Entry]) -> Table {
        let mut tree = self.tree.clone();
        tree.remove(SOLVERS);
        for other in entries {
            if let Some(name) = other.solver.as_str()
                && entry.solver.as_str() != Some(name)
            {
                tree.remove(name);
            }
        }
        tree.set(SOLVER, entry.solver.clone());
        tree.merge(&entry.changes);
        tree
    }
}

impl Entry {
    fn plain(solver: &Node) -> Entry {
        Entry {
            name: solver.as_str().unwrap_or_default().to_owned(),
            solver: solver.clone(),
            changes: Table::default(),
        }
    }

    /// Reads `"sbr"`, or `{ solver = "sbr", name = "…", … }` with values that replace those of the file.
    fn of_item(item: &Node) -> Result<Entry, Finding> {
        let Some(table) = item.as_table() else {
            return match item.as_str() {
                Some(_) => Ok(Entry::plain(item)),
                None => Err(wrong_type(SOLVERS, "a list of names or tables", item)),
            };
        };
        let mut changes = table.clone();
        let Some((_, solver)) = changes.remove(SOLVER) else {
            return Err(Finding {
                path: String::new(),
                message: "an entry of `solvers` has no key `solver`".to_owned(),
                span: item.span.clone(),
                label: "`solver` is missing".to_owned(),
                help: Some("write `{ solver = \"sbr\", … }`".to_owned()),
            });
        };
        let mut entry = Entry::plain(&solver);
        if let Some((_, name)) = changes.remove("name") {
            let named = name.as_str().map(str::to_owned);
            entry.name = named.ok_or_else(|| wrong_type("name", "a string", &name))?;
        }
        entry.changes = changes;
        Ok(entry)
    }
}
