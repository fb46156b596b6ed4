//! Reader of RIFF/WAVE and RF64, its extension beyond 4 GB, which 1000 channels reach within half a minute. (Microsoft,
//! New Multimedia Data Types and Data Techniques, 1994; EBU Tech 3306.)
//!
//! Unknown chunks are skipped. An interrupted writer leaves a final data chunk of length 0 or 0xffffffff, which is
//! taken to extend to the end of the file.

use super::error::{FileError, within};
use super::{MAX_CHANNELS, RATES};
use crate::recording::Recording;

const PCM: u16 = 1;
const FLOAT: u16 = 3;
/// Format code of WAVE_FORMAT_EXTENSIBLE, whose true format code leads the subformat identifier.
const EXTENSIBLE: u16 = 0xfffe;

/// Placeholder of a 32-bit length that is stored elsewhere or was never written.
const UNKNOWN: u32 = u32::MAX;

/// Sample format.
struct Format {
    kind: u16,
    channels: usize,
    rate: u32,
    bits: u16,
}

pub(super) fn is_wav(bytes: &[u8]) -> bool {
    matches!(bytes.get(..4), Some(b"RIFF" | b"RF64")) && bytes.get(8..12) == Some(b"WAVE")
}

/// Reads at most `frames` samples per channel from a WAV file, relative to full scale.
///
/// # Errors
/// Returns an error if the file is invalid or unsupported.
pub fn read_wav(bytes: &[u8], frames: usize) -> Result<Recording, FileError> {
    if !is_wav(bytes) {
        return Err(FileError::Missing {
            what: "header `RIFF … WAVE`",
        });
    }
    let (mut format, mut long_data) = (None, None);
    let mut at = 12;
    while let Some(head) = bytes.get(at..at + 8) {
        let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]);
        let rest = &bytes[at + 8..];
        match &head[..4] {
            b"ds64" => {
                let body = part("the chunk of 64-bit lengths", bytes, rest, 16)?;
                long_data = Some(u64::from_le_bytes([
                    body[8], body[9], body[10], body[11], body[12], body[13], body[14], body[15],
                ]));
            }
            b"fmt " => {
                let body = part("the format chunk", bytes, rest, length.into())?;
                format = Some(Format::read(body)?);
            }
            b"data" => {
                let format = format.ok_or(FileError::Missing {
                    what: "format chunk before the data chunk",
                })?;
                let length = match (length, long_data) {
                    (UNKNOWN, Some(long)) => long,
                    (0 | UNKNOWN, _) => rest.len() as u64,
                    (length, _) => length.into(),
                };
                let data = part("the data chunk", bytes, rest, length)?;
                return format.samples(data, frames);
            }
            _ => {}
        }
        // Chunks are aligned to 2 bytes.
        at += 8 + length as usize + (length % 2) as usize;
    }
    Err(FileError::Missing { what: "samples" })
}

/// Returns the first `length` bytes of the remaining file.
fn part<'a>(
    what: &'static str,
    bytes: &[u8],
    rest: &'a [u8],
    length: u64,
) -> Result<&'a [u8], FileError> {
    let end = usize::try_from(length).ok();
    end.and_then(|end| rest.get(..end))
        .ok_or(FileError::Truncated {
            what,
            needed: length.saturating_add((bytes.len() - rest.len()) as u64),
            found: bytes.len() as u64,
        })
}

impl Format {
    fn read(body: &[u8]) -> Result<Self, FileError> {
        let short = |at: usize| {
            let missing = FileError::Missing {
                what: "complete format chunk",
            };
            let bytes = body.get(at..at + 2).ok_or(missing)?;
            Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
        };
        let kind = match short(0)? {
            EXTENSIBLE => short(24)?,
            kind => kind,
        };
        let (channels, bits) = (short(2)?, short(14)?);
        let rate = u32::from(short(4)?) | u32::from(short(6)?) << 16;
        within(
            "the number of channels",
            channels.into(),
            1.0,
            MAX_CHANNELS as f64,
        )?;
        within("the sampling rate", rate.into(), RATES[0], RATES[1])?;
        let block = short(12)?;
        if u32::from(block) != u32::from(channels) * u32::from(bits) / 8 {
            // Block sizes above 65,535 bytes do not fit the field, whose value is then meaningless.
            let fits = u32::from(channels) * u32::from(bits) / 8 <= u32::from(u16::MAX);
            if fits {
                return Err(FileError::Contradiction {
                    what: format!(
                        "the block size is {block} bytes, which contradicts {channels} channels of {bits} \
                         bits do not"
                    ),
                });
            }
        }
        match (kind, bits) {
            (PCM, 16 | 24 | 32) | (FLOAT, 32 | 64) => Ok(Self {
                kind,
                channels: channels.into(),
                rate,
                bits,
            }),
            (format, bits) => Err(FileError::Samples { format, bits }),
        }
    }

