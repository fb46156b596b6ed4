//! Kill points: positions in the writing of files at which a test kills the process.
//!
//! With `WAVEFIELD_KILL_POINT=point:n` the process reports on stderr and blocks when it reaches that point for the nth
//! time, so that the test can kill it. Without the variable a point costs nothing.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Environment variable that selects a point.
pub const VARIABLE: &str = "WAVEFIELD_KILL_POINT";
/// Message on stderr at the point.
pub const REACHED: &str = "at the kill point";

/// Position in the writing of a checkpoint or a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KillPoint {
    /// The new checkpoint file exists and is empty.
    PartialCreated,
    /// It has the new sections, but not the retained ones.
    PartialHalfWritten,
    /// It has all sections, not yet synced to disk.
    PartialWritten,
    /// It is synced to disk.
    PartialOnDisk,
    /// The checkpoint has been renamed to the previous one.
    PreviousRenamed,
    /// The new file has been renamed to the checkpoint.
    Renamed,
    /// The new names are synced to disk.
    FolderOnDisk,
    /// Half of a record is in the journal.
    RecordHalfWritten,
    /// The record is complete, not yet synced to disk.
    RecordWritten,
    /// It is synced to disk.
    JournalOnDisk,
}

impl KillPoint {
    /// Points of a checkpoint, in the order they are reached.
    pub const CHECKPOINT: [KillPoint; 7] = [
        KillPoint::PartialCreated,
        KillPoint::PartialHalfWritten,
        KillPoint::PartialWritten,
        KillPoint::PartialOnDisk,
        KillPoint::PreviousRenamed,
        KillPoint::Renamed,
        KillPoint::FolderOnDisk,
    ];
    /// Points of a journal.
    pub const JOURNAL: [KillPoint; 3] = [
        KillPoint::RecordHalfWritten,
        KillPoint::RecordWritten,
        KillPoint::JournalOnDisk,
    ];

    /// Returns the name of the point in the variable.
    pub fn name(self) -> String {
        format!("{self:?}")
    }

    /// Blocks the process if this point is selected.
    pub fn reached(self) {
        static CHOSEN: OnceLock<Option<(String, AtomicU64)>> = OnceLock::new();
        let chosen = CHOSEN.get_or_init(|| {
            let text = std::env::var(VARIABLE).ok()?;
            let (name, count) = text.split_once(':')?;
            Some((name.to_owned(), AtomicU64::new(count.parse().ok()?)))
        });
        let Some((name, left)) = chosen else {
            return;
        };
        if *name == self.name() && left.fetch_sub(1, Ordering::Relaxed) == 1 {
            eprintln!("{REACHED} {name}");
            loop {
                std::thread::park();
            }
        }
    }
}
