//! Errors of the file readers.

/// An error in the contents of a file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FileError {
    /// The file is truncated.
    #[error("the file is truncated: {what} needs {needed} bytes, found {found}")]
    Truncated {
        /// Name of the truncated element.
        what: &'static str,
        /// Required length of the file, bytes.
        needed: u64,
        /// Length of the file, bytes.
        found: u64,
    },
    /// A required element is missing.
    #[error("the file has no {what}")]
    Missing {
        /// Name of the missing element.
        what: &'static str,
    },
    /// Unsupported sample format.
    #[error(
        "unsupported sample format {format} with {bits} bits; use PCM (1) with 16, 24, or 32 bits, or floating \
         point (3) with 32 or 64 bits"
    )]
    Samples {
        /// Format code.
        format: u16,
        /// Bits per sample.
        bits: u16,
    },
    /// A number in the file is out of range.
    #[error("{what} is {value}; it must lie between {least} and {most}")]
    Number {
        /// Name of the quantity.
        what: &'static str,
        /// Value.
        value: f64,
        /// Minimum.
        least: f64,
        /// Maximum.
        most: f64,
    },
    /// Contradictory statements in the file.
    #[error("{what}")]
    Contradiction {
        /// Description of the contradiction.
        what: String,
    },
    /// The text is not well-formed XML.
    #[error("invalid XML: {message}")]
    Xml {
        /// Message of the parser.
        message: String,
    },
    /// A required attribute of an XML element is missing or not a number.
    #[error("line {line}: attribute `{attribute}` of `{element}` must be a number, not `{found}`")]
    Attribute {
        /// Line in the file.
        line: u32,
        /// Name of the element.
        element: &'static str,
        /// Name of the attribute.
        attribute: &'static str,
        /// Text found.
        found: String,
    },
    /// The HDF5 file cannot be read.
    #[error("cannot read the HDF5 file: {message}")]
    Hdf5 {
        /// Message of the reader.
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
