use super::DomainError;
use crate::{TriangleMesh, WriteError, write_msh_surface};

/// Work for Gmsh: files to put into an empty folder, and the dimension to mesh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The files; the first is the script, which names the others relative to its own folder.
    pub files: Vec<InputFile>,
    /// 3 for tetrahedra, 2 for triangles.
    pub dimension: u8,
}

/// A file that Gmsh reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputFile {
    /// Its name, which is fixed here and never comes from a user.
    pub name: &'static str,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// The name of the script.
pub(super) const SCRIPT: &str = "domain.geo";

/// Lines of a Gmsh script.
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

/// Whole numbers as a list in a script.
pub(super) fn list(tags: impl IntoIterator<Item = usize>) -> String {
    let tags: Vec<String> = tags.into_iter().map(|tag| tag.to_string()).collect();
    tags.join(", ")
}

/// A surface as a file that Gmsh reads; groups become surfaces numbered from 1, with their names.
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
