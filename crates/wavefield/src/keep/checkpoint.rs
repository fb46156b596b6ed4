//! What a run has finished, on disk, so that an interrupted one goes on where it was.
//!
//! A file of sections, each named, with a checksum. It is written whole under another name,
//! forced to disk and renamed; the one before is kept until then, so that at every moment one of the two is
//! good. It belongs to one problem and one version of the program.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use wavefield_compute::checkpoint::NotKept;

use super::kill_point::KillPoint;
use super::medium::{Disk, Medium, force_folder};
use super::pace::Pace;
use crate::failure::{Failure, shown};

pub(crate) const NAME: &str = "checkpoint.wfc";
pub(crate) const PREVIOUS: &str = "checkpoint.previous.wfc";
const PARTIAL: &str = "checkpoint.partial.wfc";
/// All names a checkpoint may leave in a folder.
pub(super) const NAMES: [&str; 3] = [NAME, PREVIOUS, PARTIAL];
const MAGIC: &[u8] = b"wavefield checkpoint 2\n";

/// Parts of a run by their names, and how often they were kept.
#[derive(Clone, Debug, Default, PartialEq)]
struct Parts {
    parts: BTreeMap<String, Vec<u8>>,
    generation: u64,
}

/// The checkpoint of a run in its result folder.
#[derive(Debug)]
pub(crate) struct Checkpoint {
    folder: PathBuf,
    identity: String,
    medium: Box<dyn Medium>,
    parts: Mutex<Parts>,
    pace: Pace,
}

/// Whether a folder has something to go on from.
pub(super) fn is_kept(folder: &Path) -> bool {
    [NAME, PREVIOUS]
        .iter()
        .any(|name| folder.join(name).exists())
}

/// How often what a run would go on from has been kept.
pub(crate) fn generation(folder: &Path) -> Option<u64> {
    [NAME, PREVIOUS].iter().find_map(|name| {
        let (_, parts) = read(&folder.join(name)).ok()?;
        Some(parts.generation)
    })
}

/// Why a file is no checkpoint.
enum Refused {
    Missing,
    Damaged,
    Unread(std::io::Error),
}

impl Checkpoint {
    /// Of a run that begins; what an earlier one left is taken away.
    pub(crate) fn begin(
        folder: &Path,
        identity: String,
        interval: Option<Duration>,
    ) -> Result<Checkpoint, Failure> {
        let checkpoint =
            Checkpoint::holding(folder, identity, Parts::default(), Pace::new(interval));
        checkpoint.remove()?;
        Ok(checkpoint)
    }

    /// Of a run that goes on; from the beginning where nothing was kept yet.
    pub(crate) fn resume(
        folder: &Path,
        identity: String,
        interval: Option<Duration>,
    ) -> Result<Checkpoint, Failure> {
        let mut damaged: Option<PathBuf> = None;
        for name in [NAME, PREVIOUS] {
            let path = folder.join(name);
            match read(&path) {
                Ok((whose, _)) if whose != identity => {
                    return Err(Failure::Input(format!(
                        "{} is of another problem, of other files, or of another version of the program; run without --resume, or into another folder",
                        shown(&path)
                    )));
                }
                Ok((_, parts)) => {
                    if let Some(damaged) = damaged {
                        tracing::warn!("the checkpoint is damaged; going on from the one before");
                        // Else the next one would push it over the one that is good.
                        fs::remove_file(&damaged)
                            .map_err(|error| Failure::writing(&damaged, &error))?;
                    }
                    let pace = Pace::new(interval);
                    return Ok(Checkpoint::holding(folder, identity, parts, pace));
                }
                Err(Refused::Missing) => {}
                Err(Refused::Damaged) => damaged = Some(path),
                Err(Refused::Unread(error)) => return Err(Failure::reading(&path, &error)),
            }
        }
        if damaged.is_some() {
            return Err(Failure::Input(format!(
                "the checkpoint in {} is damaged, and there is none before it; run without --resume",
                shown(folder)
            )));
        }
        tracing::info!("no checkpoint in {}: from the beginning", shown(folder));
        Checkpoint::begin(folder, identity, interval)
    }

