//! Executors, which run the tasks of a run on the threads of this process and record their results: all tasks, or a shard.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use rayon::prelude::*;
use wavefield_numerics::observe::Progress;
use wavefield_solver::checkpoint::{CheckpointError, CheckpointStore};
use wavefield_solver::tasks::{self, Executor, Key, TaskError, Tasks};

use crate::checkpoint::journal::Journal;
use crate::checkpoint::shard::Shard;
use crate::result::PROGRAM;

/// Returns the keys of the tasks in the journal; another version of the program has different keys.
pub(crate) fn addresses(keys: &[Key]) -> Result<Vec<Key>, TaskError> {
    static PROGRAM_KEY: LazyLock<Result<Key, CheckpointError>> =
        LazyLock::new(|| tasks::common(&PROGRAM));
    let program = PROGRAM_KEY.clone().map_err(TaskError::Checkpoint)?;
    keys.iter()
        .map(|key| tasks::key(&program, key).map_err(TaskError::Checkpoint))
        .collect()
}

/// Returns the numbers of the tasks without a recorded result.
fn missing(journal: &Journal, addresses: &[Key]) -> Vec<usize> {
    (0..addresses.len())
        .filter(|&number| !journal.knows(&addresses[number]))
        .collect()
}

/// Reads all results from the journal.
fn gathered(journal: &Journal, addresses: &[Key]) -> Result<Vec<Arc<[u8]>>, TaskError> {
    let lost = || {
        TaskError::Checkpoint(CheckpointError(
            "a recorded result is missing from the journal".to_owned(),
        ))
    };
    addresses
        .iter()
        .map(|address| journal.load(address).ok_or_else(lost))
        .collect()
}

/// Runs tasks without a recorded result on the threads of this process.
fn do_missing(
    journal: &Journal,
    tasks: &Tasks<'_>,
    addresses: &[Key],
    wanted: impl Fn(usize) -> bool,
) -> Result<(), TaskError> {
    let total = (0..addresses.len()).filter(|&n| wanted(n)).count() as u64;
    let mut missing = missing(journal, addresses);
    missing.retain(|&number| wanted(number));
    let done = AtomicU64::new(total - missing.len() as u64);
    let outcome = missing.par_iter().try_for_each(|&number| {
        if tasks.observer.stop_requested() {
            return Err(TaskError::Stopped);
        }
        let result = (tasks.compute)(number).ok_or(TaskError::Failed)?.into();
        journal
            .record(&addresses[number], &result)
            .map_err(TaskError::Checkpoint)?;
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        (tasks.observer).progress(&Progress::new(tasks.stage, done, total));
        Ok(())
    });
    journal.force().map_err(TaskError::Checkpoint)?;
    outcome
}

/// Executor with the threads of this process.
pub(crate) struct Threads<'a>(pub(crate) &'a Journal);

impl Executor for Threads<'_> {
    fn work(&self, tasks: &Tasks<'_>) -> Result<Vec<Arc<[u8]>>, TaskError> {
        let addresses = addresses(tasks.keys)?;
        do_missing(self.0, tasks, &addresses, |_| true)?;
        gathered(self.0, &addresses)
    }
}

/// Executor for a shard of the tasks with the threads of this process; the run ends after them.
pub(crate) struct ShardExecutor {
    pub(crate) journal: Journal,
    pub(crate) shard: Shard,
    finished: AtomicBool,
}

impl ShardExecutor {
    pub(crate) fn new(journal: Journal, shard: Shard) -> ShardExecutor {
        ShardExecutor {
            journal,
            shard,
            finished: false.into(),
        }
    }

    /// Returns whether the shard is finished.
    pub(crate) fn is_finished(&self) -> bool {
        self.finished.load(Ordering::Relaxed)
    }
}

impl Executor for ShardExecutor {
    fn work(&self, tasks: &Tasks<'_>) -> Result<Vec<Arc<[u8]>>, TaskError> {
        let addresses = addresses(tasks.keys)?;
        let Shard { number, of } = self.shard;
        do_missing(&self.journal, tasks, &addresses, |task| {
            task % of == number - 1
        })?;
        self.finished.store(true, Ordering::Relaxed);
        Err(TaskError::Stopped)
    }
}

impl CheckpointStore for ShardExecutor {
    fn executor(&self) -> Option<&dyn Executor> {
        Some(self)
    }
}
