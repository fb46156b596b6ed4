//! MPI ranks: distributed DGTD meshes, and parameter sweeps distributed over ranks.
//!
//! All ranks read and plan the same problem. Rank 0 owns the result folder; the other ranks return without a result.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use wavefield_numerics::observe::Progress;
use wavefield_solver::checkpoint::{self, CheckpointError, CheckpointStore, NullStore, Part};
use wavefield_solver::tasks::{Executor, Key, TaskError, Tasks};
use wavefield_solver::transport::TransportError;
pub use wavefield_solver::{Graph, Ranks};

use crate::Error;
use crate::checkpoint::file::Checkpoint;
use crate::checkpoint::journal::Journal;
use crate::executors::addresses;

/// Function that joins the ranks of an MPI launcher.
pub type Join = fn() -> Result<Ranks, String>;

static MPI: OnceLock<Join> = OnceLock::new();

/// Registers MPI, which this library does not link: the command with the feature `mpi` does.
pub fn register_mpi(join: Join) {
    // The first registration wins.
    let _ = MPI.set(join);
}

/// Returns whether MPI is registered.
pub fn has_mpi() -> bool {
    MPI.get().is_some()
}

/// Environment variables in which MPI launchers pass the number of ranks.
const SIZES: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"];

/// Returns the number of ranks that a launcher has started, including this one.
fn started() -> Option<u32> {
    SIZES
        .iter()
        .find_map(|name| std::env::var(name).ok()?.parse().ok())
}

/// Joins the ranks started with this one; `None` for a single process.
///
/// # Errors
/// [`Error::input`] if MPI is not registered, [`Error::runtime`] if the ranks cannot be joined.
pub fn of_this_process() -> Result<Option<Ranks>, Error> {
    let Some(size) = started().filter(|&size| size > 1) else {
        return Ok(None);
    };
    let join = MPI.get().ok_or_else(|| {
        Error::input(format!(
            "started as {size} MPI ranks, but this build has no MPI support and every rank would write the \
             same folder; build with `--features mpi`, or start one process"
        ))
    })?;
    let ranks = join().map_err(Error::runtime)?;
    tracing::info!("{ranks:?}");
    Ok(Some(ranks))
}

fn lost(error: &TransportError) -> TaskError {
    TaskError::Checkpoint(CheckpointError(error.to_string()))
}

/// Target duration of a round of tasks.
const ROUND: Duration = Duration::from_millis(500);
/// Maximum number of tasks per rank and round.
const LARGEST: usize = 1 << 16;

/// Message of a rank to the others after a round.
#[derive(Serialize, Deserialize)]
struct Report {
    results: Vec<(u32, Vec<u8>)>,
    seconds: f64,
    stop: bool,
    failed: bool,
}

/// Executor over all ranks, which runs tasks in rounds. Every rank returns all results, so that all agree on the tasks that
/// follow from them; rank 0 records them.
pub(crate) struct RankExecutor<'a> {
    pub(crate) ranks: &'a Ranks,
    /// Journal of task results; rank 0 only.
    pub(crate) journal: Option<&'a Journal>,
}

impl RankExecutor<'_> {
    /// Returns the results that earlier runs have recorded in the journal of rank 0.
    fn recorded(&self, addresses: &[Key]) -> Result<Vec<Option<Arc<[u8]>>>, TaskError> {
        let recorded: Vec<(u32, Vec<u8>)> = (self.journal.iter())
            .flat_map(|journal| {
                let load =
                    |(number, address)| Some((number as u32, journal.load(address)?.to_vec()));
                addresses.iter().enumerate().filter_map(load)
            })
            .collect();
        let mut results = vec![None; addresses.len()];
        for (number, result) in self.shared(&recorded)?.swap_remove(0) {
            results[number as usize] = Some(result.into());
        }
        Ok(results)
    }

    /// Syncs the journal to disk.
    fn force(&self) -> Result<(), TaskError> {
        self.journal
            .map_or(Ok(()), Journal::force)
            .map_err(TaskError::Checkpoint)
    }

    fn shared<T: Serialize + for<'d> Deserialize<'d>>(
        &self,
        value: &T,
    ) -> Result<Vec<T>, TaskError> {
        let bytes = checkpoint::written("message", value).map_err(TaskError::Checkpoint)?;
        let all = self.ranks.transport.all_gather(&bytes);
        let all = all.map_err(|error| lost(&error))?;
        all.iter()
            .map(|bytes| checkpoint::read("message", bytes).map_err(TaskError::Checkpoint))
            .collect()
    }

    fn round(&self, tasks: &Tasks<'_>, own: &[u32]) -> Report {
        let start = Instant::now();
        let stop = tasks.observer.stop_requested();
        let results: Option<Vec<(u32, Vec<u8>)>> = if stop {
            Some(Vec::new())
        } else {
            own.par_iter()
                .map(|&number| Some((number, (tasks.compute)(number as usize)?)))
                .collect()
        };
        Report {
            seconds: start.elapsed().as_secs_f64(),
            stop,
            failed: results.is_none(),
            results: results.unwrap_or_default(),
        }
    }
}

