//! `fault-tolerance/corrupt`: damaged files and full disks under checkpoints and journals.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use wavefield_numerics::random::Random;
use wavefield_solver::checkpoint::CheckpointStore as _;
use wavefield_solver::tasks::Key;

use crate::measure::Measured;
use wavefield::Error;
use wavefield::checkpoint::file::{Checkpoint, NAME, PREVIOUS};
use wavefield::checkpoint::journal::{self, Journal};
use wavefield::checkpoint::storage::FullDisk;
use wavefield::temporary_folder::TemporaryFolder;

/// Kind of damage.
#[derive(Clone, Copy, Debug)]
enum Fault {
    FlippedBits,
    CutOff,
    ZeroedBlock,
    FullDisk,
}

const FAULTS: [Fault; 4] = [
    Fault::FlippedBits,
    Fault::CutOff,
    Fault::ZeroedBlock,
    Fault::FullDisk,
];

/// Bytes of a disk block.
const BLOCK: usize = 512;
const IDENTITY: &str = "a run";
const PARTS: usize = 5;

/// Damages files this many times, half of them checkpoints and half journals.
pub(crate) fn corrupt(faults: u64) -> Result<Measured, Error> {
    // Every damage logs a warning, which is suppressed here.
    tracing::subscriber::with_default(tracing::subscriber::NoSubscriber::default(), || {
        do_damage(faults)
    })
}

fn do_damage(faults: u64) -> Result<Measured, Error> {
    let folder = TemporaryFolder::new()?;
    let mut random = Random::stream(20_261_118, 0);
    let (mut undetected, mut previous_used, mut done) = (0u64, 0u64, 0u64);
    let checkpoint = CheckpointFiles::new(folder.path(), &mut random)?;
    let journal = JournalFile::new(folder.path(), &mut random)?;
    while done < faults {
        for fault in FAULTS {
            let good = checkpoint.survives(fault, &mut random)?;
            undetected += u64::from(!good);
            previous_used += u64::from(good && !matches!(fault, Fault::FullDisk));
            undetected += u64::from(!journal.survives(fault, &mut random)?);
            done += 2;
        }
    }
    Ok([
        ("faults", done as f64),
        ("undetected", undetected as f64),
        ("previous_used", previous_used as f64),
    ]
    .into())
}

fn below(random: &mut Random, end: usize) -> usize {
    (random.uniform() * end as f64) as usize
}

fn bytes(random: &mut Random, count: usize) -> Vec<u8> {
    (0..count).map(|_| below(random, 256) as u8).collect()
}

/// Damages bytes so that they differ.
fn damaged(good: &[u8], fault: Fault, random: &mut Random) -> Vec<u8> {
    let mut bad = good.to_vec();
    while bad == good {
        match fault {
            Fault::FlippedBits => {
                for _ in 0..1 + below(random, 4) {
                    bad[below(random, good.len())] ^= 1 << below(random, 8);
                }
            }
            Fault::CutOff => bad.truncate(below(random, good.len())),
            Fault::ZeroedBlock | Fault::FullDisk => {
                let start = BLOCK * below(random, good.len().div_ceil(BLOCK));
                let end = good.len().min(start + BLOCK);
                bad[start..end].fill(0);
            }
        }
    }
    bad
}

fn written(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    fs::write(path, bytes).map_err(|error| Error::writing(path, &error))
}

/// Checkpoint and the previous one.
struct CheckpointFiles<'a> {
    folder: &'a Path,
    /// Bytes of both files.
    files: [Vec<u8>; 2],
    /// Content of the previous one.
    before: Vec<(String, Vec<u8>)>,
    last: (String, Vec<u8>),
}

