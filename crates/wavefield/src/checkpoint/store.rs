//! Working state of a result folder: checkpoint, journal of task results, and executor of the tasks.

use std::path::Path;

use wavefield_solver::checkpoint::CheckpointStore;

use super::file::Checkpoint;
use super::journal::Journal;
use super::{Kept, open, remove_journals};
use crate::Error;
use crate::executors::Threads;
use crate::options::Options;
use crate::ranks::{RankExecutor, RankStore};
use crate::result;

/// Checkpoint and journal of a run; rank 0 only.
pub(crate) struct Store(Option<(Checkpoint, Journal)>);

impl Store {
    /// Prepares the folder, resuming from what is there or starting anew; `ready` completes the preparation. The other
    /// ranks wait for rank 0.
    pub(crate) fn open(
        folder: &Path,
        identity: String,
        options: &Options,
        ready: impl FnOnce() -> Result<(), Error>,
    ) -> Result<Store, Error> {
        let prepare = || {
            result::prepare(folder)?;
            let held = open(
                folder,
                identity,
                options.resume,
                options.checkpoint_interval,
            )?;
            ready()?;
            Ok(Store(Some(held)))
        };
        match &options.ranks {
            None => prepare(),
            Some(ranks) => {
                let store = if ranks.is_first() {
                    prepare()?
                } else {
                    Store(None)
                };
                ranks.transport.barrier()?;
                Ok(store)
            }
        }
    }

    /// Executes the work with its checkpoints and tasks; returns `None` on ranks other than 0.
    pub(crate) fn execute<T>(
        &self,
        options: &Options,
        work: impl FnOnce(&dyn CheckpointStore) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        let held = self.0.as_ref();
        if let Some(ranks) = &options.ranks {
            let checkpoints = RankStore {
                executor: RankExecutor {
                    ranks,
                    journal: held.map(|held| &held.1),
                },
                checkpoint: held.map(|held| &held.0),
            };
            return work(&checkpoints).map(|value| held.map(|_| value));
        }
        let Some((checkpoint, journal)) = held else {
            return Ok(None);
        };
        work(&Kept::new(checkpoint, &Threads(journal))).map(Some)
    }

    /// Removes the checkpoint of a finished run, and the results of its tasks unless they are kept.
    pub(crate) fn finish(&self, folder: &Path, keep_task_results: bool) -> Result<(), Error> {
        if let Some((checkpoint, _)) = &self.0 {
            checkpoint.remove()?;
            if !keep_task_results {
                remove_journals(folder)?;
            }
        }
        Ok(())
    }
}
