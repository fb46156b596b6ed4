//! Inputs of problems: files from disk, and meshes made by Gmsh.

use std::path::{Path, PathBuf};

use wavefield_mesh::AnyMesh;
use wavefield_mesh::gmsh::Task;
use wavefield_numerics::observe::Observer;
use wavefield_solver::{Error, Inputs};

use crate::gmsh;
use crate::memory;

/// Inputs relative to a folder, with Gmsh as mesh generator.
#[derive(Clone, Debug, Default)]
pub struct FolderInputs {
    folder: PathBuf,
}

impl FolderInputs {
    /// Creates inputs whose paths are relative to `folder`.
    pub fn new(folder: &Path) -> FolderInputs {
        FolderInputs {
            folder: folder.to_owned(),
        }
    }
}

impl Inputs for FolderInputs {
    fn file(&self, path: &str) -> Result<Vec<u8>, Error> {
        let path = self.folder.join(path);
        std::fs::read(&path).map_err(|error| Error::reading(&path, &error))
    }

    fn generate_mesh(&self, task: &Task, observer: &dyn Observer) -> Result<AnyMesh, Error> {
        gmsh::generate(task, observer)
    }

    fn memory(&self) -> usize {
        memory::available().unwrap_or(usize::MAX)
    }
}
