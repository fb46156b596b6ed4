use std::fmt;

use thiserror::Error;

/// Position in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Line of a text file, from 1.
    Line(u64),
    /// Byte offset in a binary file, from 0.
    Byte(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Byte(byte) => write!(f, "byte {byte}"),
        }
    }
}

/// Errors of reading a mesh file.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ReadError {
    /// Unknown file format.
    #[error(
        "\"{name}\" is not in a supported mesh format; use STL, OBJ, Gmsh MSH (2.2 or 4.1), or INP"
    )]
    UnknownFormat {
        /// Name of the file.
        name: String,
    },
    /// Unexpected end of file.
    #[error("unexpected end of file at {place}, expected {expected}; the file may be truncated")]
    Truncated {
        /// Expected content.
        expected: &'static str,
        /// Position of the end.
        place: Place,
    },
    /// A binary file is shorter than its header states.
    #[error(
        "the header states {announced} {what}, but the file has room for {room}; the file may be truncated"
    )]
    Overstated {
        /// Kind of the items.
        what: &'static str,
        /// Number of items in the header.
        announced: u64,
        /// Number of items that fit into the file.
        room: u64,
    },
    /// Unexpected content.
    #[error("{place}: expected {expected}, found \"{found}\"")]
    Unexpected {
        /// Expected content.
        expected: &'static str,
        /// Beginning of the actual content.
        found: String,
        /// Position in the file.
        place: Place,
    },
    /// A coordinate is infinite or NaN.
    #[error("{place}: a coordinate is {value}; coordinates must be finite")]
    NotFinite {
        /// Value of the coordinate.
        value: f64,
        /// Position in the file.
        place: Place,
    },
    /// An element refers to a nonexistent point.
    #[error(
        "{place}: point {index} is used, but the file has {points} points (numbered from {first})"
    )]
    NoSuchPoint {
        /// Number of the point in the file.
        index: i64,
        /// Number of points.
        points: usize,
        /// Smallest point number in the file.
        first: u64,
        /// Position in the file.
        place: Place,
    },
    /// Two points have the same number.
    #[error("point number {tag} is not unique; renumber the points")]
    DuplicatePoint {
        /// Number of the points.
        tag: u64,
    },
    /// The mesh exceeds the size limit.
    #[error("{place}: the mesh exceeds the limit of {limit} {what}")]
    TooLarge {
        /// Kind of the items.
        what: &'static str,
        /// Maximum number of items.
        limit: usize,
        /// Position at which the limit is exceeded.
        place: Place,
    },
    /// The file uses an unsupported feature of its format.
    #[error("{place}: {what} is not supported; {advice}")]
    Unsupported {
        /// Unsupported feature.
        what: String,
        /// Remedy.
        advice: &'static str,
        /// Position in the file.
        place: Place,
    },
    /// The file contains no supported element.
    #[error("the file contains no {what}{hint}")]
    Empty {
        /// Missing kind of element.
        what: &'static str,
        /// Content of the file instead, or empty.
        hint: String,
    },
}

impl ReadError {
    /// Creates an `Unexpected` error with at most the first 40 characters of the content.
    pub(super) fn unexpected(expected: &'static str, found: &[u8], place: Place) -> Self {
        let text = String::from_utf8_lossy(&found[..found.len().min(160)]);
        let mut shown: String = text
            .chars()
            .take(40)
            .map(|c| if c.is_control() { '\u{fffd}' } else { c })
            .collect();
        if text.chars().nth(40).is_some() {
            shown.push('…');
        }
        Self::Unexpected {
            expected,
            found: shown,
            place,
        }
    }
}
