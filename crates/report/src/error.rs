//! Why arrays were not written or read.

/// Why arrays were not written or read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An array whose shape is not that of its values.
    #[error("array {name} does not have the shape {shape:?}")]
    Shape {
        /// Name of the array.
        name: String,
        /// The shape it claims.
        shape: Vec<usize>,
    },
    /// An entry of an archive that holds no array that is understood.
    #[error("array {name}: {reason}")]
    Array {
        /// Name of the array.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// An archive that unpacks to more than so many bytes can stand for.
    #[error("its {length} bytes cannot hold all that it claims")]
    Inflated {
        /// Bytes of the archive.
        length: u64,
    },
    /// What cannot be read as an archive.
    #[error(transparent)]
    Archive(#[from] zip::result::ZipError),
    /// The file behind it failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}