impl Executor for RankExecutor<'_> {
    fn work(&self, tasks: &Tasks<'_>) -> Result<Vec<Arc<[u8]>>, TaskError> {
        let addresses = addresses(tasks.keys)?;
        let mut results = self.recorded(&addresses)?;
        let left: Vec<u32> = (0..results.len())
            .filter(|&number| results[number].is_none())
            .map(|number| number as u32)
            .collect();
        let (ranks, rank) = (
            self.ranks.size() as usize,
            self.ranks.transport.rank() as usize,
        );
        let (mut at, mut size) = (0, 1);
        let total = tasks.keys.len();
        while at < left.len() {
            let round = &left[at..left.len().min(at + size * ranks)];
            let own: Vec<u32> = round.iter().skip(rank).step_by(ranks).copied().collect();
            let reports = self.shared(&self.round(tasks, &own))?;
            for report in &reports {
                for (number, result) in &report.results {
                    let number = *number as usize;
                    let result = Arc::from(&result[..]);
                    if let Some(journal) = self.journal {
                        journal
                            .record(&addresses[number], &result)
                            .map_err(TaskError::Checkpoint)?;
                    }
                    results[number] = Some(result);
                }
            }
            let stopped = reports.iter().any(|report| report.stop);
            if stopped || reports.iter().any(|report| report.failed) {
                self.force()?;
                return Err(if stopped {
                    TaskError::Stopped
                } else {
                    TaskError::Failed
                });
            }
            at += round.len();
            let done = (total - left.len() + at) as u64;
            tasks
                .observer
                .progress(&Progress::new(tasks.stage, done, total as u64));
            let slowest = reports.iter().map(|r| r.seconds).fold(1e-6, f64::max);
            let fitting = size as f64 * ROUND.as_secs_f64() / slowest;
            size = (fitting as usize).clamp(1, (2 * size).min(LARGEST));
        }
        self.force()?;
        // A rank returns a result for each of its tasks, or fails.
        let all: Option<Vec<Arc<[u8]>>> = results.into_iter().collect();
        all.ok_or(TaskError::Failed)
    }
}

/// Checkpoint store of rank 0, used by all ranks.
pub(crate) struct RankStore<'a> {
    pub(crate) executor: RankExecutor<'a>,
    /// Checkpoint; rank 0 only.
    pub(crate) checkpoint: Option<&'a Checkpoint>,
}

impl CheckpointStore for RankStore<'_> {
    fn load(&self, part: &str) -> Result<Option<Vec<u8>>, CheckpointError> {
        let kept = (self.checkpoint).map_or(Ok(None), |checkpoint| checkpoint.load(part));
        let kept = kept.map_err(|error| error.0);
        match self.executor.shared(&kept) {
            Ok(mut all) => all.swap_remove(0).map_err(CheckpointError),
            Err(TaskError::Checkpoint(error)) => Err(error),
            Err(TaskError::Failed | TaskError::Stopped) => Ok(None),
        }
    }

    fn save_all(
        &self,
        parts: &mut dyn Iterator<Item = Result<Part, CheckpointError>>,
    ) -> Result<(), CheckpointError> {
        match &self.checkpoint {
            Some(checkpoint) => checkpoint.save_all(parts),
            None => NullStore.save_all(parts),
        }
    }

    fn is_due(&self) -> bool {
        self.checkpoint.is_some_and(Checkpoint::is_due)
    }

    fn executor(&self) -> Option<&dyn Executor> {
        Some(&self.executor)
    }
}
