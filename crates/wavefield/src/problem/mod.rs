//! Problem files: TOML with a format version, checked against a schema made from the types.
//!
//! Reading has three steps. The text is parsed with the place of every key and value; the tree is
//! walked beside the schema, which finds every misspelt key, wrong unit and missing file at once;
//! then the types themselves are made. What the schema cannot say (a range that ends before it
//! starts) is said by the solver's plan.

mod check;
mod error;
mod schema;
mod shape;
mod source;
mod tree;
mod variations;

use std::collections::BTreeMap;
use std::io::BufRead as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use wavefield_solver::{AnySpec, display_path};

pub use error::{Finding, ProblemError};
pub use schema::schema;
use source::Source;
use tree::Table;
pub use variations::{Variation, variations};

use crate::Error;
use crate::registry;
use crate::result::PROGRAM;

/// Version of the problem file format.
pub const FORMAT: i64 = 1;

/// A problem file that has been read.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The folder that paths in the file are relative to.
    pub folder: PathBuf,
    /// One line for the head of the report.
    pub title: String,
    /// What is to be computed, by which solver.
    pub spec: AnySpec,
    /// The files that it names.
    pub files: Vec<PathBuf>,
}

/// The keys every problem file has, whatever its solver.
#[derive(Clone, Debug, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Envelope {
    /// Version of the format: 1.
    pub(crate) format: i64,
    /// The solver that computes this problem.
    pub(crate) solver: String,
    /// One line that says what the problem is; the head of the report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    /// Values to be varied, by their paths, as `"target.radius" = ["0.1 m", "0.2 m"]`: every combination is run.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) sweep: BTreeMap<String, Vec<serde_json::Value>>,
}

impl Problem {
    /// Reads a problem file from disk.
    pub fn read(path: &Path) -> Result<Problem, Error> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            if error.kind() == std::io::ErrorKind::NotFound && path == Path::new("problem.toml") {
                Error::input(
                    "there is no problem.toml here; `wavefield new exact/sphere` writes one, \
                     `wavefield new --list` shows what else there is"
                        .to_owned(),
                )
            } else {
                match error.kind() {
                    std::io::ErrorKind::InvalidData => Error::input(format!(
                        "{} is not a problem file: it is no text",
                        display_path(path)
                    )),
                    _ => Error::reading(path, &error),
                }
            }
        })?;
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        Ok(Problem::parse(&text, &path.display().to_string(), &folder)?)
    }

    /// Reads a problem from a text; `name` stands in messages, files are looked up in `folder`.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn parse(text: &str, name: &str, folder: &Path) -> Result<Problem, ProblemError> {
        let source = Source { name, text };
        Problem::from_tree(source, &source.tree()?, folder)
    }

    /// Takes a problem as values, such as a dictionary of Python; files are looked up in `folder`.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn from_values(values: toml::Table, folder: &Path) -> Result<Problem, ProblemError> {
        Problem::from_tree(Source::NONE, &Table::from_values(values), folder)
    }

    fn from_tree(source: Source<'_>, tree: &Table, folder: &Path) -> Result<Problem, ProblemError> {
        let (findings, files) = check::check(tree, folder);
        if !findings.is_empty() {
            return Err(source.failed(findings));
        }
        for key in [variations::SWEEP] {
            if let Some((key, _)) = tree.0.iter().find(|(name, _)| name.name == key) {
                return Err(source.failed(vec![Finding {
                    message: "this file is a sweep of many problems, of which one was wanted"
                        .to_owned(),
                    span: key.span.clone(),
                    label: "many problems".to_owned(),
                    help: Some("`wavefield run` runs them all".to_owned()),
                }]));
            }
        }
        let whole = |message: String| source.failed(vec![Finding::whole_file(message)]);
        let mut values = tree.to_values().map_err(whole)?;
        values.remove("format");
        let title = match values.remove("title") {
            Some(toml::Value::String(title)) => title,
            _ => "Untitled problem".to_owned(),
        };
        // The check above has found the solver.
        let name = values.remove("solver");
        let solver = name.as_ref().and_then(toml::Value::as_str);
        let solver = solver.and_then(registry::solver);
        let solver = solver.ok_or_else(|| whole("`solver` is missing".to_owned()))?;
        let mut values = <dyn erased_serde::Deserializer>::erase(toml::Value::Table(values));
        let spec = solver.read(&mut values);
        Ok(Problem {
            folder: folder.to_owned(),
            title,
            spec: spec.map_err(|error| whole(error.to_string()))?,
            files,
        })
    }

    /// Name of the solver.
    pub fn solver(&self) -> &'static str {
        self.spec.solver().name()
    }

    /// The problem with every default written out.
    pub fn resolved(&self) -> String {
        let envelope = Envelope {
            format: FORMAT,
            solver: self.solver().to_owned(),
            title: Some(self.title.clone()),
            sweep: BTreeMap::new(),
        };
        let head = toml::to_string(&envelope);
        let body = toml::to_string(self.spec.values());
        // Both are plain tables of strings and numbers, which TOML can always express.
        format!(
            "{}{}",
            head.unwrap_or_else(|error| format!("# {error}\n")),
            body.unwrap_or_else(|error| format!("# {error}\n"))
        )
    }

    /// SHA-256 of the resolved problem: equal problems have equal hashes, however they are spaced.
    pub fn hash(&self) -> String {
        hexadecimal(&Sha256::digest(self.resolved().as_bytes()))
    }

    /// What a run of it is known by: program, problem, and what stands in the files that it names.
    pub(crate) fn identity(&self) -> Result<String, Error> {
        let mut digest = Sha256::new();
        digest.update(self.resolved());
        for path in &self.files {
            let failed = |error: std::io::Error| Error::reading(path, &error);
            let file = std::fs::File::open(path).map_err(failed)?;
            let mut file = std::io::BufReader::with_capacity(1 << 20, file);
            loop {
                let bytes = file.fill_buf().map_err(failed)?;
                if bytes.is_empty() {
                    break;
                }
                digest.update(bytes);
                let count = bytes.len();
                file.consume(count);
            }
        }
        Ok(format!("{PROGRAM} {}", hexadecimal(&digest.finalize())))
    }
}

fn hexadecimal(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
