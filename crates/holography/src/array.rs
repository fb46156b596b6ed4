//! Regular arrays of microphones, and the packing of PDM bits by tiles.
//!
//! Viewed from behind, the side away from the sources, x points to the right with the columns and y upward against the
//! rows; z points from the sources to the array and thus to the observer: a right-handed frame. Channel c of an array
//! with C columns is in row c / C and column c mod C.

use crate::error::{Error, positive};

/// A regular grid of microphones, centered on the z axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MicrophoneArray {
    /// Rows of microphones.
    pub rows: usize,
    /// Columns of microphones.
    pub columns: usize,
    /// Distance between neighbors along either axis, m.
    pub pitch: f64,
}

/// Returns an array of 32 × 32 microphones with a pitch of 20 mm.
impl Default for MicrophoneArray {
    fn default() -> Self {
        Self {
            rows: 32,
            columns: 32,
            pitch: 0.02,
        }
    }
}

impl MicrophoneArray {
    /// Creates an array of at least one microphone.
    ///
    /// # Errors
    /// Returns [`Error::Nothing`] without microphones, and [`Error::NotPositive`] for an invalid pitch.
    pub fn new(rows: usize, columns: usize, pitch: f64) -> Result<Self, Error> {
        if rows == 0 || columns == 0 {
            return Err(Error::Nothing {
                what: "microphones of the array",
            });
        }
        positive("the pitch of the array", pitch)?;
        Ok(Self {
            rows,
            columns,
            pitch,
        })
    }

    /// Returns the number of microphones.
    pub fn channels(&self) -> usize {
        self.rows * self.columns
    }

    /// Returns the position of a channel's microphone in the plane of the array, m.
    pub fn position(&self, channel: usize) -> [f64; 2] {
        let (row, column) = (channel / self.columns, channel % self.columns);
        let from_center = |index: usize, count: usize| index as f64 - (count - 1) as f64 / 2.0;
        [
            from_center(column, self.columns) * self.pitch,
            -from_center(row, self.rows) * self.pitch,
        ]
    }
}

/// Microphones along the side of a tile.
const SIDE: usize = 8;

/// Microphones in a tile.
const TILE: usize = SIDE * SIDE;

/// Order in which the bits of one clock cycle are sent: by tiles of 8 × 8 microphones.
///
/// Tiles are named by a letter for their column, from the left, and a number for their row, from below: A0, A1, …, B0,
/// …; this is also the order in which they are sent. A tile sends its microphones row by row from the top left, in two
/// little-endian words of 32 bits: the least significant bit of the first is microphone 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packing {
    tile_rows: usize,
    tile_columns: usize,
}

impl Packing {
    /// Creates the packing of an array.
    ///
    /// # Errors
    /// Returns [`Error::NotTiled`] if the array cannot be divided into tiles.
    pub fn new(array: &MicrophoneArray) -> Result<Self, Error> {
        let (rows, columns) = (array.rows, array.columns);
        if !(Self::is_tiled(rows) && Self::is_tiled(columns)) {
            return Err(Error::NotTiled { rows, columns });
        }
        Ok(Self {
            tile_rows: rows / SIDE,
            tile_columns: columns / SIDE,
        })
    }

    /// Returns whether a side of `count` microphones can be divided into tiles.
    pub(crate) fn is_tiled(count: usize) -> bool {
        count > 0 && count.is_multiple_of(SIDE)
    }

    /// Returns the number of microphones.
    pub fn channels(&self) -> usize {
        self.tile_rows * self.tile_columns * TILE
    }

    /// Returns the number of 32-bit words in one clock cycle.
    pub fn words(&self) -> usize {
        self.channels() / 32
    }

    /// Returns the channel of a microphone in a tile; tiles are counted in the order in which they are sent.
    pub fn channel(&self, tile: usize, microphone: usize) -> usize {
        let (from_left, from_below) = (tile / self.tile_rows, tile % self.tile_rows);
        let row = (self.tile_rows - 1 - from_below) * SIDE + microphone / SIDE;
        let column = from_left * SIDE + microphone % SIDE;
        row * self.tile_columns * SIDE + column
    }

    /// Returns the channel of the bit at index `place` of a clock cycle.
    pub fn channel_at(&self, place: usize) -> usize {
        self.channel(place / TILE, place % TILE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn camera() -> Packing {
        Packing::new(&MicrophoneArray::default()).unwrap()
    }

    #[test]
    fn microphones_of_the_camera_have_their_channels() {
        // Tiles in the order A0 … A3, B0 … D3.
        let (a0, a3, d0) = (0, 3, 12);
        assert_eq!(camera().channel(a0, 0), 768);
        assert_eq!(camera().channel(a3, 0), 0);
        assert_eq!(camera().channel(d0, 63), 1023);
    }

    #[test]
    fn every_channel_is_sent_once() {
        for (rows, columns) in [(32, 32), (8, 24), (16, 8)] {
            let array = MicrophoneArray::new(rows, columns, 0.01).unwrap();
            let packing = Packing::new(&array).unwrap();
            let mut channels: Vec<usize> = (0..packing.channels())
                .map(|place| packing.channel_at(place))
                .collect();
            channels.sort_unstable();
            assert!(channels.iter().copied().eq(0..rows * columns));
        }
    }

    #[test]
    fn arrays_that_tiles_do_not_fill_are_refused() {
        let array = MicrophoneArray::new(12, 16, 0.02).unwrap();
        assert_eq!(
            Packing::new(&array),
            Err(Error::NotTiled {
                rows: 12,
                columns: 16
            })
        );
    }

    #[test]
    fn the_array_is_centered_and_seen_from_behind() {
        let array = MicrophoneArray::default();
        let [x, y] = array.position(0);
        assert!((x + 0.31).abs() < 1e-15 && (y - 0.31).abs() < 1e-15);
        let sums = (0..array.channels()).fold([0.0, 0.0], |sum, channel| {
            let [x, y] = array.position(channel);
            [sum[0] + x, sum[1] + y]
        });
        assert!(sums[0].abs() < 1e-12 && sums[1].abs() < 1e-12);
    }
}
