//! Those who do the tasks of a run and record the results: the threads of this process, or processes of its own.

pub(crate) mod jobs;
mod wire;
pub(crate) mod worker;

use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;
use wavefield_numerics::observe::Progress;
use wavefield_solver::checkpoint::{Keeper, NotKept};
use wavefield_solver::tasks::{self, Crew, Key, NotDone, Tasks};

use super::journal::Journal;
use crate::result::PROGRAM;

/// Where results are found: keys of another version of the program are others.
pub(crate) fn addresses(keys: &[Key]) -> Result<Vec<Key>, NotDone> {
    static PROGRAM_KEY: LazyLock<Result<Key, NotKept>> = LazyLock::new(|| tasks::common(&PROGRAM));
    let program = PROGRAM_KEY.clone().map_err(NotDone::NotKept)?;
    keys.iter()
        .map(|key| tasks::key(&program, key).map_err(NotDone::NotKept))
        .collect()
}

/// Numbers of the tasks whose results are not in the journal.
pub(crate) fn missing(journal: &Journal, addresses: &[Key]) -> Vec<usize> {
    (0..addresses.len())
        .filter(|&number| !journal.knows(&addresses[number]))
        .collect()
}

/// All results, out of the journal.
pub(crate) fn gathered(journal: &Journal, addresses: &[Key]) -> Result<Vec<Vec<u8>>, NotDone> {
    let lost = || NotDone::NotKept(NotKept("a result that was kept is gone".to_owned()));
    addresses
        .iter()
        .map(|address| journal.recall(address).ok_or_else(lost))
        .collect()
}

/// A part of the tasks, for machines that share nothing but a folder: every `of`th from `number` on, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Which part.
    pub number: usize,
    /// Of how many.
    pub of: usize,
}

impl std::str::FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Share, String> {
        let numbers = text
            .split_once('/')
            .and_then(|(number, of)| Some((number.trim().parse().ok()?, of.trim().parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Share { number, of }),
            _ => Err(format!(
                "`{text}` is no part of a whole; write for instance 3/16"
            )),
        }
    }
}

/// Does tasks that are not in the journal yet on the threads of this process.
fn do_missing(
    journal: &Journal,
    tasks: &Tasks<'_>,
    addresses: &[Key],
    wanted: impl Fn(usize) -> bool,
) -> Result<(), NotDone> {
    let total = (0..addresses.len()).filter(|&n| wanted(n)).count() as u64;
    let mut missing = missing(journal, addresses);
    missing.retain(|&number| wanted(number));
    let done = AtomicU64::new(total - missing.len() as u64);
    let outcome = missing.par_iter().try_for_each(|&number| {
        if tasks.observer.stop_requested() {
            return Err(NotDone::Stopped);
        }
        let result = (tasks.compute)(number).ok_or(NotDone::Failed)?;
        journal
            .record(&addresses[number], &result)
            .map_err(NotDone::NotKept)?;
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        (tasks.observer).progress(&Progress::new(tasks.stage, done, total));
        Ok(())
    });
    journal.force().map_err(NotDone::NotKept)?;
    outcome
}

/// The threads of this process.
pub(crate) struct Threads<'a>(pub(crate) &'a Journal);

impl Crew for Threads<'_> {
    fn work(&self, tasks: &Tasks<'_>) -> Result<Vec<Vec<u8>>, NotDone> {
        let addresses = addresses(tasks.keys)?;
        do_missing(self.0, tasks, &addresses, |_| true)?;
        gathered(self.0, &addresses)
    }
}

/// The threads of this process, for a share of the tasks; the run ends with them.
pub(crate) struct PartOfThem {
    pub(crate) journal: Journal,
    pub(crate) share: Share,
    finished: AtomicBool,
}

impl PartOfThem {
    pub(crate) fn new(journal: Journal, share: Share) -> PartOfThem {
        PartOfThem {
            journal,
            share,
            finished: false.into(),
        }
    }

    /// Whether the share was done.
    pub(crate) fn is_finished(&self) -> bool {
        self.finished.load(Ordering::Relaxed)
    }
}

impl Crew for PartOfThem {
    fn work(&self, tasks: &Tasks<'_>) -> Result<Vec<Vec<u8>>, NotDone> {
        let addresses = addresses(tasks.keys)?;
        let Share { number, of } = self.share;
        do_missing(&self.journal, tasks, &addresses, |task| {
            task % of == number - 1
        })?;
        self.finished.store(true, Ordering::Relaxed);
        Err(NotDone::Stopped)
    }
}

impl Keeper for PartOfThem {
    fn crew(&self) -> Option<&dyn Crew> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_read_or_refused() {
        assert_eq!("3/16".parse(), Ok(Share { number: 3, of: 16 }));
        for bad in ["0/4", "5/4", "4", "a/b", "1/0", ""] {
            assert!(bad.parse::<Share>().is_err(), "{bad}");
        }
    }
}
