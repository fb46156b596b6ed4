//! A folder for files that are needed for a moment.

use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// A folder that is removed when it is no longer needed.
pub(crate) struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    /// A new, empty one.
    pub(crate) fn new() -> Result<TemporaryFolder, Failure> {
        let base = std::env::temp_dir();
        for attempt in 0..1000u32 {
            let path = base.join(format!("wavefield-{}-{attempt}", std::process::id()));
            match std::fs::create_dir(&path) {
                Ok(()) => return Ok(TemporaryFolder(path)),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(Failure::writing(&path, &error)),
            }
        }
        Err(Failure::Runtime(
            "the folder for temporary files is full of old runs".to_owned(),
        ))
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // A folder left behind in the temporary directory harms nobody.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
