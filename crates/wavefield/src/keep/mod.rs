//! Checkpoint and restart: finished work is saved in the result folder, so that an interrupted run resumes.
//!
//! Sequential sections are saved in a [checkpoint](checkpoint::Checkpoint), results of independent tasks in a
//! [journal](journal::Journal). Both survive a process that is killed at any time.

pub mod checkpoint;
pub(crate) mod crew;
pub mod journal;
pub mod kill_point;
pub mod medium;
mod pace;
pub(crate) mod shard;
pub(crate) mod store;

use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use wavefield_solver::checkpoint::{Keeper, NotKept, Part};
use wavefield_solver::tasks::Crew;

use self::checkpoint::Checkpoint;
use self::journal::Journal;
use crate::Error;

/// Returns whether a file in a result folder is a checkpoint or a journal.
pub(crate) fn is_ours(path: &Path) -> bool {
    journal::is_journal(path) || checkpoint::NAMES.iter().any(|name| path.ends_with(name))
}

/// Returns whether a folder has the checkpoint or journal of an unfinished run.
pub(crate) fn is_marked(folder: &Path) -> bool {
    checkpoint::is_kept(folder) || !journal::all(folder).is_empty()
}

/// Returns whether a folder has saved work to resume from.
pub fn is_kept(folder: &Path) -> bool {
    checkpoint::is_kept(folder) || journal::is_kept(folder)
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
    crew: &'a dyn Crew,
}

impl<'a> Kept<'a> {
    /// Creates the store of a run whose tasks are run by `crew`.
    fn new(checkpoint: &'a Checkpoint, crew: &'a dyn Crew) -> Kept<'a> {
        Kept { checkpoint, crew }
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

impl Keeper for Kept<'_> {
    fn recall(&self, part: &str) -> Result<Option<Vec<u8>>, NotKept> {
        self.checkpoint.recall(part)
    }

    fn keep_all(
        &self,
        parts: &mut dyn Iterator<Item = Result<Part, NotKept>>,
    ) -> Result<(), NotKept> {
        self.checkpoint.keep_all(parts)
    }

    fn is_due(&self) -> bool {
        self.checkpoint.is_due()
    }

    fn crew(&self) -> Option<&dyn Crew> {
        Some(self.crew)
    }
}