    fn holding(folder: &Path, identity: String, parts: Parts, pace: Pace) -> Checkpoint {
        Checkpoint {
            folder: folder.to_owned(),
            identity,
            medium: Box::new(Disk),
            parts: Mutex::new(parts),
            pace,
        }
    }

    /// The same, written through a medium.
    pub(crate) fn through(self, medium: Box<dyn Medium>) -> Checkpoint {
        Checkpoint { medium, ..self }
    }

    /// Takes the files away: the run is finished.
    pub(crate) fn remove(&self) -> Result<(), Failure> {
        for name in NAMES {
            super::remove(&self.folder.join(name))?;
        }
        Ok(())
    }

    fn locked(&self) -> std::sync::MutexGuard<'_, Parts> {
        // Parts are inserted whole: a panic elsewhere leaves them as they were.
        self.parts
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn write(&self, parts: &Parts) -> std::io::Result<()> {
        let [path, previous, partial] = NAMES.map(|name| self.folder.join(name));
        let written = self.write_partial(&partial, parts);
        if written.is_err() {
            // Half a file is of no use and takes room.
            let _ = fs::remove_file(&partial);
        }
        written?;
        match fs::rename(&path, &previous) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        KillPoint::PreviousRenamed.reached();
        fs::rename(&partial, &path)?;
        KillPoint::Renamed.reached();
        force_folder(&self.folder)?;
        KillPoint::FolderOnDisk.reached();
        Ok(())
    }

    fn write_partial(&self, partial: &Path, parts: &Parts) -> std::io::Result<()> {
        let mut file = File::create(partial)?;
        KillPoint::PartialCreated.reached();
        let counts = [parts.parts.len() as u64, parts.generation].map(u64::to_le_bytes);
        self.medium.write(&mut file, MAGIC)?;
        self.section(&mut file, &self.identity, &counts.concat())?;
        KillPoint::PartialHalfWritten.reached();
        for (name, part) in &parts.parts {
            self.section(&mut file, name, part)?;
        }
        KillPoint::PartialWritten.reached();
        file.sync_all()?;
        KillPoint::PartialOnDisk.reached();
        Ok(())
    }

    /// Lengths of name and part, both, and a checksum over all of it.
    fn section(&self, file: &mut File, name: &str, part: &[u8]) -> std::io::Result<()> {
        let mut head = Vec::with_capacity(HEAD + name.len());
        head.extend((name.len() as u64).to_le_bytes());
        head.extend((part.len() as u64).to_le_bytes());
        head.extend(name.as_bytes());
        let mut checksum = crc32fast::Hasher::new();
        for bytes in [&head[..], part] {
            checksum.update(bytes);
            self.medium.write(file, bytes)?;
        }
        self.medium.write(file, &checksum.finalize().to_le_bytes())
    }

    /// A part that was kept.
    pub(crate) fn recall(&self, part: &str) -> Option<Vec<u8>> {
        self.locked().parts.get(part).cloned()
    }

    /// Keeps a part beside those that are kept.
    pub(crate) fn keep(&self, part: &str, bytes: &[u8]) -> Result<(), NotKept> {
        let start = Instant::now();
        let mut parts = self.locked();
        parts.parts.insert(part.to_owned(), bytes.to_vec());
        parts.generation += 1;
        self.write(&parts)
            .map_err(|error| NotKept(format!("in {}: {error}", shown(&self.folder))))?;
        tracing::debug!("kept {}", parts.generation);
        self.pace.kept(start);
        Ok(())
    }

    /// Whether what goes on is to be kept anew.
    pub(crate) fn is_due(&self) -> bool {
        self.pace.is_due()
    }
}

/// Bytes of a section before its name.
const HEAD: usize = 16;

/// Whose checkpoint a file is, and its parts.
fn read(path: &Path) -> Result<(String, Parts), Refused> {
    let bytes = fs::read(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Refused::Missing,
        _ => Refused::Unread(error),
    })?;
    decoded(&bytes).ok_or(Refused::Damaged)
}

