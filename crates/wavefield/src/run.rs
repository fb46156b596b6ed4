//! Pipeline of a run: read → validate → plan → check memory → execute → store → report. The command line and Python
//! both call it.
//!
//! [`RunRequest::read`] reads and validates; [`run_to_folder`] is the rest for one problem. Sweeps and shards wrap it.

use std::path::Path;
use std::time::{Duration, Instant};

use wavefield_numerics::observe::Observer;
use wavefield_solver::checkpoint::{CheckpointStore, NullStore};

use crate::Error;
use crate::checkpoint::journal::Journal;
pub use crate::checkpoint::shard::Shard;
use crate::checkpoint::store::Store;
use crate::executors::ShardExecutor;
use crate::memory;
pub use crate::options::Options;
use crate::outcome::Outcome;
use crate::planned::Planned;
use crate::problem::{Document, Problem, Variation};
use crate::ranks::Ranks;
use crate::result::{self, Record, Timing};
use crate::sweep;

/// Record together with the outcome it describes.
pub type Finished = (Record, Outcome);

/// Runs a problem and returns the record and the outcome, writing nothing.
///
/// # Errors
/// Those of planning and of the solver.
pub fn run(
    problem: &Problem,
    options: &Options,
    observer: &dyn Observer,
) -> Result<Finished, Error> {
    let stages = Stages::plan(problem, options, observer)?;
    let outcome = stages.execute(&NullStore, None, observer)?;
    Ok((stages.record(problem, &outcome), outcome))
}

/// Runs a problem and writes result folder and report. Checkpoints in the folder let an interrupted run resume.
///
/// Of several ranks the first returns the result, the others nothing.
///
/// # Errors
/// Those of planning, of the solver, and of the disk.
pub fn run_to_folder(
    problem: &Problem,
    options: &Options,
    observer: &dyn Observer,
    folder: &Path,
) -> Result<Option<Finished>, Error> {
    // The folder is created after planning and before the work: an invalid problem leaves no folder, an unusable folder
    // costs no run.
    let stages = Stages::plan(problem, options, observer)?;
    let identity = format!("{} {}", problem.identity()?, stages.planned.engine());
    let store = Store::open(folder, identity, options, || Ok(()))?;
    let executed = store.execute(options, |checkpoints| {
        stages.execute(checkpoints, options.ranks.as_ref(), observer)
    })?;
    let Some(outcome) = executed else {
        return Ok(None);
    };
    let record = stages.record(problem, &outcome);
    result::write(folder, &record, &outcome)?;
    store.finish(folder, options.keep_task_results)?;
    Ok(Some((record, outcome)))
}

/// Runs a problem by this process alone, as part of a sweep or a comparison.
pub(crate) fn run_alone(
    problem: &Problem,
    options: &Options,
    observer: &dyn Observer,
    folder: &Path,
) -> Result<Finished, Error> {
    let finished = run_to_folder(problem, &options.alone(), observer, folder)?;
    finished.ok_or_else(|| Error::runtime("a run ended without a result"))
}

/// Planned run that fits into memory, and the times of its stages.
struct Stages {
    planned: Planned,
    /// Predicted memory, bytes.
    memory: usize,
    planning: Duration,
    solving: std::cell::Cell<Duration>,
}

impl Stages {
    /// Plans the problem; checks mesh, frequency, and memory.
    fn plan(
        problem: &Problem,
        options: &Options,
        observer: &dyn Observer,
    ) -> Result<Stages, Error> {
        let start = Instant::now();
        let planned = Planned::new(problem, &options.device, options.threads, observer)?;
        let planning = start.elapsed();
        planned.require_suitable()?;
        let memory = memory::predicted(planned.cost().memory);
        Ok(Stages {
            planned,
            memory,
            planning,
            solving: Duration::ZERO.into(),
        })
    }

    fn execute(
        &self,
        checkpoints: &dyn CheckpointStore,
        ranks: Option<&Ranks>,
        observer: &dyn Observer,
    ) -> Result<Outcome, Error> {
        let start = Instant::now();
        let outcome = self.planned.execute(checkpoints, ranks, observer);
        self.solving.set(start.elapsed());
        outcome
    }

