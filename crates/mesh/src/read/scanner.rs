use super::{Place, ReadError};

/// A cursor over a file that returns words, lines, or binary numbers.
pub(super) struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u64,
}

/// Encoding of numbers in the current part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Text,
    LittleEndian,
    BigEndian,
}

impl<'a> Scanner<'a> {
    /// Creates a scanner at the beginning of the file, after an optional byte-order mark.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let at = if bytes.starts_with(b"\xef\xbb\xbf") {
            3
        } else {
            0
        };
        Self { bytes, at, line: 1 }
    }

    /// Returns the current position in a text file.
    pub(super) fn line_place(&self) -> Place {
        Place::Line(self.line)
    }

    /// Returns the current position as a line or byte offset, depending on the encoding.
    pub(super) fn place(&self, encoding: Encoding) -> Place {
        match encoding {
            Encoding::Text => self.line_place(),
            _ => Place::Byte(self.at as u64),
        }
    }

    /// Returns the next word, or `None` at the end of the file.
    pub(super) fn word(&mut self) -> Option<&'a [u8]> {
        while let Some(&byte) = self.bytes.get(self.at) {
            if !byte.is_ascii_whitespace() {
                break;
            }
            self.line += u64::from(byte == b'\n');
            self.at += 1;
        }
        let rest = &self.bytes[self.at..];
        let length = (rest.iter().position(u8::is_ascii_whitespace)).unwrap_or(rest.len());
        self.at += length;
        (length > 0).then(|| &rest[..length])
    }

    /// Returns the rest of the current line without its terminator, or `None` at the end of the
    /// file.
    pub(super) fn line(&mut self) -> Option<&'a [u8]> {
        let rest = &self.bytes[self.at..];
        if rest.is_empty() {
            return None;
        }
        let length = rest.iter().position(|&b| b == b'\n');
        self.at += length.map_or(rest.len(), |l| l + 1);
        self.line += u64::from(length.is_some());
        Some(rest[..length.unwrap_or(rest.len())].trim_ascii_end())
    }

    /// Skips past the next occurrence of `marker`; returns `false` if there is none.
    pub(super) fn skip_past(&mut self, marker: &[u8]) -> bool {
        let rest = &self.bytes[self.at..];
        let Some(start) = rest.windows(marker.len()).position(|w| w == marker) else {
            return false;
        };
        let passed = &rest[..start + marker.len()];
        self.line += passed.iter().filter(|&&b| b == b'\n').count() as u64;
        self.at += passed.len();
        true
    }

    fn array<const N: usize>(&mut self, expected: &'static str) -> Result<[u8; N], ReadError> {
        let found = self.bytes.get(self.at..).and_then(<[u8]>::first_chunk);
        let array = *found.ok_or(ReadError::Truncated {
            expected,
            place: Place::Byte(self.bytes.len() as u64),
        })?;
        self.at += N;
        Ok(array)
    }

    /// Reads the four bytes that identify the byte order of a binary MSH file.
    pub(super) fn byte_order_mark(&mut self) -> Result<[u8; 4], ReadError> {
        self.array("the byte-order mark")
    }

    fn expect_word(&mut self, expected: &'static str) -> Result<&'a [u8], ReadError> {
        self.word().ok_or(ReadError::Truncated {
            expected,
            place: Place::Line(self.line),
        })
    }

    /// Reads an integer: 32 bits in binary files.
    pub(super) fn int(
        &mut self,
        encoding: Encoding,
        expected: &'static str,
    ) -> Result<i64, ReadError> {
        Ok(match encoding {
            Encoding::Text => {
                let word = self.expect_word(expected)?;
                parse_int(word, expected, self.line_place())?
            }
            Encoding::LittleEndian => i32::from_le_bytes(self.array(expected)?).into(),
            Encoding::BigEndian => i32::from_be_bytes(self.array(expected)?).into(),
        })
    }

    /// Reads a count or a tag: 64 bits in binary files.
    pub(super) fn size(
        &mut self,
        encoding: Encoding,
        expected: &'static str,
    ) -> Result<u64, ReadError> {
        Ok(match encoding {
            Encoding::Text => {
                let word = self.expect_word(expected)?;
                let place = self.line_place();
                let value = parse_int(word, expected, place)?;
                u64::try_from(value).map_err(|_| ReadError::unexpected(expected, word, place))?
            }
            Encoding::LittleEndian => u64::from_le_bytes(self.array(expected)?),
            Encoding::BigEndian => u64::from_be_bytes(self.array(expected)?),
        })
    }

    /// Reads a real number that must be finite.
    pub(super) fn coordinate(&mut self, encoding: Encoding) -> Result<f64, ReadError> {
        let place = self.place(encoding);
        let value = self.real(encoding)?;
        if value.is_finite() {
            return Ok(value);
        }
        let place = match encoding {
            Encoding::Text => self.line_place(),
            _ => place,
        };
        Err(ReadError::NotFinite { value, place })
    }

    /// Reads a real number, finite or not.
    pub(super) fn real(&mut self, encoding: Encoding) -> Result<f64, ReadError> {
        const EXPECTED: &str = "a coordinate";
        Ok(match encoding {
            Encoding::Text => {
                let word = self.expect_word(EXPECTED)?;
                parse_real(word, EXPECTED, self.line_place())?
            }
            Encoding::LittleEndian => f64::from_le_bytes(self.array(EXPECTED)?),
            Encoding::BigEndian => f64::from_be_bytes(self.array(EXPECTED)?),
        })
    }
}

/// Iterates over the words of a line.
pub(super) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
}

pub(super) fn parse_int(
    word: &[u8],
    expected: &'static str,
    place: Place,
) -> Result<i64, ReadError> {
    std::str::from_utf8(word)
        .ok()
        .and_then(|text| text.parse().ok())
        .ok_or_else(|| ReadError::unexpected(expected, word, place))
}

/// Parses a real number; the exponent letter D of Fortran programs is accepted.
pub(super) fn parse_real(
    word: &[u8],
    expected: &'static str,
    place: Place,
) -> Result<f64, ReadError> {
    let text = std::str::from_utf8(word).ok();
    let value = text.and_then(|text| {
        text.parse().ok().or_else(|| {
            let fortran = text.contains(['d', 'D']);
            fortran.then(|| text.replace(['d', 'D'], "e").parse().ok())?
        })
    });
    value.ok_or_else(|| ReadError::unexpected(expected, word, place))
}

/// Parses a coordinate, which must be finite.
pub(super) fn parse_coordinate(word: Option<&[u8]>, place: Place) -> Result<f64, ReadError> {
    let word = word.unwrap_or_default();
    let value = parse_real(word, "a coordinate", place)?;
    if value.is_finite() {
        Ok(value)
    } else {
        Err(ReadError::NotFinite { value, place })
    }
}
