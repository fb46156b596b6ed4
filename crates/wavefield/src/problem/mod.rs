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
mod variations;

use std::collections::BTreeMap;
use std::io::BufRead as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use toml::de::DeTable;

pub use error::{Finding, ProblemError};
pub use schema::schema;
pub use variations::{Variation, variations};

use crate::failure::Failure;
use crate::result::PROGRAM;

/// Version of the problem file format.
pub const FORMAT: i64 = 1;

/// The solvers a problem file may name.
pub const SOLVERS: [&str; 7] = [
    "dgtd",
    "exact",
    "holography",
    "mom2d",
    "mom3d",
    "reflectarray",
    "sbr",
];

/// A problem file that has been read.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The file as it was written.
    pub text: String,
    /// The folder that paths in the file are relative to.
    pub folder: PathBuf,
    /// One line for the head of the report.
    pub title: String,
    /// What is to be computed.
    pub spec: Spec,
    /// The files that it names.
    pub files: Vec<PathBuf>,
}

/// What is to be computed, by which solver.
#[derive(Clone, Debug, PartialEq)]
pub enum Spec {
    /// Waves in time on tetrahedra.
    Dgtd(Box<wavefield_dgtd::Spec>),
    /// Exact scattering of spheres and cylinders.
    Exact(Box<wavefield_exact::Spec>),
    /// Sound near its sources, from the bits of a microphone array.
    Holography(Box<wavefield_holography::Spec>),
    /// Scattering by long bodies, by an integral equation on their cross-sections.
    Mom2d(Box<wavefield_mom2d::Spec>),
    /// Scattering by conducting surfaces, by an integral equation on their triangles.
    Mom3d(Box<wavefield_mom3d::Spec>),
    /// Phases and positions of a reflectarray for a coverage.
    Reflectarray(Box<wavefield_reflectarray::Spec>),
    /// Scattering by an electrically large body, by rays.
    Sbr(Box<wavefield_sbr::Spec>),
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
    pub fn read(path: &Path) -> Result<Problem, Failure> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            if error.kind() == std::io::ErrorKind::NotFound && path == Path::new("problem.toml") {
                Failure::Input(
                    "there is no problem.toml here; `wavefield new exact/sphere` writes one, \
                     `wavefield new --list` shows what else there is"
                        .to_owned(),
                )
            } else {
                match error.kind() {
                    std::io::ErrorKind::InvalidData => Failure::Input(format!(
                        "{} is not a problem file: it is no text",
                        crate::failure::shown(path)
                    )),
                    _ => Failure::reading(path, &error),
                }
            }
        })?;
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        Ok(Problem::parse(&text, &path.display().to_string(), &folder)?)
    }

    /// Reads a problem from a text; `name` stands in messages, files are looked up in `folder`.
    pub fn parse(text: &str, name: &str, folder: &Path) -> Result<Problem, ProblemError> {
        let failed = |findings| ProblemError::new(name, text, findings);
        let (tree, errors) = DeTable::parse_recoverable(text);
        if !errors.is_empty() {
            return Err(failed(errors.iter().map(Finding::from_syntax).collect()));
        }
        let (findings, files) = check::check(&tree, folder);
        if !findings.is_empty() {
            return Err(failed(findings));
        }
        if let Some((key, _)) = tree
            .get_ref()
            .iter()
            .find(|(k, _)| k.get_ref() == variations::KEY)
        {
            return Err(failed(vec![Finding {
                message: "this file is a sweep of many problems, of which one was wanted"
                    .to_owned(),
                span: key.span(),
                label: "many problems".to_owned(),
                help: Some("`wavefield run` runs them all".to_owned()),
            }]));
        }
        let mut table: toml::Table =
            toml::from_str(text).map_err(|error| failed(vec![Finding::from_syntax(&error)]))?;
        table.remove("format");
        let solver = table.remove("solver");
        let title = match table.remove("title") {
            Some(toml::Value::String(title)) => title,
            _ => "Untitled problem".to_owned(),
        };
        // The check above has seen that it is one of `SOLVERS`.
        let spec = match solver.as_ref().and_then(toml::Value::as_str) {
            Some("dgtd") => table.try_into().map(Box::new).map(Spec::Dgtd),
            Some("holography") => table.try_into().map(Box::new).map(Spec::Holography),
            Some("mom2d") => table.try_into().map(Box::new).map(Spec::Mom2d),
            Some("mom3d") => table.try_into().map(Box::new).map(Spec::Mom3d),
            Some("reflectarray") => table.try_into().map(Box::new).map(Spec::Reflectarray),
            Some("sbr") => table.try_into().map(Box::new).map(Spec::Sbr),
            _ => table.try_into().map(Box::new).map(Spec::Exact),
        };
        let spec = spec.map_err(|error| failed(vec![Finding::from_syntax(&error)]))?;
        Ok(Problem {
            text: text.to_owned(),
            folder: folder.to_owned(),
            title,
            spec,
            files,
        })
    }

    /// Name of the solver.
    pub fn solver(&self) -> &'static str {
        match self.spec {
            Spec::Dgtd(_) => "dgtd",
            Spec::Exact(_) => "exact",
            Spec::Holography(_) => "holography",
            Spec::Mom2d(_) => "mom2d",
            Spec::Mom3d(_) => "mom3d",
            Spec::Reflectarray(_) => "reflectarray",
            Spec::Sbr(_) => "sbr",
        }
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
        let body = match &self.spec {
            Spec::Dgtd(spec) => toml::to_string(spec),
            Spec::Exact(spec) => toml::to_string(spec),
            Spec::Holography(spec) => toml::to_string(spec),
            Spec::Mom2d(spec) => toml::to_string(spec),
            Spec::Mom3d(spec) => toml::to_string(spec),
            Spec::Reflectarray(spec) => toml::to_string(spec),
            Spec::Sbr(spec) => toml::to_string(spec),
        };
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
    pub(crate) fn identity(&self) -> Result<String, Failure> {
        let mut digest = Sha256::new();
        digest.update(self.resolved());
        for path in &self.files {
            let failed = |error: std::io::Error| Failure::reading(path, &error);
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