impl<'a> CheckpointFiles<'a> {
    fn new(folder: &'a Path, random: &mut Random) -> Result<CheckpointFiles<'a>, Error> {
        let kept = Checkpoint::begin(folder, IDENTITY.to_owned(), None)?;
        let mut parts: Vec<(String, Vec<u8>)> = (0..PARTS)
            .map(|number| {
                let length = 1 + below(random, 4000);
                (format!("part {number}"), bytes(random, length))
            })
            .collect();
        for (name, part) in &parts {
            kept.save(name, part.clone())
                .map_err(|error| Error::runtime(error.to_string()))?;
        }
        let file = |name: &str| {
            let path = folder.join(name);
            fs::read(&path).map_err(|error| Error::reading(&path, &error))
        };
        let files = [file(NAME)?, file(PREVIOUS)?];
        let last = parts.pop().unwrap_or_default();
        Ok(CheckpointFiles {
            folder,
            files,
            before: parts,
            last,
        })
    }

    /// Returns whether a run resumes from the previous checkpoint if the last is damaged, or from the last if a new one
    /// does not fit.
    fn survives(&self, fault: Fault, random: &mut Random) -> Result<bool, Error> {
        let [path, previous] = [NAME, PREVIOUS].map(|name| self.folder.join(name));
        written(&previous, &self.files[1])?;
        let resumed = || Checkpoint::resume(self.folder, IDENTITY.to_owned(), None);
        let holds = |kept: &Checkpoint, (name, part): &(String, Vec<u8>)| {
            kept.load(name).as_ref() == Ok(&Some(part.clone()))
        };
        let has_before = |kept: &Checkpoint| self.before.iter().all(|part| holds(kept, part));
        if matches!(fault, Fault::FullDisk) {
            written(&path, &self.files[0])?;
            let room = below(random, self.files[0].len());
            let kept = resumed()?.through(Box::new(FullDisk::with_room(room)));
            let refused = kept.save("one more", vec![1; 100]).is_err();
            let kept = resumed()?;
            return Ok(refused && has_before(&kept) && holds(&kept, &self.last));
        }
        written(&path, &damaged(&self.files[0], fault, random))?;
        let kept = resumed()?;
        Ok(has_before(&kept) && kept.load(&self.last.0) == Ok(None))
    }
}

/// Journal and its results.
struct JournalFile<'a> {
    folder: &'a Path,
    file: Vec<u8>,
    known: HashMap<Key, Arc<[u8]>>,
}

impl<'a> JournalFile<'a> {
    fn new(folder: &'a Path, random: &mut Random) -> Result<JournalFile<'a>, Error> {
        let journal = Journal::open(folder, true, None)?;
        let mut known = HashMap::new();
        for number in 0..40u8 {
            let length = below(random, 500);
            known.insert([number; 32], bytes(random, length).into());
        }
        for (key, result) in &known {
            (journal.record(key, result)).map_err(|error| Error::runtime(error.to_string()))?;
        }
        drop(journal);
        let path = folder.join(journal::NAME);
        let file = fs::read(&path).map_err(|error| Error::reading(&path, &error))?;
        Ok(JournalFile {
            folder,
            file,
            known,
        })
    }

    /// Returns whether only correct results are read, fewer than were written, and new ones can be appended.
    fn survives(&self, fault: Fault, random: &mut Random) -> Result<bool, Error> {
        let path = self.folder.join(journal::NAME);
        let one_more: (Key, Arc<[u8]>) = ([255; 32], bytes(random, 100).into());
        let full = matches!(fault, Fault::FullDisk);
        if full {
            written(&path, &self.file)?;
            let disk = Box::new(FullDisk::with_room(below(random, 100)));
            let journal = Journal::named(journal::NAME, disk, self.folder, false, None)?;
            if journal.record(&one_more.0, &one_more.1).is_ok() {
                return Ok(false);
            }
        } else {
            written(&path, &damaged(&self.file, fault, random))?;
        }
        let journal = Journal::open(self.folder, false, None)?;
        let believed = self.known.iter().filter(|(key, _)| journal.knows(key));
        let is_true = believed
            .clone()
            .all(|(key, result)| journal.load(key).as_ref() == Some(result));
        let count = believed.count();
        let noticed = (count < self.known.len()) != full && journal.count() == count;
        let taken = journal.record(&one_more.0, &one_more.1).is_ok();
        drop(journal);
        let again = Journal::open(self.folder, false, None)?;
        Ok(is_true && noticed && taken && again.load(&one_more.0) == Some(one_more.1))
    }
}
