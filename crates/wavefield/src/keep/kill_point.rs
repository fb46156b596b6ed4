//! Points in the writing of files at which a test may kill the process.
//!
//! `WAVEFIELD_KILL_POINT=point:n` lets the process wait for ever when it comes to that point for the nth time, and
//! say so on stderr; whoever set it then kills it. Without it a point costs nothing.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The variable that names a point.
pub const VARIABLE: &str = "WAVEFIELD_KILL_POINT";
/// What is said on stderr at the point.
pub const REACHED: &str = "at the kill point";

/// A point in the writing of a checkpoint or a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KillPoint {
    /// The new checkpoint file is there and empty.
    PartialCreated,
    /// It has the new parts, but not those that stay.
    PartialHalfWritten,
    /// It has all parts, not yet on disk.
    PartialWritten,
    /// It is on disk.
    PartialOnDisk,
    /// The checkpoint has been renamed to the one before.
    PreviousRenamed,
    /// The new file has been renamed to the checkpoint.
    Renamed,
    /// The new names are on disk.
    FolderOnDisk,
    /// Half of a record is in the journal.
    RecordHalfWritten,
    /// All of it is, not yet on disk.
    RecordWritten,
    /// It is on disk.
    JournalOnDisk,
}

impl KillPoint {
    /// Those of a checkpoint, in the order they are come to.
    pub const CHECKPOINT: [KillPoint; 7] = [
        KillPoint::PartialCreated,
        KillPoint::PartialHalfWritten,
        KillPoint::PartialWritten,
        KillPoint::PartialOnDisk,
        KillPoint::PreviousRenamed,
        KillPoint::Renamed,
        KillPoint::FolderOnDisk,
    ];
    /// Those of a journal.
    pub const JOURNAL: [KillPoint; 3] = [
        KillPoint::RecordHalfWritten,
        KillPoint::RecordWritten,
        KillPoint::JournalOnDisk,
    ];

    /// Name of the point in the variable.
    pub fn name(self) -> String {
        format!("{self:?}")
    }

    /// The process has come to this point.
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
