//! PDM bitstreams of all microphones, clock cycle by clock cycle.

use crate::array::Packing;
use crate::error::{Error, long_as};

/// PDM bits of all microphones over a number of clock cycles, in the order of a [`Packing`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bitstream {
    packing: Packing,
    words: Vec<u32>,
}

impl Bitstream {
    /// Creates a bitstream from its words, one clock cycle after another.
    ///
    /// # Errors
    /// Returns [`Error::Length`] if the last clock cycle is incomplete.
    pub fn new(packing: Packing, words: Vec<u32>) -> Result<Self, Error> {
        let whole = words.len() / packing.words() * packing.words();
        long_as("a bitstream of whole clock cycles", whole, words.len())?;
        Ok(Self { packing, words })
    }

    /// Creates a bitstream from bytes: little-endian words.
    ///
    /// # Errors
    /// Returns [`Error::Length`] if the last clock cycle is incomplete.
    pub fn from_bytes(packing: Packing, bytes: &[u8]) -> Result<Self, Error> {
        let clock = 4 * packing.words();
        long_as(
            "a bitstream of whole clock cycles",
            bytes.len() / clock * clock,
            bytes.len(),
        )?;
        let words = bytes
            .chunks_exact(4)
            .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect();
        Self::new(packing, words)
    }

    /// Returns the bitstream as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.words
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect()
    }

    /// Returns the order of the bits.
    pub fn packing(&self) -> Packing {
        self.packing
    }

    /// Returns the number of clock cycles.
    pub fn clocks(&self) -> usize {
        self.words.len() / self.packing.words()
    }

    /// Returns the words, one clock cycle after another.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// Returns the words of `count` clock cycles from `first` on.
    ///
    /// # Errors
    /// Returns [`Error::Length`] if the bitstream ends earlier.
    pub fn clocks_from(&self, first: usize, count: usize) -> Result<&[u32], Error> {
        let per_clock = self.packing.words();
        self.words
            .get(first * per_clock..(first + count) * per_clock)
            .ok_or(Error::Length {
                what: "the bitstream",
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
        // Two tiles of two words each; only microphone 33 of tile B0 is set.
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
