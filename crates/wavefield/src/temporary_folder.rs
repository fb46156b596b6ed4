//! Temporary folders.

use std::path::Path;

use tempfile::TempDir;

use crate::Error;

/// Folder readable by this user only, removed on drop.
pub struct TemporaryFolder(TempDir);

impl TemporaryFolder {
    /// Creates an empty folder.
    pub fn new() -> Result<TemporaryFolder, Error> {
        let folder = tempfile::Builder::new().prefix("wavefield-").tempdir();
        folder
            .map(TemporaryFolder)
            .map_err(|error| Error::writing(&std::env::temp_dir(), &error))
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}
