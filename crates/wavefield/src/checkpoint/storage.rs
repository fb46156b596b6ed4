//! Storage media: the disk, or in tests a disk of limited capacity or with a fault.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// Storage that files are written to.
pub trait Storage: std::fmt::Debug + Send + Sync {
    /// Writes all bytes.
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<()>;
}

/// The disk.
#[derive(Debug)]
pub(crate) struct Disk;

impl Storage for Disk {
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        write(file, bytes)
    }
}

/// Operations on the disk that succeed before one fails.
static BEFORE_FAULT: AtomicU64 = AtomicU64::new(u64::MAX);

/// Lets an operation on the disk of this process fail as on a full disk, after `operations` more have succeeded, and
/// all later ones; for tests.
pub fn fail_at(operations: u64) {
    BEFORE_FAULT.store(operations, Ordering::SeqCst);
}

/// Returns the number of operations that [`fail_at`] still lets succeed.
pub fn before_fault() -> u64 {
    BEFORE_FAULT.load(Ordering::SeqCst)
}

/// Ends [`fail_at`].
pub fn never_fail() {
    BEFORE_FAULT.store(u64::MAX, Ordering::SeqCst);
}

/// Counts an operation; returns the injected fault.
fn operation() -> io::Result<()> {
    let count = |left: u64| match left {
        u64::MAX | 0 => None,
        _ => Some(left - 1),
    };
    match BEFORE_FAULT.fetch_update(Ordering::SeqCst, Ordering::SeqCst, count) {
        Err(0) => Err(io::ErrorKind::StorageFull.into()),
        _ => Ok(()),
    }
}

/// Writes all bytes to a file.
pub(crate) fn write(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    operation()?;
    file.write_all(bytes)
}

/// File whose every write is an operation on the disk.
#[derive(Debug)]
pub(crate) struct StoredFile(pub(crate) File);

impl io::Write for StoredFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        operation()?;
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl io::Seek for StoredFile {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

/// Syncs the content of a file to disk.
pub(crate) fn sync(file: &File) -> io::Result<()> {
    operation()?;
    file.sync_data()
}

/// Renames a file, replacing another.
pub(crate) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    operation()?;
    fs::rename(from, to)
}

/// Removes a file.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    operation()?;
    fs::remove_file(path)
}

/// Syncs the directory entries of a folder, where folders can be opened.
pub(crate) fn force_folder(folder: &Path) -> io::Result<()> {
    operation()?;
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    #[cfg(not(unix))]
    let _ = folder;
    Ok(())
}

/// Disk with a limited number of free bytes.
#[derive(Debug)]
pub struct FullDisk(std::sync::atomic::AtomicUsize);

impl FullDisk {
    /// Free bytes.
    pub fn with_room(bytes: usize) -> FullDisk {
        FullDisk(bytes.into())
    }
}

impl Storage for FullDisk {
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        use std::sync::atomic::Ordering::Relaxed;
        let room = self.0.load(Relaxed);
        let fits = bytes.len().min(room);
        self.0.store(room - fits, Relaxed);
        file.write_all(&bytes[..fits])?;
        if fits < bytes.len() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(())
    }
}
