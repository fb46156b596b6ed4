//! The record of a run: what `result.json` holds.

use serde::{Deserialize, Serialize};

use wavefield_solver::outcome::{
    Check, FieldCuts, FieldFile, FieldGrid, Figure, KeyFigure, NetworkFile, Outcome, Table,
    Validity, View,
};

/// Version of the conventions stamped into every result.
pub const CONVENTIONS: u32 = 1;

/// Name and version of the program.
pub const PROGRAM: &str = concat!("wavefield ", env!("CARGO_PKG_VERSION"));

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