    fn record(&self, problem: &Problem, outcome: &Outcome) -> Record {
        let timing = |stage: &str, time: Duration| Timing {
            stage: stage.to_owned(),
            seconds: time.as_secs_f64(),
        };
        Record {
            problem_sha256: problem.hash(),
            device: self.planned.device().describe(),
            threads: self.planned.threads(),
            memory: self.memory,
            timings: vec![
                timing("plan", self.planning),
                timing("solve", self.solving.get()),
            ],
            ..Record::of(
                problem.solver(),
                problem.title.clone(),
                problem.resolved(),
                outcome,
            )
        }
    }
}

/// Runs all variations of a problem, each into a subfolder, and writes a table of them. Results of variations stay in
/// the folder and are reused by a later sweep.
fn run_sweep(
    variations: &[Variation],
    text: &str,
    options: &Options,
    observer: &dyn Observer,
    folder: &Path,
) -> Result<Option<Finished>, Error> {
    let renumber = || sweep::renumber(variations, folder);
    let store = Store::open(folder, sweep::identity(), options, renumber)?;
    let executed = store.execute(options, |checkpoints| {
        sweep::run(variations, options, checkpoints, observer, folder)
    })?;
    let Some(outcome) = executed else {
        return Ok(None);
    };
    let record = sweep::record(variations, text, &outcome);
    result::write(folder, &record, &outcome)?;
    Ok(Some((record, outcome)))
}

/// Request of a problem file: one problem, or its variations.
pub enum RunRequest {
    /// One problem.
    Problem(Box<Problem>),
    /// Variations of a problem, and the file that lists them.
    Sweep(Vec<Variation>, String),
}

impl RunRequest {
    /// Reads and validates a problem file, for its only solver or the named one.
    ///
    /// # Errors
    /// It cannot be read, or everything that is wrong with it.
    pub fn read(path: &Path, solver: Option<&str>) -> Result<RunRequest, Error> {
        let document = Document::read(path)?;
        match document.variations(solver)? {
            None => Ok(RunRequest::Problem(Box::new(document.problem(solver)?))),
            Some(variations) => Ok(RunRequest::Sweep(variations, document.text().to_owned())),
        }
    }

    /// Runs the problem or its variations into a folder. Of several ranks the first returns the result.
    ///
    /// # Errors
    /// Those of [`run_to_folder`].
    pub fn run(
        &self,
        options: &Options,
        observer: &dyn Observer,
        folder: &Path,
    ) -> Result<Option<Finished>, Error> {
        match self {
            RunRequest::Problem(problem) => run_to_folder(problem, options, observer, folder),
            RunRequest::Sweep(variations, text) => {
                run_sweep(variations, text, options, observer, folder)
            }
        }
    }

    /// Executes a shard of the tasks and leaves the results in the folder, for a run that merges them.
    ///
    /// # Errors
    /// [`Error::input`] for a problem without tasks, and those of its run.
    pub fn run_shard(
        &self,
        options: &Options,
        observer: &dyn Observer,
        folder: &Path,
        shard: Shard,
    ) -> Result<(), Error> {
        self.has_tasks()?;
        result::prepare(folder)?;
        let journal = Journal::of_shard(folder, shard, options.checkpoint_interval)?;
        let executor = ShardExecutor::new(journal, shard);
        let done = self.execute_tasks(options, &executor, observer, folder);
        if executor.is_finished() {
            return Ok(());
        }
        done?;
        Err(no_tasks())
    }

    /// Rejects a problem without tasks before a folder is created.
    ///
    /// # Errors
    /// [`Error::input`] for such a problem.
    pub fn has_tasks(&self) -> Result<(), Error> {
        match self {
            RunRequest::Problem(problem) if !problem.spec.solver().capabilities().tasks => {
                Err(no_tasks())
            }
            _ => Ok(()),
        }
    }

    /// Executes the tasks of the checkpoint store's executor.
    fn execute_tasks(
        &self,
        options: &Options,
        checkpoints: &dyn CheckpointStore,
        observer: &dyn Observer,
        folder: &Path,
    ) -> Result<(), Error> {
        match self {
            RunRequest::Problem(problem) => {
                let planned = Planned::new(problem, &options.device, options.threads, observer)?;
                planned.require_suitable()?;
                planned.execute(checkpoints, None, observer).map(|_| ())
            }
            RunRequest::Sweep(variations, _) => {
                sweep::run(variations, options, checkpoints, observer, folder).map(|_| ())
            }
        }
    }
}

fn no_tasks() -> Error {
    Error::input("this problem has no independent tasks; run it as a whole")
}
