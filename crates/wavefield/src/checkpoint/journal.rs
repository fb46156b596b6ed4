//! Journal of task results: an append-only file, so that each task is computed once.
//!
//! Each record has a key, a result, and a checksum. The file is truncated at the first incomplete or damaged record,
//! and the tasks after it are computed again. One process at a time may lock it.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use wavefield_solver::checkpoint::CheckpointError;
use wavefield_solver::tasks::Key;

use super::kill_point::KillPoint;
use super::schedule::CheckpointSchedule;
use super::shard::Shard;
use super::storage::{self, Disk, Storage, force_folder};
use wavefield_solver::display_path;

use crate::Error;
use crate::output_file;

/// Name of the file in the result folder.
pub const NAME: &str = "tasks.wfj";
/// File extension of all journals.
const ENDING: &str = "wfj";
const MAGIC: &[u8] = b"wavefield journal 1\n";
/// Bytes of a record header: length of the result and its key. A checksum follows the result.
const HEAD: usize = 4 + 32;
const CHECKSUM: usize = 4;

/// Returns the name of the journal of a shard.
pub(super) fn name_of(shard: Shard) -> String {
    format!("tasks.{}-of-{}.{ENDING}", shard.number, shard.of)
}

/// Returns whether a file is a journal, by its name.
pub(super) fn is_journal(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == ENDING)
}

/// Returns all journals in a folder, sorted by name.
pub(super) fn all(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| is_journal(path))
        .collect();
    paths.sort();
    paths
}

/// Returns whether a folder has a journal with at least one result.
pub(super) fn is_kept(folder: &Path) -> bool {
    all(folder).iter().any(|path| {
        let found = std::fs::metadata(path);
        found.is_ok_and(|found| found.len() > MAGIC.len() as u64)
    })
}

/// Results by their keys, in memory and on disk.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    storage: Box<dyn Storage>,
    state: Mutex<State>,
    schedule: CheckpointSchedule,
}

#[derive(Debug)]
struct State {
    file: File,
    known: HashMap<Key, Arc<[u8]>>,
    /// Length of the complete records in the file, bytes.
    length: u64,
    /// Whether a record has not been synced to disk yet.
    loose: bool,
}

impl Journal {
    /// Opens the journal of a folder: an empty one if the run starts anew, else one with the results of all journals
    /// there.
    ///
    /// # Errors
    /// [`Error::input`] while another run locks it, [`Error::runtime`] if it cannot be written.
    pub fn open(folder: &Path, anew: bool, interval: Option<Duration>) -> Result<Journal, Error> {
        let journal = Journal::named(NAME, Box::new(Disk), folder, anew, interval)?;
        if !anew {
            for path in all(folder).iter().filter(|path| **path != journal.path) {
                let bytes = std::fs::read(path).map_err(|error| Error::reading(path, &error))?;
                journal.state().known.extend(believed(&bytes).0);
            }
        }
        Ok(journal)
    }

    /// Opens the journal of a shard with the results it holds.
    pub(crate) fn of_shard(
        folder: &Path,
        shard: Shard,
        interval: Option<Duration>,
    ) -> Result<Journal, Error> {
        Journal::named(&name_of(shard), Box::new(Disk), folder, false, interval)
    }

