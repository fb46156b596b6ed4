//! Checkpoint of a run on disk, from which an interrupted run resumes.
//!
//! The file consists of named sections with checksums. It is written under a temporary name, synced to disk, and
//! renamed; the previous file is kept until then, so that one of the two is valid at any time. It belongs to one
//! problem and one version of the program. Sections are never in memory together: new ones are written as they are
//! saved, retained ones are copied from file to file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use wavefield_solver::checkpoint::{CheckpointError, CheckpointStore, Part};

use super::kill_point::KillPoint;
use super::schedule::CheckpointSchedule;
use super::storage::{self, Disk, Storage, force_folder};
use wavefield_solver::display_path;

use crate::Error;
use crate::output_file;

/// Name of the file in the result folder.
pub const NAME: &str = "checkpoint.wfc";
/// Name of the previous checkpoint.
pub const PREVIOUS: &str = "checkpoint.previous.wfc";
const PARTIAL: &str = "checkpoint.partial.wfc";
/// All file names of a checkpoint.
pub(super) const NAMES: [&str; 3] = [NAME, PREVIOUS, PARTIAL];
const MAGIC: [u8; 23] = *b"wavefield checkpoint 3\n";

/// Position of a section in a file.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Offset of its first byte.
    at: u64,
    /// Bytes before its content.
    head: u64,
    /// Bytes of its content.
    part: u64,
}

impl Place {
    /// Returns the offset of the next section.
    fn end(&self) -> u64 {
        self.at + self.head + self.part + CHECKSUM
    }
}

/// Sections of a checkpoint by name, and the number of saves.
#[derive(Debug, Default)]
struct Parts {
    /// Checkpoint file, if there is one.
    file: Option<File>,
    places: BTreeMap<String, Place>,
    generation: u64,
}

/// Checkpoint of a run in its result folder.
#[derive(Debug)]
pub struct Checkpoint {
    folder: PathBuf,
    identity: String,
    storage: Box<dyn Storage>,
    parts: Mutex<Parts>,
    schedule: CheckpointSchedule,
}

/// Returns whether a folder has a checkpoint to resume from.
pub(super) fn is_kept(folder: &Path) -> bool {
    [NAME, PREVIOUS]
        .iter()
        .any(|name| folder.join(name).exists())
}

/// Returns the number of saves of the checkpoint that a run would resume from.
pub fn generation(folder: &Path) -> Option<u64> {
    [NAME, PREVIOUS].iter().find_map(|name| {
        let (_, parts) = read(&folder.join(name)).ok()?;
        Some(parts.generation)
    })
}

/// Reason why a file is not a valid checkpoint.
enum Refused {
    Missing,
    Damaged,
    Unread(std::io::Error),
}

impl Checkpoint {
    /// Creates the checkpoint of a new run; that of a previous run is removed.
    ///
    /// # Errors
    /// [`Error::runtime`] if it cannot be removed.
    pub fn begin(
        folder: &Path,
        identity: String,
        interval: Option<Duration>,
    ) -> Result<Checkpoint, Error> {
        let checkpoint = Checkpoint::holding(
            folder,
            identity,
            Parts::default(),
            CheckpointSchedule::new(interval),
        );
        checkpoint.remove()?;
        Ok(checkpoint)
    }

    /// Opens the checkpoint of a resumed run; an empty one if nothing was saved.
    ///
    /// # Errors
    /// [`Error::input`] for the checkpoint of another run, or a damaged one without a valid previous one.
    pub fn resume(
        folder: &Path,
        identity: String,
        interval: Option<Duration>,
    ) -> Result<Checkpoint, Error> {
        let mut damaged: Option<PathBuf> = None;
        for name in [NAME, PREVIOUS] {
            let path = folder.join(name);
            match read(&path) {
                Ok((whose, _)) if whose != identity => {
                    return Err(Error::input(format!(
                        "{} belongs to another problem, to other input files, or to another build, device, or CPU type; run without --resume, or use another folder",
                        display_path(&path)
                    )));
                }
                Ok((_, parts)) => {
                    if let Some(damaged) = damaged {
                        tracing::warn!("the checkpoint is damaged; resuming from the previous one");
                        // Remove it, or the next save would replace the valid previous checkpoint with it.
                        fs::remove_file(&damaged)
                            .map_err(|error| Error::writing(&damaged, &error))?;
                    }
                    let schedule = CheckpointSchedule::new(interval);
                    return Ok(Checkpoint::holding(folder, identity, parts, schedule));
                }
                Err(Refused::Missing) => {}
                Err(Refused::Damaged) => damaged = Some(path),
                Err(Refused::Unread(error)) => return Err(Error::reading(&path, &error)),
            }
        }
        if damaged.is_some() {
            return Err(Error::input(format!(
                "the checkpoint in {} is damaged, without a previous one; run without --resume",
                display_path(folder)
            )));
        }
        tracing::info!(
            "no checkpoint in {}; starting from the beginning",
            display_path(folder)
        );
        Checkpoint::begin(folder, identity, interval)
    }

