//! Problem files: TOML with a format version, validated against a schema generated from the types.
//!
//! Reading has four steps. The text is parsed with the position of every key and value; the tree is validated against
//! the schema, which finds every misspelled key, wrong unit, and missing file at once; the types are deserialized; and
//! errors that types do not exclude (a range that ends before it starts, an unsupported shape) are found by the scene
//! and the solver. All findings are reported together, each with its position. A [`Document`] may be for several
//! solvers.

mod check;
mod document;
mod error;
mod renamed;
mod schema;
mod semantics;
mod shape;
mod source;
mod tree;
mod variations;

use std::collections::BTreeMap;
use std::io::BufRead as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use wavefield_solver::{AnySpec, ErrorClass, printable};

pub use document::Document;
pub use error::{Finding, ProblemError};
pub use schema::schema;
use source::Source;
use tree::Table;
pub use variations::Variation;

use crate::Error;
use crate::result::PROGRAM;

/// Version of the problem file format.
pub const FORMAT: i64 = 1;

/// Name of the sweep table.
const SWEEP: &str = "sweep";

/// Validated problem of one solver.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Folder that paths in the file are relative to.
    pub folder: PathBuf,
    /// Title of the report.
    pub title: String,
    /// Specification: solver and scene.
    pub spec: AnySpec,
    /// Files that it refers to.
    pub files: Vec<PathBuf>,
    /// Source positions of its values.
    source: Source,
    tree: Table,
}

/// Keys of every problem file, whatever its solver.
#[derive(Clone, Debug, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Envelope {
    /// Version of the format: 1.
    pub(crate) format: i64,
    /// The solver that computes this problem.
    pub(crate) solver: String,
    /// One line that says what the problem is; the head of the report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    /// Values to be varied, by their paths, as `"bodies.0.geometry.radius" = ["0.1 m", "0.2 m"]`: every combination is run.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) sweep: BTreeMap<String, Vec<serde_json::Value>>,
}

impl Problem {
    /// Creates the problem of a specification; paths are relative to `folder`.
    pub fn new(title: &str, spec: AnySpec, folder: &Path) -> Problem {
        Problem {
            folder: folder.to_owned(),
            title: title.to_owned(),
            spec,
            files: Vec::new(),
            source: Source::none(),
            tree: Table::default(),
        }
    }

    /// Reads a problem file for one solver from disk.
    ///
    /// # Errors
    /// It cannot be read, or every error of the problem.
    pub fn read(path: &Path) -> Result<Problem, Error> {
        Ok(Document::read(path)?.problem(None)?)
    }

    /// Reads a problem for one solver from a string; `name` appears in messages, paths are relative to `folder`.
    ///
    /// # Errors
    /// Every error of the problem.
    pub fn parse(text: &str, name: &str, folder: &Path) -> Result<Problem, ProblemError> {
        Document::parse(text, name, folder)?.problem(None)
    }

    fn from_tree(source: &Source, tree: &Table, folder: &Path) -> Result<Problem, ProblemError> {
        let whole = |message: String| source.failed(vec![Finding::whole_file(message)]);
        let missing = || whole("`solver` is missing".to_owned());
        let named = tree.get("solver").ok_or_else(missing)?;
        let solver =
            check::solver_of(tree, named).map_err(|finding| source.failed(vec![finding]))?;
        let mut checked = check::check(tree, solver, folder);
        let mut known = tree.clone();
        for place in &checked.unknown {
            known.remove_at(place);
        }
        let mut values = known.to_values().map_err(whole)?;
        for key in ["format", "solver", SWEEP] {
            values.remove(key);
        }
        let title = match values.remove("title") {
            // Titles are printed on terminals, which obey control characters.
            Some(toml::Value::String(title)) => printable(&title),
            _ => "Untitled problem".to_owned(),
        };
        let mut values = <dyn erased_serde::Deserializer>::erase(toml::Value::Table(values));
        let spec = solver.read(&mut values);
        let only_unknown_keys = checked.findings.len() == checked.unknown.len();
        match &spec {
            Ok(spec) if only_unknown_keys => {
                checked.findings.extend(semantics::findings(spec, tree));
            }
            Err(error) if checked.findings.is_empty() => {
                checked
                    .findings
                    .push(Finding::whole_file(error.to_string()));
            }
            _ => {}
        }
        match spec {
            Ok(spec) if checked.findings.is_empty() => Ok(Problem {
                folder: folder.to_owned(),
                title,
                spec,
                files: checked.files,
                source: source.clone(),
                tree: tree.clone(),
            }),
            _ => Err(source.failed(checked.findings)),
        }
    }

    /// Returns a planning error with the source position of its key, if it has one.
    pub fn located(&self, error: Error) -> Error {
        match error.path() {
            Some(path) if error.class() == ErrorClass::Input => {
                let finding = semantics::at(&self.tree, path, error.to_string(), None);
                self.source.failed(vec![finding]).into()
            }
            _ => error,
        }
    }

    /// Returns the name of the solver.
    pub fn solver(&self) -> &'static str {
        self.spec.solver().name()
    }

    /// Returns the problem with every default written out.
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

    /// Returns the SHA-256 of the resolved problem: equal problems have equal hashes, whatever their formatting.
    pub fn hash(&self) -> String {
        hexadecimal(&Sha256::digest(self.resolved().as_bytes()))
    }

    /// Returns the identity of a run: program, problem, and contents of the files it refers to.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn identity(&self) -> Result<String, Error> {
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
