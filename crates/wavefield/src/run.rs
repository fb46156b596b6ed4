//! One run from problem to outcome, with its times; the command line and Python both call this.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use wavefield_gpu::DeviceChoice;
use wavefield_numerics::observe::{Observer, Silent};
use wavefield_solver::checkpoint::{Forgetful, Keeper};
use wavefield_solver::tasks::Crew;

use crate::Error;
use crate::keep::checkpoint::Checkpoint;
pub use crate::keep::crew::Share;
use crate::keep::crew::jobs::Jobs;
pub use crate::keep::crew::jobs::WorkerCommand;
use crate::keep::crew::worker::Worker;
use crate::keep::crew::{PartOfThem, Threads};
use crate::keep::journal::Journal;
use crate::keep::{self, Kept};
use crate::memory;
use crate::outcome::Outcome;
use crate::planned::Planned;
use crate::problem::{Problem, Variation, variations};
use crate::ranks::{RankCrew, RankKeeper, Ranks};
use crate::result::{self, Record, Timing};
use crate::sweep;

/// How a problem is run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Where to compute.
    pub device: DeviceChoice,
    /// Threads, all if not said.
    pub threads: Option<usize>,
    /// Whether a run into a folder goes on from what an interrupted one left there.
    pub resume: bool,
    /// How often what goes on for long is kept anew; every half minute, or more seldom on a slow disk, if not said.
    pub keep_every: Option<Duration>,
    /// Who does the tasks of a sweep.
    pub hands: Hands,
    /// Whether results of single tasks stay in the folder, so that a larger sweep goes on from them.
    pub keep_tasks: bool,
}

/// Who does the tasks of a sweep.
#[derive(Clone, Debug, Default)]
pub enum Hands {
    /// The threads of this process.
    #[default]
    Threads,
    /// So many processes of this machine.
    Processes {
        /// How many.
        jobs: usize,
        /// How one is started.
        worker: WorkerCommand,
    },
}

/// Runs a problem and returns the record and the outcome, writing nothing.
pub fn run(
    problem: &Problem,
    options: &Options,
    observer: &dyn Observer,
) -> Result<(Record, Outcome), Error> {
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
) -> Result<(Record, Outcome), Error> {
    let work = || planned.execute(keeper, None, observer);
    execute_by(problem, planned, planning, &work)
}

fn execute_by(
    problem: &Problem,
    planned: &Planned,
    planning: Duration,
    work: &dyn Fn() -> Result<Outcome, Error>,
) -> Result<(Record, Outcome), Error> {
    let cost = planned.cost();
    let memory = memory::foreseen(cost.memory);
    memory::fits(cost.memory, cost.memory_hint)?;
    let start = Instant::now();
    let outcome = work()?;
    let solving = start.elapsed();
    let timing = |stage: &str, seconds: f64| Timing {
        stage: stage.to_owned(),
        seconds,
    };
    let record = Record {
        problem_sha256: problem.hash(),
        device: planned.device().describe(),
        threads: planned.threads(),
        memory,
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
) -> Result<(Record, Outcome), Error> {
    // Plan first, folder next, work last: a bad problem leaves no folder, a bad folder costs no run.
    let start = Instant::now();
    let planned = Planned::new(problem, &options.device, options.threads, observer)?;
    let planning = start.elapsed();
    result::prepare(folder)?;
    let (checkpoint, journal) = kept(problem.identity()?, options, folder)?;
    let crew = crew(options, &journal);
    let kept = Kept::new(checkpoint, &*crew);
    let (record, outcome) = execute(problem, &planned, planning, &kept, observer)?;
    result::write(folder, &record, &outcome)?;
    kept.remove()?;
    if !options.keep_tasks {
        keep::remove_journals(folder)?;
    }
    Ok((record, outcome))
}

/// Runs all variations of a problem, each into a folder within, and writes a table of them. What has been run stays known,
/// for the same variations among others later.
pub fn run_sweep(
    variations: &[Variation],
    text: &str,
    options: &Options,
    observer: &dyn Observer,
    folder: &Path,
) -> Result<(Record, Outcome), Error> {
    result::prepare(folder)?;
    let (checkpoint, journal) = kept(sweep::identity(), options, folder)?;
    sweep::renumber(variations, folder)?;
    let crew = crew(options, &journal);
    let kept = Kept::new(checkpoint, &*crew);
    let outcome = sweep::run(variations, options, &kept, observer, folder)?;
    let record = sweep::record(variations, text, &outcome);
    result::write(folder, &record, &outcome)?;
    Ok((record, outcome))
}

fn kept(
    identity: String,
    options: &Options,
    folder: &Path,
) -> Result<(Checkpoint, Journal), Error> {
    keep::open(folder, identity, options.resume, options.keep_every)
}

/// Who does the tasks.
fn crew<'a>(options: &Options, journal: &'a Journal) -> Box<dyn Crew + 'a> {
    match &options.hands {
        Hands::Threads => Box::new(Threads(journal)),
        Hands::Processes { jobs, worker } => Box::new(Jobs {
            journal,
            jobs: *jobs,
            command: worker.clone(),
        }),
    }
}

