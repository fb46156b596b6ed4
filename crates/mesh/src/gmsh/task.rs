use super::DomainError;
use crate::{TriangleMesh, WriteError, write_msh_surface};

/// A task for Gmsh: the files to write to an empty folder, and the mesh dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Input files. The first is the script, which refers to the others by relative paths.
    pub files: Vec<InputFile>,
    /// Mesh dimension: 3 for tetrahedra, 2 for triangles.
    pub dimension: u8,
}

/// An input file of Gmsh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputFile {
    /// File name, which is constant and never taken from user input.
    pub name: &'static str,
    /// Content.
    pub bytes: Vec<u8>,
}

/// Name of the script.
pub(super) const SCRIPT: &str = "domain.geo";

/// A Gmsh script, line by line.
#[derive(Default)]
pub(super) struct Script(String);

impl Script {
    pub(super) fn line(&mut self, text: impl AsRef<str>) {
        self.0.push_str(text.as_ref());
        self.0.push('\n');
    }

    pub(super) fn into_file(self) -> InputFile {
        InputFile {
            name: SCRIPT,
            bytes: self.0.into_bytes(),
        }
    }
}

/// Formats integers as a list in a script.
pub(super) fn list(tags: impl IntoIterator<Item = usize>) -> String {
    let tags: Vec<String> = tags.into_iter().map(|tag| tag.to_string()).collect();
    tags.join(", ")
}

/// Writes a surface as an MSH file; groups become surfaces numbered from 1, with their names.
pub(super) fn msh_file(name: &'static str, mesh: &TriangleMesh) -> Result<InputFile, DomainError> {
    let mut bytes = Vec::new();
    match write_msh_surface(mesh, &mut bytes) {
        Ok(()) => Ok(InputFile { name, bytes }),
        Err(WriteError::Mesh(error)) => Err(error.into()),
        Err(other) => Err(DomainError::Unwritable {
            reason: other.to_string(),
        }),
    }
}
