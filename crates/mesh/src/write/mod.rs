//! Writers: a mesh in, bytes out to anything that implements [`std::io::Write`], such as a `Vec<u8>`.

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

/// Why a mesh could not be written.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The bytes could not be delivered.
    #[error("the mesh could not be written: {0}")]
    Io(#[from] std::io::Error),
    /// The mesh itself is not sound.
    #[error(transparent)]
    Mesh(#[from] crate::MeshError),
    /// A name contains a character that would break the file.
    #[error(
        "the name \"{name}\" contains a line break or a quotation mark, which the format cannot hold"
    )]
    Name {
        /// The name.
        name: String,
    },
    /// A list of values does not fit the mesh.
    #[error(
        "the data \"{name}\" has {found} values, but {expected} are needed ({components} for each {of})"
    )]
    DataLength {
        /// The name of the data.
        name: String,
        /// How many values there are.
        found: usize,
        /// How many there must be.
        expected: usize,
        /// How many belong together.
        components: usize,
        /// What they belong to.
        of: &'static str,
    },
    /// The format counts with 32 bits.
    #[error("{count} triangles are more than a binary STL file can count")]
    TooManyTriangles {
        /// How many there are.
        count: usize,
    },
}

/// Refuses names that would end a line or a quotation early.
fn check_name(name: &str) -> Result<(), WriteError> {
    if name.chars().any(|c| c.is_control() || c == '"') {
        let name = name.into();
        return Err(WriteError::Name { name });
    }
    Ok(())
}
