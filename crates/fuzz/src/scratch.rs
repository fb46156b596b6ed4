//! Temporary folder for parsers that read from disk.

use std::path::{Path, PathBuf};

/// Folder of this process for the files that readers are given.
pub fn scratch_folder() -> PathBuf {
    std::env::temp_dir().join(format!("wavefield-fuzz-{}", std::process::id()))
}

/// Creates a folder of this process in the temporary folder; the driver removes it.
pub(crate) struct Scratch(PathBuf);

impl Default for Scratch {
    fn default() -> Self {
        let folder = scratch_folder();
        std::fs::create_dir_all(&folder).expect("a folder for temporary files");
        Scratch(folder)
    }
}

impl Scratch {
    /// Returns the path of the folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.0
    }

    /// Writes a file in the folder and returns its path.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).expect("a file can be written");
        path
    }
}