    fn holding(
        folder: &Path,
        identity: String,
        parts: Parts,
        schedule: CheckpointSchedule,
    ) -> Checkpoint {
        Checkpoint {
            folder: folder.to_owned(),
            identity,
            storage: Box::new(Disk),
            parts: Mutex::new(parts),
            schedule,
        }
    }

    /// Sets the storage storage.
    pub fn through(self, storage: Box<dyn Storage>) -> Checkpoint {
        Checkpoint { storage, ..self }
    }

    /// Removes the files of a finished run.
    ///
    /// # Errors
    /// [`Error::runtime`] if they cannot be removed.
    pub fn remove(&self) -> Result<(), Error> {
        for name in NAMES {
            super::remove(&self.folder.join(name))?;
        }
        Ok(())
    }

    fn locked(&self) -> std::sync::MutexGuard<'_, Parts> {
        // Sections are inserted atomically: a panic elsewhere leaves the map consistent.
        self.parts
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn not_kept(&self, error: &std::io::Error) -> CheckpointError {
        CheckpointError(format!("in {}: {error}", display_path(&self.folder)))
    }

    /// Replaces the previous checkpoint with the written one.
    fn renamed(&self) -> std::io::Result<()> {
        let [path, previous, partial] = NAMES.map(|name| self.folder.join(name));
        match storage::rename(&path, &previous) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        KillPoint::PreviousRenamed.reached();
        storage::rename(&partial, &path)?;
        KillPoint::Renamed.reached();
        force_folder(&self.folder)?;
        KillPoint::FolderOnDisk.reached();
        Ok(())
    }

    /// Writes new sections and copies the retained ones.
    fn write_partial(
        &self,
        partial: &Path,
        before: &Parts,
        new: &mut dyn Iterator<Item = Result<Part, CheckpointError>>,
    ) -> Result<Parts, CheckpointError> {
        let failed = |error: std::io::Error| self.not_kept(&error);
        let file = output_file::replace(partial).map_err(failed)?;
        KillPoint::PartialCreated.reached();
        let mut section = Sections {
            storage: &*self.storage,
            file,
            at: 0,
        };
        section.bytes(&MAGIC).map_err(failed)?;
        let mut forgotten = BTreeSet::new();
        let mut places = BTreeMap::new();
        for part in new {
            let (name, part) = part?;
            if part.is_empty() {
                forgotten.insert(name);
            } else {
                let place = section.write(&name, &part).map_err(failed)?;
                places.insert(name, place);
            }
        }
        KillPoint::PartialHalfWritten.reached();
        for (name, place) in &before.places {
            if let Some(file) = &before.file
                && !places.contains_key(name)
                && !forgotten.contains(name)
            {
                let place = section.copy(file, place).map_err(failed)?;
                places.insert(name.clone(), place);
            }
        }
        // The trailer has the number of sections, so that a truncated file is detected.
        let generation = before.generation + 1;
        let counts = [places.len() as u64, generation].map(u64::to_le_bytes);
        section
            .write(&self.identity, &counts.concat())
            .map_err(failed)?;
        KillPoint::PartialWritten.reached();
        storage::sync(&section.file).map_err(failed)?;
        KillPoint::PartialOnDisk.reached();
        Ok(Parts {
            file: Some(section.file),
            places,
            generation,
        })
    }
}

impl CheckpointStore for Checkpoint {
    fn load(&self, part: &str) -> Result<Option<Vec<u8>>, CheckpointError> {
        let parts = self.locked();
        let (Some(file), Some(place)) = (&parts.file, parts.places.get(part)) else {
            return Ok(None);
        };
        let mut bytes = vec![0; place.part as usize];
        read_at(file, place.at + place.head, &mut bytes).map_err(|error| self.not_kept(&error))?;
        Ok(Some(bytes))
    }

