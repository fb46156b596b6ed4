//! Temporary folders.

use std::path::Path;

use tempfile::TempDir;

use crate::Error;

/// Folder readable by this user only, removed on drop.
pub struct TemporaryFolder(TempDir);

impl TemporaryFolder {
    /// Creates an empty folder.
    pub fn new() -> Result<TemporaryFolder, Error> {
        let mut builder = tempfile::Builder::new();
        builder.prefix("wavefield-");
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        builder
            .tempdir()
            .map(TemporaryFolder)
            .map_err(|error| Error::writing(&std::env::temp_dir(), &error))
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}
