//! The bits of all microphones, clock by clock, as an array sends them.

use crate::array::Packing;
use crate::error::{Error, long_as};

/// Bits of all microphones over a number of clocks, in the order of a [`Packing`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bitstream {
    packing: Packing,
    words: Vec<u32>,
}

impl Bitstream {
    /// A stream from its words, clock after clock.
    ///
    /// # Errors
    /// [`Error::Length`] when the last clock is not complete.
    pub fn new(packing: Packing, words: Vec<u32>) -> Result<Self, Error> {
        let whole = words.len() / packing.words() * packing.words();
        long_as("a stream of whole clocks", whole, words.len())?;
        Ok(Self { packing, words })
    }

    /// A stream from bytes as they are sent: little-endian words.
    ///
    /// # Errors
    /// [`Error::Length`] when the last clock is not complete.
    pub fn from_bytes(packing: Packing, bytes: &[u8]) -> Result<Self, Error> {
        let clock = 4 * packing.words();
        long_as(
            "a stream of whole clocks",
            bytes.len() / clock * clock,
            bytes.len(),
        )?;
        let words = bytes
            .chunks_exact(4)
            .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect();
        Self::new(packing, words)
    }

    /// The stream as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.words
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect()
    }

    /// The order of the bits.
    pub fn packing(&self) -> Packing {
        self.packing
    }

    /// Number of clocks.
    pub fn clocks(&self) -> usize {
        self.words.len() / self.packing.words()
    }

    /// The words, clock after clock.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// The words of some clocks.
    ///
    /// # Errors
    /// [`Error::Length`] when the stream ends before.
    pub fn clocks_from(&self, first: usize, count: usize) -> Result<&[u32], Error> {
        let per_clock = self.packing.words();
        self.words
            .get(first * per_clock..(first + count) * per_clock)
            .ok_or(Error::Length {
                what: "a stream",
                expected: first + count,
                found: self.clocks(),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::MicrophoneArray;

    #[test]
    fn the_least_significant_bit_of_a_tile_is_its_first_microphone() {
        let packing = Packing::new(&MicrophoneArray::new(8, 16, 0.02).unwrap()).unwrap();
        // Two tiles of two words each; microphone 33 of tile B0 alone is set.
        let mut bytes = vec![0; 16];
        bytes[12] = 0b10;
        let stream = Bitstream::from_bytes(packing, &bytes).unwrap();
        assert_eq!(stream.words(), [0, 0, 0, 2]);
        assert_eq!(stream.to_bytes(), bytes);
        let place = 3 * 32 + 1;
        assert_eq!(packing.channel_at(place), packing.channel(1, 33));
        assert_eq!(packing.channel(1, 33), 4 * 16 + 8 + 1);
    }

    #[test]
    fn a_stream_that_ends_within_a_clock_is_refused() {
        let packing = Packing::new(&MicrophoneArray::new(8, 8, 0.02).unwrap()).unwrap();
        assert!(Bitstream::new(packing, vec![0; 3]).is_err());
        assert!(Bitstream::from_bytes(packing, &[0; 12]).is_err());
        let stream = Bitstream::new(packing, vec![0; 4]).unwrap();
        assert!(stream.clocks_from(1, 2).is_err());
    }
}
