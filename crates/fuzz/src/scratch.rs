//! A folder for parsers that read from disk.

use std::path::{Path, PathBuf};

/// The folder of this process for the files that readers are given.
pub fn scratch_folder() -> PathBuf {
    std::env::temp_dir().join(format!("wavefield-fuzz-{}", std::process::id()))
}

/// A folder of this process alone, in the folder for temporary files; the driver removes it.
pub(crate) struct Scratch(PathBuf);

impl Default for Scratch {
    fn default() -> Self {
        let folder = scratch_folder();
        std::fs::create_dir_all(&folder).expect("a folder for temporary files");
        Scratch(folder)
    }
}

impl Scratch {
    /// The folder itself.
    pub(crate) fn folder(&self) -> &Path {
        &self.0
    }

    /// Writes a file of the folder and says where it is.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).expect("a file can be written");
        path
    }
}
