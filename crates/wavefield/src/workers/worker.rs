//! Worker process: receives task numbers from the coordinator and returns results.

use std::io::{self, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use wavefield_solver::checkpoint::{CheckpointError, CheckpointStore};
use wavefield_solver::tasks::{self, Executor, Key, TaskError, Tasks};

use super::wire::{Batch, Done, Ready, receive, send};

/// Returns the digest of all task keys, by which coordinator and worker detect different problems.
pub(super) fn fingerprint(keys: &[Key]) -> Result<Key, TaskError> {
    tasks::common(&keys).map_err(TaskError::Checkpoint)
}

/// Executor that reads task numbers from stdin and writes results to stdout.
#[derive(Debug, Default)]
pub(crate) struct Worker {
    dismissed: AtomicBool,
}

impl Worker {
    /// Whether all tasks are done.
    pub(crate) fn is_dismissed(&self) -> bool {
        self.dismissed.load(Ordering::Relaxed)
    }
}

fn cut_off(error: &io::Error) -> TaskError {
    TaskError::Checkpoint(CheckpointError(format!(
        "lost connection to the coordinator: {error}"
    )))
}

impl Executor for Worker {
    fn work(&self, tasks: &Tasks<'_>) -> Result<Vec<Vec<u8>>, TaskError> {
        let out = Mutex::new(io::BufWriter::new(io::stdout()));
        let answer = |done: &Done| {
            let mut out = out
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            send(&mut *out, done).map_err(|error| cut_off(&error))
        };
        {
            let tasks = fingerprint(tasks.keys)?;
            let mut out = io::stdout();
            send(&mut out, &Ready { tasks }).map_err(|error| cut_off(&error))?;
            out.flush().map_err(|error| cut_off(&error))?;
        }
        let mut orders = io::stdin().lock();
        while let Some(Batch(numbers)) =
            receive(&mut orders).map_err(|error: io::Error| cut_off(&error))?
        {
            numbers.par_iter().try_for_each(|&number| {
                if number as usize >= tasks.keys.len() {
                    return Err(TaskError::Checkpoint(CheckpointError(format!(
                        "unknown task {number}"
                    ))));
                }
                let result = (tasks.compute)(number as usize).ok_or(TaskError::Failed)?;
                answer(&Done { number, result })
            })?;
        }
        self.dismissed.store(true, Ordering::Relaxed);
        Err(TaskError::Stopped)
    }
}

impl CheckpointStore for Worker {
    fn executor(&self) -> Option<&dyn Executor> {
        Some(self)
    }
}