fn decoded(bytes: &[u8]) -> Option<(String, Parts)> {
    let mut rest = bytes.strip_prefix(MAGIC)?;
    let (identity, counts) = take(&mut rest)?;
    let number = |at: usize| Some(u64::from_le_bytes(counts.get(at..at + 8)?.try_into().ok()?));
    let (count, generation) = (number(0)?, number(8)?);
    let mut parts = BTreeMap::new();
    while !rest.is_empty() {
        let (name, part) = take(&mut rest)?;
        parts.insert(name, part);
    }
    // A file may be cut between two sections.
    (count == parts.len() as u64).then_some((identity, Parts { parts, generation }))
}

/// The next section, if it is whole.
fn take(rest: &mut &[u8]) -> Option<(String, Vec<u8>)> {
    let length = |at: usize| -> Option<usize> {
        let bytes = rest.get(at..at + 8)?.try_into().ok()?;
        usize::try_from(u64::from_le_bytes(bytes)).ok()
    };
    let (name, count) = (length(0)?, length(8)?);
    let named = HEAD.checked_add(name)?;
    let end = count.checked_add(named)?;
    let checksum = rest.get(end..end.checked_add(4)?)?;
    let covered = &rest[..end];
    if crc32fast::hash(covered).to_le_bytes() != checksum {
        return None;
    }
    let name = String::from_utf8(covered[HEAD..named].to_vec()).ok()?;
    let part = covered[named..].to_vec();
    *rest = &rest[end + 4..];
    Some((name, part))
}

#[cfg(test)]
mod tests {
    use super::super::medium::FullDisk;
    use super::*;

    fn kept(folder: &Path) -> Checkpoint {
        let checkpoint = Checkpoint::begin(folder, "a".to_owned(), None).unwrap();
        checkpoint.keep("first", &[1, 0, 255]).unwrap();
        checkpoint.keep("second", &[]).unwrap();
        checkpoint
    }

    #[test]
    fn what_was_kept_comes_back_bit_by_bit() {
        let folder = tempfile::tempdir().unwrap();
        kept(folder.path());
        let back = Checkpoint::resume(folder.path(), "a".to_owned(), None).unwrap();
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
        let before = fs::read(folder.path().join(PREVIOUS)).unwrap();
        for (byte, cut) in (0..good.len()).flat_map(|byte| [(byte, false), (byte, true)]) {
            let mut bad = good.clone();
            if cut {
                bad.truncate(byte);
            } else {
                bad[byte] ^= 0x10;
            }
            fs::write(&path, &bad).unwrap();
            fs::write(folder.path().join(PREVIOUS), &before).unwrap();
            let back = Checkpoint::resume(folder.path(), "a".to_owned(), None).unwrap();
            assert!(back.recall("first").is_some(), "byte {byte}");
            assert!(back.recall("second").is_none(), "byte {byte}");
            // The next one does not push the damaged one over the good one.
            back.keep("third", &[3]).unwrap();
            let (_, previous) = read(&folder.path().join(PREVIOUS)).ok().unwrap();
            assert!(previous.parts.contains_key("first"), "byte {byte}");
        }
        fs::write(&path, &good[1..]).unwrap();
        fs::remove_file(folder.path().join(PREVIOUS)).unwrap();
        let error = Checkpoint::resume(folder.path(), "a".to_owned(), None).unwrap_err();
        assert!(error.to_string().contains("damaged"), "{error}");
    }

    #[test]
    fn another_problem_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        kept(folder.path());
        let error = Checkpoint::resume(folder.path(), "b".to_owned(), None).unwrap_err();
        assert!(error.to_string().contains("another problem"), "{error}");
    }

    #[test]
    fn a_full_disk_leaves_what_was_kept() {
        let folder = tempfile::tempdir().unwrap();
        kept(folder.path());
        let whole = fs::metadata(folder.path().join(NAME)).unwrap().len() as usize;
        for room in 0..whole {
            let back = Checkpoint::resume(folder.path(), "a".to_owned(), None).unwrap();
            let back = back.through(Box::new(FullDisk::with_room(room)));
            assert!(back.keep("third", &[3; 100]).is_err());
            assert!(!folder.path().join(PARTIAL).exists());
            let back = Checkpoint::resume(folder.path(), "a".to_owned(), None).unwrap();
            assert!(back.recall("second").is_some() && back.recall("third").is_none());
        }
        assert_eq!(generation(folder.path()), Some(2));
    }
}
