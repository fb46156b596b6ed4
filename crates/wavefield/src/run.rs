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
use crate::result::{self, PROGRAM, Record, Timing};
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

/// Runs a problem and returns the record and the outcome, writing nothing.
pub fn run(
    problem: &Problem,
    options: &Options,
    observer: &dyn Observer,
) -> Result<(Record, Outcome), Failure> {
    let start = Instant::now();
    let planned = Planned::new(problem, &options.device, options.threads, observer)?;
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
        problem_sha256: problem.hash(),
        device: planned.device().describe(),
        threads: planned.threads(),
        memory: cost.memory,
        timings: vec![
            timing("plan", planning.as_secs_f64()),
            timing("solve", solving.as_secs_f64()),
        ],
        ..Record::of(
            problem.solver(),
            problem.title.clone(),
            problem.resolved(),
            &outcome,
        )
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
    let planned = Planned::new(problem, &options.device, options.threads, observer)?;
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
