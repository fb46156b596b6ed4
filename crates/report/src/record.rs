//! The record of a run, the content of `result.json`.

use serde::{Deserialize, Serialize};

use wavefield_solver::outcome::{
    Check, FieldCuts, FieldFile, FieldGrid, Figure, KeyFigure, NetworkFile, Outcome, Table,
    Validity, Variable, View,
};

/// Version of the conventions, stamped into every result.
pub const CONVENTIONS: u32 = 1;

/// Name and version of the program.
pub const PROGRAM: &str = concat!("wavefield ", env!("CARGO_PKG_VERSION"));

/// Summary of the conventions, in one line.
const CONVENTIONS_SUMMARY: &str = "e^{+jωt}; SI; θ from +z, φ from +x; incidence by the direction that the wave is incident from; \
     V = θ̂, H = φ̂; S_pq: p received, q transmitted; far field as r·E·e^{jkr}; loss as negative imaginary part";

/// Record of a run: everything except the arrays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Name and version of the program.
    pub program: String,
    /// Version of the conventions; see CONVENTIONS.md.
    pub conventions: u32,
    /// Summary of the conventions, in one line.
    pub conventions_summary: String,
    /// Name of the solver.
    pub solver: String,
    /// Title of the problem.
    pub title: String,
    /// SHA-256 of the resolved problem.
    pub problem_sha256: String,
    /// Problem with all defaults.
    pub problem: String,
    /// Device that computed the run.
    pub device: String,
    /// Number of threads.
    pub threads: usize,
    /// Requested relative accuracy.
    pub accuracy: f64,
    /// Predicted peak memory, in bytes.
    pub memory: usize,
    /// Time of each stage, in order.
    pub timings: Vec<Timing>,
    /// Summary of the result, one sentence.
    pub summary: String,
    /// Key figures at the head of the report.
    pub key_figures: Vec<KeyFigure>,
    /// Checks of the run.
    pub checks: Vec<Check>,
    /// Ranges of validity of the compared methods.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub validity: Vec<Validity>,
    /// Tables over the arrays.
    pub tables: Vec<Table>,
    /// Units and dimensions of arrays that are not in tables.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<Variable>,
    /// Figures over the arrays.
    pub figures: Vec<Figure>,
    /// Three-dimensional view.
    pub view: View,
    /// Far fields written as GRASP grid files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grids: Vec<FieldGrid>,
    /// Far fields written as GRASP cut files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cuts: Vec<FieldCuts>,
    /// S-parameters written as Touchstone files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub networks: Vec<NetworkFile>,
    /// Fields on a mesh written as VTK files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldFile>,
}

impl Record {
    /// Creates the record of an outcome without the data of the run: device, cost, and times.
    pub fn of(solver: &str, title: String, problem: String, outcome: &Outcome) -> Record {
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
            variables: outcome.variables.clone(),
            figures: outcome.figures.clone(),
            view: outcome.view.clone(),
            grids: outcome.grids.clone(),
            cuts: outcome.cuts.clone(),
            networks: outcome.networks.clone(),
            fields: outcome.fields.clone(),
        }
    }
}

/// Time of a stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// Name of the stage.
    pub stage: String,
    /// Time in s.
    pub seconds: f64,
}