    /// Opens a journal by its name, with a storage storage.
    ///
    /// # Errors
    /// As [`Journal::open`].
    pub fn named(
        name: &str,
        storage: Box<dyn Storage>,
        folder: &Path,
        anew: bool,
        interval: Option<Duration>,
    ) -> Result<Journal, Error> {
        let path = folder.join(name);
        let failed = |error: std::io::Error| Error::writing(&path, &error);
        let mut file = output_file::open_or_create(&path).map_err(failed)?;
        if let Err(error) = file.try_lock() {
            return Err(match error {
                std::fs::TryLockError::WouldBlock => Error::input(format!(
                    "{} is locked by another run; wait for it, or choose another folder with --out",
                    display_path(folder)
                )),
                std::fs::TryLockError::Error(error) => failed(error),
            });
        }
        let mut bytes = Vec::new();
        if !anew {
            file.read_to_end(&mut bytes).map_err(failed)?;
        }
        let (known, good) = believed(&bytes);
        if good < bytes.len() {
            tracing::warn!(
                "{} bytes at the end of {} are damaged; recomputing the lost tasks",
                bytes.len() - good,
                display_path(&path)
            );
        }
        cut(&mut file, good as u64).map_err(failed)?;
        if good == 0 {
            storage.write(&mut file, MAGIC).map_err(failed)?;
            force_folder(folder).map_err(failed)?;
        }
        Ok(Journal {
            state: Mutex::new(State {
                file,
                known,
                length: good.max(MAGIC.len()) as u64,
                loose: true,
            }),
            storage,
            path,
            schedule: CheckpointSchedule::new(interval),
        })
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        // A record enters memory only after it is complete in the file.
        self.state
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Returns the number of recorded results.
    pub fn count(&self) -> usize {
        self.state().known.len()
    }

    /// Returns a recorded result.
    pub fn load(&self, key: &Key) -> Option<Arc<[u8]>> {
        self.state().known.get(key).cloned()
    }

    /// Returns whether a result is recorded.
    pub fn knows(&self, key: &Key) -> bool {
        self.state().known.contains_key(key)
    }

    /// Records a result, unless it is recorded already.
    ///
    /// # Errors
    /// [`CheckpointError`] if it cannot be written; the file is then unchanged.
    pub fn record(&self, key: &Key, result: &Arc<[u8]>) -> Result<(), CheckpointError> {
        let mut state = self.state();
        if state.known.contains_key(key) {
            return Ok(());
        }
        let length = u32::try_from(result.len())
            .map_err(|_| CheckpointError("a task result exceeds 4 GiB".to_owned()))?;
        let mut record = Vec::with_capacity(HEAD + result.len() + CHECKSUM);
        record.extend(length.to_le_bytes());
        record.extend(key);
        record.extend(&result[..]);
        record.extend(crc32fast::hash(&record).to_le_bytes());
        let (first, second) = record.split_at(record.len() / 2);
        let written = self.storage.write(&mut state.file, first).and_then(|()| {
            KillPoint::RecordHalfWritten.reached();
            self.storage.write(&mut state.file, second)
        });
        if let Err(error) = written {
            // Records of other threads must not follow an incomplete record.
            let length = state.length;
            let _ = cut(&mut state.file, length);
            return Err(self.not_kept(&error));
        }
        KillPoint::RecordWritten.reached();
        state.length += record.len() as u64;
        state.known.insert(*key, Arc::clone(result));
        state.loose = true;
        drop(state);
        if self.schedule.is_due() {
            self.force()?;
        }
        Ok(())
    }

    /// Syncs the recorded results to disk.
    ///
    /// # Errors
    /// [`CheckpointError`] if the disk fails.
    pub fn force(&self) -> Result<(), CheckpointError> {
        let start = Instant::now();
        let mut state = self.state();
        if !state.loose {
            return Ok(());
        }
        storage::sync(&state.file).map_err(|error| self.not_kept(&error))?;
        KillPoint::JournalOnDisk.reached();
        state.loose = false;
        tracing::debug!("kept {}", state.known.len());
        drop(state);
        self.schedule.kept(start);
        Ok(())
    }

    fn not_kept(&self, error: &std::io::Error) -> CheckpointError {
        CheckpointError(format!("{}: {error}", display_path(&self.path)))
    }
}

/// Truncates a file and seeks to its end.
fn cut(file: &mut File, length: u64) -> std::io::Result<()> {
    file.set_len(length)?;
    file.seek(std::io::SeekFrom::Start(length)).map(|_| ())
}

/// Returns the results of a file up to the first incomplete record, and the offset of their end.
pub fn believed(bytes: &[u8]) -> (HashMap<Key, Arc<[u8]>>, usize) {
    let mut known = HashMap::new();
    let end = walk(bytes, |key, result| {
        known.insert(key, result.into());
    });
    (known, end)
}

/// Returns the keys of all records in order.
pub fn keys(bytes: &[u8]) -> Vec<Key> {
    let mut keys = Vec::new();
    walk(bytes, |key, _| keys.push(key));
    keys
}

/// Visits every complete record up to the first incomplete one; returns the offset of their end.
fn walk(bytes: &[u8], mut see: impl FnMut(Key, &[u8])) -> usize {
    if !bytes.starts_with(MAGIC) {
        return 0;
    }
    let mut at = MAGIC.len();
    while let Some((key, result, length)) = record(&bytes[at..]) {
        see(key, result);
        at += length;
    }
    at
}

/// Parses the record at the start of `bytes`, if it is complete: key, result, and total length.
fn record(bytes: &[u8]) -> Option<(Key, &[u8], usize)> {
    let length = u32::from_le_bytes(bytes.get(..4)?.try_into().ok()?);
    let end = HEAD.checked_add(usize::try_from(length).ok()?)?;
    let checksum = bytes.get(end..end.checked_add(CHECKSUM)?)?;
    let covered = &bytes[..end];
    if crc32fast::hash(covered).to_le_bytes() != checksum {
        return None;
    }
    let key = covered[4..HEAD].try_into().ok()?;
    Some((key, &covered[HEAD..], end + CHECKSUM))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(folder: &Path) {
        let journal = Journal::open(folder, true, None).unwrap();
        for n in 0..4u8 {
            let result = vec![n; usize::from(n)];
            journal.record(&[n; 32], &result.into()).unwrap();
        }
        journal.force().unwrap();
    }

    fn reopened(folder: &Path) -> Journal {
        Journal::open(folder, false, None).unwrap()
    }

    #[test]
    fn results_come_back_and_are_recorded_once() {
        let folder = tempfile::tempdir().unwrap();
        filled(folder.path());
        let length = std::fs::metadata(folder.path().join(NAME)).unwrap().len();
        let journal = reopened(folder.path());
        assert_eq!(journal.count(), 4);
        assert_eq!(journal.load(&[3; 32]).as_deref(), Some(&[3; 3][..]));
        journal.record(&[3; 32], &[9].into()).unwrap();
        assert_eq!(journal.load(&[3; 32]).as_deref(), Some(&[3; 3][..]));
        drop(journal);
        let after = std::fs::metadata(folder.path().join(NAME)).unwrap().len();
        assert_eq!(length, after);
    }

    #[test]
    fn a_cut_or_damaged_record_ends_what_is_believed() {
        let folder = tempfile::tempdir().unwrap();
        filled(folder.path());
        let path = folder.path().join(NAME);
        let good = std::fs::read(&path).unwrap();
        for byte in 0..good.len() {
            let mut bad = good.clone();
            bad[byte] ^= 0x01;
            for bytes in [&bad[..], &good[..byte]] {
                std::fs::write(&path, bytes).unwrap();
                let journal = reopened(folder.path());
                assert!(journal.count() < 4, "byte {byte}");
                for n in 0..4u8 {
                    let result = journal.load(&[n; 32]);
                    assert!(result.is_none_or(|r| *r == vec![n; usize::from(n)]));
                }
                // Records written after the truncation are valid.
                journal.record(&[7; 32], &[7].into()).unwrap();
                let known = journal.count();
                drop(journal);
                assert_eq!(reopened(folder.path()).count(), known);
            }
        }
    }

    #[test]
    fn two_runs_do_not_share_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let first = reopened(folder.path());
        let error = Journal::open(folder.path(), false, None).unwrap_err();
        assert!(error.to_string().contains("another run"), "{error}");
        drop(first);
        reopened(folder.path());
    }
}