    fn samples(&self, data: &[u8], frames: usize) -> Result<Recording, FileError> {
        let width = usize::from(self.bits) / 8;
        let block = width * self.channels;
        let whole = data.len() / block;
        let data = &data[..whole.min(frames) * block];
        let samples = data.chunks_exact(width).map(|b| match (self.kind, width) {
            (PCM, 2) => f32::from(i16::from_le_bytes([b[0], b[1]])) / 32_768.0,
            // Three bytes above a zero byte are scaled by 2⁸.
            (PCM, 3) => i32::from_le_bytes([0, b[0], b[1], b[2]]) as f32 / 2_147_483_648.0,
            (PCM, _) => i32::from_le_bytes([b[0], b[1], b[2], b[3]]) as f32 / 2_147_483_648.0,
            (_, 4) => f32::from_le_bytes([b[0], b[1], b[2], b[3]]),
            _ => f64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]]) as f32,
        });
        Ok(Recording::new(
            self.rate.into(),
            self.channels,
            samples.collect(),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Builds a file of one format chunk and one data chunk.
    fn file(format: &[u8], data: &[u8], length: u32) -> Vec<u8> {
        let mut bytes = b"RIFF\0\0\0\0WAVE".to_vec();
        bytes.extend(b"LIST\x03\0\0\0abc\0fmt ");
        bytes.extend((format.len() as u32).to_le_bytes());
        bytes.extend(format);
        bytes.extend(b"data");
        bytes.extend(length.to_le_bytes());
        bytes.extend(data);
        bytes
    }

    fn format(kind: u16, channels: u16, bits: u16) -> Vec<u8> {
        let block = channels.wrapping_mul(bits / 8);
        let mut bytes = Vec::new();
        for field in [kind, channels, 0xbb80, 0, 0, 0, block, bits] {
            bytes.extend(field.to_le_bytes());
        }
        bytes
    }

    #[test]
    fn samples_of_every_width_have_their_values() {
        let cases: [(u16, u16, &[u8]); 5] = [
            (PCM, 16, &[0x00, 0x40, 0x00, 0x80]),
            (PCM, 24, &[0, 0, 0x40, 0, 0, 0x80]),
            (PCM, 32, &[0, 0, 0, 0x40, 0, 0, 0, 0x80]),
            (FLOAT, 32, &[0, 0, 0, 0x3f, 0, 0, 0x80, 0xbf]),
            (
                FLOAT,
                64,
                &[0, 0, 0, 0, 0, 0, 0xe0, 0x3f, 0, 0, 0, 0, 0, 0, 0xf0, 0xbf],
            ),
        ];
        for (kind, bits, data) in cases {
            let bytes = file(&format(kind, 2, bits), data, data.len() as u32);
            let recording = read_wav(&bytes, 10).unwrap();
            assert_eq!(recording.samples(), [0.5, -1.0], "{kind} {bits}");
            assert_eq!(recording.sample_rate(), 48_000.0);
            assert_eq!((recording.channels(), recording.frames()), (2, 1));
        }
    }

    #[test]
    fn lengths_that_were_never_written_reach_to_the_end() {
        let data = [0, 0x40, 0, 0x80, 0, 0x40, 0, 0x80, 0];
        for length in [0, UNKNOWN] {
            let bytes = file(&format(PCM, 2, 16), &data, length);
            assert_eq!(read_wav(&bytes, 10).unwrap().frames(), 2);
            assert_eq!(read_wav(&bytes, 1).unwrap().frames(), 1);
        }
    }

    #[test]
    fn lengths_of_64_bits_are_read() {
        let mut bytes = b"RF64\xff\xff\xff\xffWAVEds64\x1c\0\0\0".to_vec();
        for length in [0_u64, 4, 1] {
            bytes.extend(length.to_le_bytes());
        }
        bytes.extend([0; 4]);
        bytes.extend(b"fmt \x10\0\0\0");
        bytes.extend(format(PCM, 2, 16));
        bytes.extend(b"data\xff\xff\xff\xff");
        bytes.extend([0, 0x40, 0, 0x80, 7, 7, 7, 7]);
        assert_eq!(read_wav(&bytes, 10).unwrap().samples(), [0.5, -1.0]);
    }

    #[test]
    fn what_is_no_recording_is_refused() {
        let good = format(PCM, 2, 16);
        assert!(read_wav(b"RIFF", 1).is_err());
        assert!(matches!(
            read_wav(&file(&good, &[0; 4], 5), 1),
            Err(FileError::Truncated { .. })
        ));
        assert!(matches!(
            read_wav(&file(&good[..14], &[0; 4], 4), 1),
            Err(FileError::Missing { .. })
        ));
        for bad in [format(PCM, 2, 8), format(FLOAT, 2, 16), format(85, 2, 16)] {
            assert!(matches!(
                read_wav(&file(&bad, &[0; 4], 4), 1),
                Err(FileError::Samples { .. })
            ));
        }
        assert!(matches!(
            read_wav(&file(&format(PCM, 0, 16), &[], 0), 1),
            Err(FileError::Number { .. })
        ));
        let mut contradicting = good.clone();
        contradicting[12] = 7;
        assert!(matches!(
            read_wav(&file(&contradicting, &[0; 4], 4), 1),
            Err(FileError::Contradiction { .. })
        ));
        let whole = file(&good, &[0; 4], 4);
        for end in 0..whole.len() {
            assert!(read_wav(&whole[..end], 1).is_err() || end + 4 >= whole.len());
        }
    }
}
