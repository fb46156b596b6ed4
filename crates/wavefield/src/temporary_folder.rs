//! A folder for files that are needed for a moment.

use std::path::Path;

use tempfile::TempDir;

use crate::Error;

/// A folder of this user alone that is removed when it is dropped.
pub struct TemporaryFolder(TempDir);

impl TemporaryFolder {
    /// Creates an empty folder.
    pub fn new() -> Result<TemporaryFolder, Error> {
        let folder = tempfile::Builder::new().prefix("wavefield-").tempdir();
        folder
            .map(TemporaryFolder)
            .map_err(|error| Error::writing(&std::env::temp_dir(), &error))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}
