//! What a run has finished, on disk, so that an interrupted one goes on where it was.
//!
//! A file of sections, each named, with a checksum. It is written whole under another name,
//! forced to disk and renamed; the one before is kept until then, so that at every moment one of the two is
//! good. It belongs to one problem and one version of the program.

use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use wavefield_compute::checkpoint::{Keeper, NotKept};

use crate::failure::{Failure, shown};

const NAME: &str = "checkpoint.wfc";
const PREVIOUS: &str = "checkpoint.previous.wfc";
const PARTIAL: &str = "checkpoint.partial.wfc";
/// All names a checkpoint may leave in a folder.
pub(crate) const NAMES: [&str; 3] = [NAME, PREVIOUS, PARTIAL];
const MAGIC: &[u8] = b"wavefield checkpoint 1\n";

type Parts = BTreeMap<String, Vec<u8>>;

/// The checkpoint of a run in its result folder.
#[derive(Debug)]
pub(crate) struct Checkpoint {
    folder: PathBuf,
    identity: String,
    parts: Mutex<Parts>,
    pace: Mutex<Pace>,
}

/// Work that goes on is kept anew after this time,
const PACE: Duration = Duration::from_secs(30);
/// and after so many times what the last keeping took, so that a slow disk does not hold up a run.
const WORTH: u32 = 50;

/// When parts were last kept, and how long it took.
#[derive(Debug)]
struct Pace {
    last: Instant,
    took: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Pace {
            last: Instant::now(),
            took: Duration::ZERO,
        }
    }
}

/// Whether a folder has something to go on from.
pub(crate) fn is_kept(folder: &Path) -> bool {
    folder.join(NAME).exists()
}

/// Why a file is no checkpoint of this run.
enum Refused {
    Missing,
    Damaged,
    /// It belongs to another problem or version.
    Other,
    Unread(std::io::Error),
}

impl Checkpoint {
    /// Of a run that begins; what an earlier one left is taken away.
    pub(crate) fn begin(folder: &Path, identity: String) -> Result<Checkpoint, Failure> {
        let checkpoint = Checkpoint {
            folder: folder.to_owned(),
            identity,
            parts: Mutex::default(),
            pace: Mutex::default(),
        };
        checkpoint.remove()?;
        Ok(checkpoint)
    }

    /// Of a run that goes on; from the beginning where nothing was kept yet.
    pub(crate) fn resume(folder: &Path, identity: String) -> Result<Checkpoint, Failure> {
        let mut damaged = false;
        for name in [NAME, PREVIOUS] {
            let path = folder.join(name);
            match read(&path, &identity) {
                Ok(parts) => {
                    if damaged {
                        tracing::warn!("the checkpoint is damaged; going on from the one before");
                    }
                    return Ok(Checkpoint {
                        folder: folder.to_owned(),
                        identity,
                        parts: Mutex::new(parts),
                        pace: Mutex::default(),
                    });
                }
                Err(Refused::Missing) => {}
                Err(Refused::Damaged) => damaged = true,
                Err(Refused::Other) => {
                    return Err(Failure::Input(format!(
                        "{} is of another problem or another version of the program; run without --resume, or into another folder",
                        shown(&path)
                    )));
                }
                Err(Refused::Unread(error)) => return Err(Failure::reading(&path, &error)),
            }
        }
        if damaged {
            return Err(Failure::Input(format!(
                "the checkpoint in {} is damaged, and there is none before it; run without --resume",
                shown(folder)
            )));
        }
        tracing::info!("no checkpoint in {}: from the beginning", shown(folder));
        Checkpoint::begin(folder, identity)
    }

