//! One run from problem to outcome, with its times; the command line and Python both call this.

use std::path::Path;
use std::time::{Duration, Instant};

use wavefield_compute::DeviceChoice;
use wavefield_compute::checkpoint::{Forgetful, Keeper};
use wavefield_compute::observe::Observer;

use crate::checkpoint::Checkpoint;
use crate::failure::Failure;
use crate::outcome::Outcome;
use crate::problem::Problem;
use crate::result::{self, CONVENTIONS, Record, Timing};
use crate::solver::Planned;

/// How a problem is run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Where to compute.
    pub device: DeviceChoice,
    /// Threads, all if not said.
    pub threads: Option<usize>,
    /// Whether a run into a folder goes on from what an interrupted one left there.
    pub resume: bool,
}

/// Name and version.
const PROGRAM: &str = concat!("wavefield ", env!("CARGO_PKG_VERSION"));

/// The conventions in one line.
const CONVENTIONS_SUMMARY: &str = "e^{+jωt}; SI; θ from +z, φ from +x; incidence by the direction the wave comes from; \
     V = θ̂, H = φ̂; S_pq: p received, q transmitted; far field as r·E·e^{jkr}; loss as negative imaginary part";

/// Runs a problem and returns the record and the outcome, writing nothing.
pub fn run(
    problem: &Problem,
    options: &Options,
    observer: &dyn Observer,
) -> Result<(Record, Outcome), Failure> {
    let start = Instant::now();
    let planned = Planned::new(problem, &options.device, options.threads)?;
    execute(problem, &planned, start.elapsed(), &Forgetful, observer)
}

fn execute(
    problem: &Problem,
    planned: &Planned,
    planning: Duration,
    keeper: &dyn Keeper,
    observer: &dyn Observer,
) -> Result<(Record, Outcome), Failure> {
    let cost = planned.cost();
    let start = Instant::now();
    let outcome = planned.execute(keeper, observer)?;
    let solving = start.elapsed();
    let timing = |stage: &str, seconds: f64| Timing {
        stage: stage.to_owned(),
        seconds,
    };
    let record = Record {
        program: PROGRAM.to_owned(),
        conventions: CONVENTIONS,
        conventions_summary: CONVENTIONS_SUMMARY.to_owned(),
        solver: problem.solver().to_owned(),
        title: problem.title.clone(),
        problem_sha256: problem.hash(),
        problem: problem.resolved(),
        device: planned.device().describe(),
        threads: planned.threads(),
        accuracy: outcome.accuracy,
        memory: cost.memory,
        timings: vec![
            timing("plan", planning.as_secs_f64()),
            timing("solve", solving.as_secs_f64()),
        ],
        summary: outcome.summary.clone(),
        key_figures: outcome.key_figures.clone(),
        checks: outcome.checks.clone(),
        tables: outcome.tables.clone(),
        figures: outcome.figures.clone(),
        view: outcome.view.clone(),
        grids: outcome.grids.clone(),
        cuts: outcome.cuts.clone(),
        networks: outcome.networks.clone(),
        fields: outcome.fields.clone(),
    };
    Ok((record, outcome))
}

/// Runs a problem and writes result folder and report. What is finished on the way is kept in the folder, so
/// that an interrupted run can go on.
pub fn run_to_folder(
    problem: &Problem,
    options: &Options,
    observer: &dyn Observer,
    folder: &Path,
) -> Result<(Record, Outcome), Failure> {
    // Plan first, folder next, work last: a bad problem leaves no folder, a bad folder costs no run.
    let start = Instant::now();
    let planned = Planned::new(problem, &options.device, options.threads)?;
    let planning = start.elapsed();
    result::prepare(folder)?;
    let identity = format!("{PROGRAM} {}", problem.hash());
    let checkpoint = if options.resume {
        Checkpoint::resume(folder, identity)?
    } else {
        Checkpoint::begin(folder, identity)?
    };
    let (record, outcome) = execute(problem, &planned, planning, &checkpoint, observer)?;
    result::write(folder, &record, &outcome)?;
    checkpoint.remove()?;
    Ok((record, outcome))
}
