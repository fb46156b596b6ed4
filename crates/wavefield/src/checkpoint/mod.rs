//! Checkpoint and restart: finished work is saved in the result folder, so that an interrupted run resumes.
//!
//! Sequential sections are saved in a [checkpoint](file::Checkpoint), results of independent tasks in a
//! [journal](journal::Journal). Both survive a process that is killed at any time.

pub mod file;
pub mod journal;
pub mod kill_point;
mod schedule;
pub(crate) mod shard;
pub mod storage;
pub(crate) mod store;

use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use wavefield_solver::checkpoint::{CheckpointError, CheckpointStore, Part};
use wavefield_solver::tasks::Executor;

use self::file::Checkpoint;
use self::journal::Journal;
use crate::Error;

/// Returns whether a file in a result folder is a checkpoint or a journal.
pub(crate) fn is_ours(path: &Path) -> bool {
    journal::is_journal(path) || file::NAMES.iter().any(|name| path.ends_with(name))
}

/// Returns whether a folder has the checkpoint or journal of an unfinished run.
pub(crate) fn is_marked(folder: &Path) -> bool {
    file::is_kept(folder) || !journal::all(folder).is_empty()
}

/// Returns whether a folder has saved work to resume from.
pub fn is_kept(folder: &Path) -> bool {
    file::is_kept(folder) || journal::is_kept(folder)
}

/// Removes a file, if it exists.
fn remove(path: &Path) -> Result<(), Error> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(Error::writing(path, &error)),
        _ => Ok(()),
    }
}

/// Checkpoint store of a run, with the executor of its tasks.
struct Kept<'a> {
    checkpoint: &'a Checkpoint,
    executor: &'a dyn Executor,
}

impl<'a> Kept<'a> {
    /// Creates the store of a run whose tasks are run by `executor`.
    fn new(checkpoint: &'a Checkpoint, executor: &'a dyn Executor) -> Kept<'a> {
        Kept {
            checkpoint,
            executor,
        }
    }
}

/// Opens checkpoint and journal of a folder, resuming from them or starting anew. The lock on the journal excludes
/// other runs from the folder.
fn open(
    folder: &Path,
    identity: String,
    resume: bool,
    interval: Option<Duration>,
) -> Result<(Checkpoint, Journal), Error> {
    let journal = Journal::open(folder, !resume, interval)?;
    let checkpoint = if resume {
        Checkpoint::resume(folder, identity, interval)?
    } else {
        Checkpoint::begin(folder, identity, interval)?
    };
    Ok((checkpoint, journal))
}

/// Removes the journals of a finished run.
fn remove_journals(folder: &Path) -> Result<(), Error> {
    journal::all(folder)
        .iter()
        .try_for_each(|path| remove(path))
}

impl CheckpointStore for Kept<'_> {
    fn load(&self, part: &str) -> Result<Option<Vec<u8>>, CheckpointError> {
        self.checkpoint.load(part)
    }

    fn save_all(
        &self,
        parts: &mut dyn Iterator<Item = Result<Part, CheckpointError>>,
    ) -> Result<(), CheckpointError> {
        self.checkpoint.save_all(parts)
    }

    fn is_due(&self) -> bool {
        self.checkpoint.is_due()
    }

    fn executor(&self) -> Option<&dyn Executor> {
        Some(self.executor)
    }
}
