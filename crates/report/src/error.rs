//! Errors of writing and reading array archives.

/// Errors of writing and reading array archives.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The shape of an array does not match its number of values.
    #[error("the number of values of array {name} does not match its shape {shape:?}")]
    Shape {
        /// Name of the array.
        name: String,
        /// Stated shape.
        shape: Vec<usize>,
    },
    /// An entry of an archive is not a supported array.
    #[error("array {name}: {reason}")]
    Array {
        /// Name of the array.
        name: String,
        /// Reason of the failure.
        reason: String,
    },
    /// The archive states more content than its compressed bytes can contain.
    #[error("the archive of {length} bytes cannot contain the size that its entries state")]
    Inflated {
        /// Size of the archive in bytes.
        length: u64,
    },
    /// The file is not a valid archive.
    #[error(transparent)]
    Archive(#[from] zip::result::ZipError),
    /// Reading or writing the file failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}
