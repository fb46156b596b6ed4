//! What files are written through: the disk, or in a test one that is full.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

/// Something that bytes are written through.
pub trait Medium: std::fmt::Debug + Send + Sync {
    /// Writes all of the bytes.
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<()>;
}

/// The disk as it is.
#[derive(Debug)]
pub(crate) struct Disk;

impl Medium for Disk {
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        file.write_all(bytes)
    }
}

/// Forces the names in a folder to disk, where folders can be opened at all.
pub(crate) fn force_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    #[cfg(not(unix))]
    let _ = folder;
    Ok(())
}

/// A disk with room for so many bytes.
#[derive(Debug)]
pub struct FullDisk(std::sync::atomic::AtomicUsize);

impl FullDisk {
    /// A disk on which so many bytes can still be written.
    pub fn with_room(bytes: usize) -> FullDisk {
        FullDisk(bytes.into())
    }
}

impl Medium for FullDisk {
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
