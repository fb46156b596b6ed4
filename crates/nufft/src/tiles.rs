//! Tiles of the fine grid, by which points are sorted.

use crate::axis::Axis;
use crate::kernel::WIDEST;
use crate::kernels::order::Order;

/// A point in grid coordinates of D axes, as fixed-point numbers, shifted so that the integer part is the first grid point
/// its window touches.
pub(crate) type Place<const D: usize> = [u64; D];

/// Partition of the fine grid into tiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tiles<const D: usize> {
    /// Lengths of the fine grid.
    pub(crate) lengths: [usize; D],
    pub(crate) axes: [Axis; D],
    /// Width of the window in grid points.
    pub(crate) width: usize,
    /// Grid points per tile as a power of two, axis by axis.
    shifts: [u32; D],
    pub(crate) counts: [usize; D],
}

impl<const D: usize> Tiles<D> {
    pub(crate) fn new(lengths: [usize; D], width: usize) -> Self {
        // A tile with the halo of the window should fit the L1 cache.
        let shifts: [u32; D] = match D {
            1 => {
                // At most some thousand tiles: each is a write stream of the sort.
                let mut shift = 8;
                while lengths[0] >> shift > 4096 {
                    shift += 1;
                }
                [shift; D]
            }
            2 => std::array::from_fn(|axis| [4, 6][axis]),
            _ => [3; D],
        };
        debug_assert!(width <= WIDEST);
        Tiles {
            lengths,
            axes: lengths.map(|length| Axis::new(length, width)),
            width,
            shifts,
            counts: std::array::from_fn(|axis| ((lengths[axis] - 1) >> shifts[axis]) + 1),
        }
    }

    /// Returns the number of tiles.
    pub(crate) fn count(&self) -> usize {
        self.counts.iter().product()
    }

    /// Returns the rows of tiles per strip: at least as high as the window extends beyond the strip.
    pub(crate) fn rows_per_strip(&self) -> usize {
        (self.width - 1).div_ceil(1 << self.shifts[0])
    }

    /// Returns the grid points along the first axis that a strip covers.
    pub(crate) fn strip_height(&self) -> usize {
        self.rows_per_strip() << self.shifts[0]
    }

    /// Returns the number of strips.
    pub(crate) fn strips(&self) -> usize {
        self.counts[0].div_ceil(self.rows_per_strip())
    }

    /// Returns the tile of a grid point.
    #[inline(always)]
    pub(crate) fn tile(&self, places: [i32; D]) -> u32 {
        let mut tile = 0;
        for axis in 0..D {
            tile = tile * self.counts[axis] as u32 + (places[axis] as u32 >> self.shifts[axis]);
        }
        tile
    }
}

/// Arrays of an earlier sort, for reuse.
#[derive(Debug, Default)]
pub(crate) struct Room<const D: usize> {
    pub(crate) places: Vec<Place<D>>,
    pub(crate) order: Order,
}