/// Runs a problem with other processes, all of which call this; the first writes result folder and report and gets the
/// result, the others get nothing.
pub fn run_with_ranks(
    problem: &Problem,
    options: &Options,
    ranks: &Ranks,
    observer: &dyn Observer,
    folder: &Path,
) -> Result<Option<(Record, Outcome)>, Error> {
    let start = Instant::now();
    let planned = Planned::new(problem, &options.device, options.threads, observer)?;
    let planning = start.elapsed();
    let held = held_by_first(problem.identity()?, options, ranks, folder, || Ok(()))?;
    let keeper = held.keeper(ranks);
    let work = || planned.execute(&keeper, Some(ranks), observer);
    let finished = execute_by(problem, &planned, planning, &work);
    if keeper.crew.dismissed.load(Ordering::Relaxed) {
        return Ok(None);
    }
    let (record, outcome) = finished?;
    let Some(checkpoint) = keeper.checkpoint else {
        return Ok(None);
    };
    result::write(folder, &record, &outcome)?;
    checkpoint.remove()?;
    if !options.keep_tasks {
        keep::remove_journals(folder)?;
    }
    Ok(Some((record, outcome)))
}

/// The same for all variations of a problem: every process runs some of them, into a folder that all can reach.
pub fn run_sweep_with_ranks(
    variations: &[Variation],
    text: &str,
    options: &Options,
    ranks: &Ranks,
    observer: &dyn Observer,
    folder: &Path,
) -> Result<Option<(Record, Outcome)>, Error> {
    let renumber = || sweep::renumber(variations, folder);
    let held = held_by_first(sweep::identity(), options, ranks, folder, renumber)?;
    let keeper = held.keeper(ranks);
    let finished = sweep::run(variations, options, &keeper, observer, folder);
    if keeper.crew.dismissed.load(Ordering::Relaxed) {
        return Ok(None);
    }
    let outcome = finished?;
    let record = sweep::record(variations, text, &outcome);
    result::write(folder, &record, &outcome)?;
    Ok(Some((record, outcome)))
}

/// What the first of several processes keeps; the others have nothing.
struct Held(Option<(Checkpoint, Journal)>);

/// Makes the folder ready, also by what the caller adds, which the others wait for.
fn held_by_first(
    identity: String,
    options: &Options,
    ranks: &Ranks,
    folder: &Path,
    ready: impl FnOnce() -> Result<(), Error>,
) -> Result<Held, Error> {
    let held = if ranks.is_first() {
        result::prepare(folder)?;
        let held = kept(identity, options, folder)?;
        ready()?;
        Some(held)
    } else {
        None
    };
    let ready = ranks.transport.barrier();
    ready.map_err(|error| Error::runtime(error.to_string()))?;
    Ok(Held(held))
}

impl Held {
    fn keeper<'a>(&'a self, ranks: &'a Ranks) -> RankKeeper<'a> {
        RankKeeper {
            crew: RankCrew {
                ranks,
                journal: self.0.as_ref().map(|held| &held.1),
                dismissed: false.into(),
            },
            checkpoint: self.0.as_ref().map(|held| &held.0),
        }
    }
}

/// Does a share of the tasks of a problem and leaves the results in the folder, for a run that gathers them.
pub fn run_share(
    wanted: &Wanted,
    options: &Options,
    observer: &dyn Observer,
    folder: &Path,
    share: Share,
) -> Result<(), Error> {
    wanted.check()?;
    result::prepare(folder)?;
    let journal = Journal::of_share(folder, share, options.keep_every)?;
    let part = PartOfThem::new(journal, share);
    let done = wanted.work(options, &part, observer, folder);
    if part.is_finished() {
        return Ok(());
    }
    done?;
    Err(no_tasks())
}

/// Does tasks of a problem for a coordinator, as told over stdin, until there are no more.
///
/// # Errors
/// [`Error::input`] for a problem without tasks, and those of its run.
pub fn serve(wanted: &Wanted, options: &Options, folder: &Path) -> Result<(), Error> {
    let worker = Worker::default();
    let served = wanted.work(options, &worker, &Silent, folder);
    if worker.is_dismissed() {
        return Ok(());
    }
    served?;
    Err(no_tasks())
}

fn no_tasks() -> Error {
    Error::input(
        "this problem has no tasks that need nothing of each other: run it as a whole".to_owned(),
    )
}

/// One problem, or its variations.
pub enum Wanted {
    /// One problem.
    One(Box<Problem>),
    /// Many, and the file they stand in.
    Many(Vec<Variation>, String),
}

impl Wanted {
    /// What a problem file asks for.
    pub fn read(path: &Path) -> Result<Wanted, Error> {
        match variations(path)? {
            None => Ok(Wanted::One(Box::new(Problem::read(path)?))),
            Some(many) => {
                let text = std::fs::read_to_string(path);
                let text = text.map_err(|error| Error::reading(path, &error))?;
                Ok(Wanted::Many(many, text))
            }
        }
    }

    /// Refuses a problem that has no tasks, before a folder is made.
    ///
    /// # Errors
    /// [`Error::input`] for such a problem.
    pub fn check(&self) -> Result<(), Error> {
        match self {
            Wanted::One(problem) if !problem.spec.solver().capabilities().tasks => Err(no_tasks()),
            _ => Ok(()),
        }
    }

    /// Does the tasks that the keeper's crew is given.
    fn work(
        &self,
        options: &Options,
        keeper: &dyn Keeper,
        observer: &dyn Observer,
        folder: &Path,
    ) -> Result<(), Error> {
        match self {
            Wanted::One(problem) => {
                let planned = Planned::new(problem, &options.device, options.threads, observer)?;
                planned.execute(keeper, None, observer).map(|_| ())
            }
            Wanted::Many(variations, _) => {
                sweep::run(variations, options, keeper, observer, folder).map(|_| ())
            }
        }
    }
}

impl Options {
    /// The same for a run by this process alone.
    pub(crate) fn alone(&self) -> Options {
        Options {
            hands: Hands::Threads,
            ..self.clone()
        }
    }
}