    /// Takes the files away: the run is finished.
    pub(crate) fn remove(&self) -> Result<(), Failure> {
        for name in NAMES {
            let path = self.folder.join(name);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(Failure::writing(&path, &error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn locked(&self) -> std::sync::MutexGuard<'_, Parts> {
        // Parts are inserted whole: a panic elsewhere leaves them as they were.
        self.parts
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn paced(&self) -> std::sync::MutexGuard<'_, Pace> {
        self.pace
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn write(&self, parts: &Parts) -> std::io::Result<()> {
        let bytes = encode(&self.identity, parts);
        let [path, previous, partial] = NAMES.map(|name| self.folder.join(name));
        let mut file = fs::File::create(&partial)?;
        file.write_all(&bytes)?;
        file.sync_all()?;
        drop(file);
        match fs::rename(&path, &previous) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        fs::rename(&partial, &path)?;
        // The names themselves must reach the disk, where folders can be opened at all.
        #[cfg(unix)]
        fs::File::open(&self.folder)?.sync_all()?;
        Ok(())
    }
}

impl Keeper for Checkpoint {
    fn recall(&self, part: &str) -> Option<Vec<u8>> {
        self.locked().get(part).cloned()
    }

    fn keep(&self, part: &str, bytes: &[u8]) -> Result<(), NotKept> {
        let start = Instant::now();
        let mut parts = self.locked();
        parts.insert(part.to_owned(), bytes.to_vec());
        self.write(&parts)
            .map_err(|error| NotKept(format!("in {}: {error}", shown(&self.folder))))?;
        let last = Instant::now();
        *self.paced() = Pace {
            last,
            took: last - start,
        };
        Ok(())
    }

    fn is_due(&self) -> bool {
        let pace = self.paced();
        pace.last.elapsed() >= PACE.max(WORTH * pace.took)
    }
}

fn encode(identity: &str, parts: &Parts) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    section(&mut bytes, identity, &(parts.len() as u64).to_le_bytes());
    for (name, part) in parts {
        section(&mut bytes, name, part);
    }
    bytes
}

/// Lengths of name and part, both, and a checksum over all of it.
fn section(bytes: &mut Vec<u8>, name: &str, part: &[u8]) {
    let start = bytes.len();
    bytes.extend((name.len() as u64).to_le_bytes());
    bytes.extend((part.len() as u64).to_le_bytes());
    bytes.extend(name.as_bytes());
    bytes.extend(part);
    let checksum = crc32fast::hash(&bytes[start..]);
    bytes.extend(checksum.to_le_bytes());
}

fn read(path: &Path, identity: &str) -> Result<Parts, Refused> {
    let bytes = fs::read(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Refused::Missing,
        _ => Refused::Unread(error),
    })?;
    let mut rest = bytes.strip_prefix(MAGIC).ok_or(Refused::Damaged)?;
    let (name, count) = take(&mut rest).ok_or(Refused::Damaged)?;
    if name != identity {
        return Err(Refused::Other);
    }
    let mut parts = Parts::new();
    while !rest.is_empty() {
        let (name, part) = take(&mut rest).ok_or(Refused::Damaged)?;
        parts.insert(name, part);
    }
    // A file cut between two sections.
    if count != (parts.len() as u64).to_le_bytes() {
        return Err(Refused::Damaged);
    }
    Ok(parts)
}

/// The next section, if it is whole.
fn take(rest: &mut &[u8]) -> Option<(String, Vec<u8>)> {
    let length = |at: usize| -> Option<usize> {
        let bytes = rest.get(at..at + 8)?.try_into().ok()?;
        usize::try_from(u64::from_le_bytes(bytes)).ok()
    };
    let (name, count) = (length(0)?, length(8)?);
    let named = 16_usize.checked_add(name)?;
    let end = count.checked_add(named)?;
    let checksum = rest.get(end..end.checked_add(4)?)?;
    let covered = &rest[..end];
    if crc32fast::hash(covered).to_le_bytes() != checksum {
        return None;
    }
    let name = String::from_utf8(covered[16..named].to_vec()).ok()?;
    let part = covered[named..].to_vec();
    *rest = &rest[end + 4..];
    Some((name, part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(folder: &Path) -> Checkpoint {
        let checkpoint = Checkpoint::begin(folder, "a".to_owned()).unwrap();
        checkpoint.keep("first", &[1, 0, 255]).unwrap();
        checkpoint.keep("second", &[]).unwrap();
        checkpoint
    }

    #[test]
    fn what_was_kept_comes_back_bit_by_bit() {
        let folder = tempfile::tempdir().unwrap();
        kept(folder.path());
        let back = Checkpoint::resume(folder.path(), "a".to_owned()).unwrap();
        assert_eq!(back.recall("first"), Some(vec![1, 0, 255]));
        assert_eq!(back.recall("second"), Some(Vec::new()));
        assert_eq!(back.recall("third"), None);
        back.remove().unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn every_damaged_byte_is_noticed_and_the_one_before_is_used() {
        let folder = tempfile::tempdir().unwrap();
        kept(folder.path());
        let path = folder.path().join(NAME);
        let good = fs::read(&path).unwrap();
        for (byte, cut) in (0..good.len()).flat_map(|byte| [(byte, false), (byte, true)]) {
            let mut bad = good.clone();
            if cut {
                bad.truncate(byte);
            } else {
                bad[byte] ^= 0x10;
            }
            fs::write(&path, &bad).unwrap();
            let back = Checkpoint::resume(folder.path(), "a".to_owned()).unwrap();
            assert!(back.recall("first").is_some(), "byte {byte}");
            assert!(back.recall("second").is_none(), "byte {byte}");
        }
        fs::remove_file(folder.path().join(PREVIOUS)).unwrap();
        let error = Checkpoint::resume(folder.path(), "a".to_owned()).unwrap_err();
        assert!(error.to_string().contains("damaged"), "{error}");
    }

    #[test]
    fn another_problem_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        kept(folder.path());
        let error = Checkpoint::resume(folder.path(), "b".to_owned()).unwrap_err();
        assert!(error.to_string().contains("another problem"), "{error}");
    }
}