    fn save_all(
        &self,
        new: &mut dyn Iterator<Item = Result<Part, CheckpointError>>,
    ) -> Result<(), CheckpointError> {
        let start = Instant::now();
        let mut parts = self.locked();
        let partial = self.folder.join(PARTIAL);
        let written =
            (self.write_partial(&partial, &parts, new)).and_then(|written| match self.renamed() {
                Ok(()) => Ok(written),
                Err(error) => Err(self.not_kept(&error)),
            });
        // Other threads may wait for the sections.
        new.for_each(drop);
        match written {
            Ok(written) => *parts = written,
            Err(error) => {
                // A partial file is useless and takes space.
                let _ = fs::remove_file(&partial);
                return Err(error);
            }
        }
        tracing::debug!("kept {}", parts.generation);
        self.schedule.kept(start);
        Ok(())
    }

    fn is_due(&self) -> bool {
        self.schedule.is_due()
    }
}

/// Bytes of a section before its name: lengths of name and content.
const HEAD: u64 = 16;
/// Bytes after its content: checksum of all preceding bytes.
const CHECKSUM: u64 = 4;
/// Bytes read from a file at once.
const AT_ONCE: u64 = 1 << 20;

/// Writer of consecutive sections.
struct Sections<'a> {
    storage: &'a dyn Storage,
    file: File,
    at: u64,
}

impl Sections<'_> {
    fn bytes(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.storage.write(&mut self.file, bytes)?;
        self.at += bytes.len() as u64;
        Ok(())
    }

    /// Writes the section header and name, the content, and a checksum of all.
    fn write(&mut self, name: &str, part: &[u8]) -> std::io::Result<Place> {
        let place = Place {
            at: self.at,
            head: HEAD + name.len() as u64,
            part: part.len() as u64,
        };
        let mut head = Vec::with_capacity(place.head as usize);
        head.extend((name.len() as u64).to_le_bytes());
        head.extend(place.part.to_le_bytes());
        head.extend(name.as_bytes());
        let mut checksum = crc32fast::Hasher::new();
        for bytes in [&head[..], part] {
            checksum.update(bytes);
            self.bytes(bytes)?;
        }
        self.bytes(&checksum.finalize().to_le_bytes())?;
        Ok(place)
    }

    /// Copies a section of another file with its checksum, so that damage remains detectable.
    fn copy(&mut self, from: &File, place: &Place) -> std::io::Result<Place> {
        let copied = Place {
            at: self.at,
            ..*place
        };
        pieces(from, place.at..place.end(), |bytes| self.bytes(bytes))?;
        Ok(copied)
    }
}

/// Reads bytes at an offset.
fn read_at(mut file: &File, at: u64, bytes: &mut [u8]) -> std::io::Result<()> {
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(bytes)
}

/// Reads a range of a file in blocks.
fn pieces(
    file: &File,
    range: Range<u64>,
    mut take: impl FnMut(&[u8]) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let mut buffer = vec![0; (range.end - range.start).min(AT_ONCE) as usize];
    let mut at = range.start;
    while at < range.end {
        let count = (range.end - at).min(AT_ONCE);
        let bytes = &mut buffer[..count as usize];
        read_at(file, at, bytes)?;
        take(bytes)?;
        at += count;
    }
    Ok(())
}

/// Reads the identity and the sections of a checkpoint file.
fn read(path: &Path) -> Result<(String, Parts), Refused> {
    let file = File::open(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Refused::Missing,
        _ => Refused::Unread(error),
    })?;
    let length = file.metadata().map_err(Refused::Unread)?.len();
    let mut magic = [0; MAGIC.len()];
    if length < MAGIC.len() as u64 {
        return Err(Refused::Damaged);
    }
    read_at(&file, 0, &mut magic).map_err(Refused::Unread)?;
    if magic != MAGIC {
        return Err(Refused::Damaged);
    }
    let mut places = BTreeMap::new();
    let mut last = None;
    let mut at = MAGIC.len() as u64;
    while at < length {
        let (name, place) = section(&file, at, length)?.ok_or(Refused::Damaged)?;
        at = place.end();
        if let Some((name, place)) = last.replace((name, place)) {
            places.insert(name, place);
        }
    }
    // The trailer has the identity and the number of sections: a file may be truncated between two sections.
    let (identity, place) = last.ok_or(Refused::Damaged)?;
    let mut counts = [0; 16];
    if place.part != counts.len() as u64 {
        return Err(Refused::Damaged);
    }
    read_at(&file, place.at + place.head, &mut counts).map_err(Refused::Unread)?;
    let [count, generation] = [0, 8].map(|at| {
        let bytes: [u8; 8] = std::array::from_fn(|byte| counts[at + byte]);
        u64::from_le_bytes(bytes)
    });
    if count != places.len() as u64 {
        return Err(Refused::Damaged);
    }
    let parts = Parts {
        file: Some(file),
        places,
        generation,
    };
    Ok((identity, parts))
}

