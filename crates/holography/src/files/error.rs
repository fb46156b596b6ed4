//! Why a file cannot be used.

/// What is wrong with the bytes of a file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FileError {
    /// The file ends within something.
    #[error("the file ends after {found} bytes, within {what}, which needs {needed}")]
    Truncated {
        /// What is not complete.
        what: &'static str,
        /// Bytes up to its end.
        needed: u64,
        /// Bytes of the file.
        found: u64,
    },
    /// A part that every such file has is not there.
    #[error("the file has no {what}")]
    Missing {
        /// The part.
        what: &'static str,
    },
    /// A kind of samples that is not read.
    #[error(
        "the samples are of format {format} with {bits} bits; PCM (1) with 16, 24 or 32 bits and floating point (3) \
         with 32 or 64 are read"
    )]
    Samples {
        /// The number of the format.
        format: u16,
        /// Bits of a sample.
        bits: u16,
    },
    /// A number in the file makes no sense.
    #[error("{what} is {value}; it must lie between {least} and {most}")]
    Number {
        /// What the number is.
        what: &'static str,
        /// Its value.
        value: f64,
        /// The least that makes sense.
        least: f64,
        /// The most that makes sense.
        most: f64,
    },
    /// Two statements of the file contradict each other.
    #[error("{what}")]
    Contradiction {
        /// Which.
        what: String,
    },
    /// The text is no XML.
    #[error("the file is not XML as it should be: {message}")]
    Xml {
        /// What the parser said.
        message: String,
    },
    /// An element of the XML lacks something.
    #[error("line {line}: `{element}` needs a number `{attribute}`, not `{found}`")]
    Attribute {
        /// Line of the file.
        line: u32,
        /// Name of the element.
        element: &'static str,
        /// Name of the attribute.
        attribute: &'static str,
        /// What stands there.
        found: String,
    },
    /// The HDF5 file cannot be read.
    #[error("the HDF5 file cannot be read: {message}")]
    Hdf5 {
        /// What the reader said.
        message: String,
    },
}

pub(super) fn within(
    what: &'static str,
    value: f64,
    least: f64,
    most: f64,
) -> Result<(), FileError> {
    if (least..=most).contains(&value) {
        Ok(())
    } else {
        Err(FileError::Number {
            what,
            value,
            least,
            most,
        })
    }
}
