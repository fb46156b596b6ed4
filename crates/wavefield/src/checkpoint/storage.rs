//! Storage media: the disk, or in tests a disk of limited capacity.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

/// Storage storage that files are written to.
pub trait Storage: std::fmt::Debug + Send + Sync {
    /// Writes all bytes.
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<()>;
}

/// The disk.
#[derive(Debug)]
pub(crate) struct Disk;

impl Storage for Disk {
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        file.write_all(bytes)
    }
}

/// Syncs the directory entries of a folder, where folders can be opened.
pub(crate) fn force_folder(folder: &Path) -> io::Result<()> {
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
