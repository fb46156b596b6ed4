//! Mesh writers, to any [`std::io::Write`], such as a `Vec<u8>`.

mod msh;
mod obj;
mod pvd;
mod stl;
mod vtu;

pub use msh::{write_msh_surface, write_msh_volume};
pub use obj::write_obj;
pub use pvd::write_pvd;
pub use stl::{write_stl_binary, write_stl_text};
pub use vtu::{VtuArray, VtuData, VtuEncoding, VtuValues, write_vtu_surface, write_vtu_volume};

use thiserror::Error;

/// Errors of writing a mesh.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The output failed.
    #[error("cannot write the mesh: {0}")]
    Io(#[from] std::io::Error),
    /// The mesh is invalid.
    #[error(transparent)]
    Mesh(#[from] crate::MeshError),
    /// A name contains a character that would corrupt the file.
    #[error(
        "the name \"{name}\" contains a line break or a quotation mark, which the format does not support; rename it"
    )]
    Name {
        /// Offending name.
        name: String,
    },
    /// A data array does not match the mesh.
    #[error(
        "the data array \"{name}\" must have {expected} values ({components} for each {of}), not {found}"
    )]
    DataLength {
        /// Name of the data array.
        name: String,
        /// Actual number of values.
        found: usize,
        /// Required number of values.
        expected: usize,
        /// Number of components.
        components: usize,
        /// Kind of the items.
        of: &'static str,
    },
    /// The number of triangles exceeds the 32-bit count of the format.
    #[error("{count} triangles exceed the 32-bit limit of binary STL; use another format")]
    TooManyTriangles {
        /// Number of triangles.
        count: usize,
    },
}

/// Checks that a name does not end a line or a quoted string.
fn check_name(name: &str) -> Result<(), WriteError> {
    if name.chars().any(|c| c.is_control() || c == '"') {
        let name = name.into();
        return Err(WriteError::Name { name });
    }
    Ok(())
}
