use std::fmt;

use thiserror::Error;

/// Where in a file something was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line of a text file, counted from 1.
    Line(u64),
    /// A byte of a binary file, counted from 0.
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

/// Why a file could not be read as a mesh.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ReadError {
    /// The file is none of the known formats.
    #[error(
        "\"{name}\" is not a mesh this program knows; STL, OBJ, Gmsh MSH (2.2 or 4.1) and INP can be read"
    )]
    UnknownFormat {
        /// The name the file was given with.
        name: String,
    },
    /// The file ends before everything it announces was there.
    #[error("the file ends at {place} where {expected} should follow; it may have been cut off")]
    Truncated {
        /// What should have come.
        expected: &'static str,
        /// Where the file ends.
        place: Place,
    },
    /// A binary file announces more than it holds.
    #[error(
        "the header announces {announced} {what}, but the file has room for {room}; it may have been cut off"
    )]
    Overstated {
        /// What is announced.
        what: &'static str,
        /// How many are announced.
        announced: u64,
        /// How many the file could hold.
        room: u64,
    },
    /// Something else stands where a number or a keyword belongs.
    #[error("{place}: expected {expected}, found \"{found}\"")]
    Unexpected {
        /// What belongs there.
        expected: &'static str,
        /// The beginning of what stands there.
        found: String,
        /// Where.
        place: Place,
    },
    /// A coordinate is infinite or not a number.
    #[error("{place}: a coordinate is {value}; every coordinate must be a finite number")]
    NotFinite {
        /// The coordinate.
        value: f64,
        /// Where.
        place: Place,
    },
    /// An element refers to a point that is not in the file.
    #[error(
        "{place}: point {index} is used, but the file has {points} points (numbered from {first})"
    )]
    NoSuchPoint {
        /// The point asked for, in the file's numbering.
        index: i64,
        /// How many points there are.
        points: usize,
        /// The smallest number a point has in this file.
        first: u64,
        /// Where.
        place: Place,
    },
    /// Two points have the same number.
    #[error("point number {tag} is given twice; every point needs its own number")]
    DuplicatePoint {
        /// The number.
        tag: u64,
    },
    /// The mesh is larger than allowed.
    #[error("{place}: the mesh has more than {limit} {what}, the largest number allowed here")]
    TooLarge {
        /// What there is too much of.
        what: &'static str,
        /// How many there may be.
        limit: usize,
        /// Where the limit was passed.
        place: Place,
    },
    /// The file uses a part of its format that this reader does not know.
    #[error("{place}: {what} cannot be read; {advice}")]
    Unsupported {
        /// What was met.
        what: String,
        /// What to do instead.
        advice: &'static str,
        /// Where.
        place: Place,
    },
    /// The file is well-formed but holds no element this program computes with.
    #[error("the file holds no {what}{hint}")]
    Empty {
        /// What is missing.
        what: &'static str,
        /// What the file holds instead, if that helps.
        hint: String,
    },
}

impl ReadError {
    /// An `Unexpected` error that shows at most the first 40 characters of what was found.
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