/// Returns the section at an offset, if it is complete.
fn section(file: &File, at: u64, length: u64) -> Result<Option<(String, Place)>, Refused> {
    let mut head = [0; HEAD as usize];
    if length - at < HEAD {
        return Ok(None);
    }
    read_at(file, at, &mut head).map_err(Refused::Unread)?;
    let [name, part] = [0, 8].map(|at| {
        let bytes: [u8; 8] = std::array::from_fn(|byte| head[at + byte]);
        u64::from_le_bytes(bytes)
    });
    let whole = (name.checked_add(part))
        .and_then(|both| both.checked_add(HEAD + CHECKSUM))
        .filter(|&whole| whole <= length - at);
    if whole.is_none() {
        return Ok(None);
    }
    let place = Place {
        at,
        head: HEAD + name,
        part,
    };
    let mut checksum = crc32fast::Hasher::new();
    pieces(file, at..place.end() - CHECKSUM, |bytes| {
        checksum.update(bytes);
        Ok(())
    })
    .map_err(Refused::Unread)?;
    let mut expected = [0; CHECKSUM as usize];
    read_at(file, place.end() - CHECKSUM, &mut expected).map_err(Refused::Unread)?;
    if checksum.finalize().to_le_bytes() != expected {
        return Ok(None);
    }
    let mut bytes = vec![0; name as usize];
    read_at(file, at + HEAD, &mut bytes).map_err(Refused::Unread)?;
    Ok(String::from_utf8(bytes).ok().map(|name| (name, place)))
}

#[cfg(test)]
mod tests {
    use super::super::storage::FullDisk;
    use super::*;

    fn kept(folder: &Path) -> Checkpoint {
        let checkpoint = Checkpoint::begin(folder, "a".to_owned(), None).unwrap();
        checkpoint.save("first", vec![1, 0, 255]).unwrap();
        checkpoint.save("second", vec![2]).unwrap();
        checkpoint
    }

    #[test]
    fn what_was_kept_comes_back_bit_by_bit() {
        let folder = tempfile::tempdir().unwrap();
        kept(folder.path());
        let back = Checkpoint::resume(folder.path(), "a".to_owned(), None).unwrap();
        assert_eq!(back.load("first"), Ok(Some(vec![1, 0, 255])));
        assert_eq!(back.load("second"), Ok(Some(vec![2])));
        assert_eq!(back.load("third"), Ok(None));
        // Sections are added, replaced, and removed.
        let new = [
            ("third", vec![7; 3_000_000]),
            ("second", vec![3]),
            ("first", vec![]),
        ];
        let mut new = new
            .map(|(name, bytes)| Ok((name.to_owned(), bytes)))
            .into_iter();
        back.save_all(&mut new).unwrap();
        back.save("fourth", vec![4]).unwrap();
        for back in [
            Checkpoint::resume(folder.path(), "a".to_owned(), None).unwrap(),
            back,
        ] {
            assert_eq!(back.load("first"), Ok(None));
            assert_eq!(back.load("second"), Ok(Some(vec![3])));
            assert_eq!(back.load("third"), Ok(Some(vec![7; 3_000_000])));
            assert_eq!(back.load("fourth"), Ok(Some(vec![4])));
        }
        let back = Checkpoint::resume(folder.path(), "a".to_owned(), None).unwrap();
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
            assert!(back.load("first").unwrap().is_some(), "byte {byte}");
            assert!(back.load("second").unwrap().is_none(), "byte {byte}");
            // The next save must not replace the valid checkpoint with the damaged one.
            back.save("third", vec![3]).unwrap();
            let (_, previous) = read(&folder.path().join(PREVIOUS)).ok().unwrap();
            assert!(previous.places.contains_key("first"), "byte {byte}");
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
            assert!(back.save("third", vec![3; 100]).is_err());
            assert!(!folder.path().join(PARTIAL).exists());
            let back = Checkpoint::resume(folder.path(), "a".to_owned(), None).unwrap();
            assert_eq!(back.load("second"), Ok(Some(vec![2])));
            assert_eq!(back.load("third"), Ok(None));
        }
        assert_eq!(generation(folder.path()), Some(2));
    }
}
