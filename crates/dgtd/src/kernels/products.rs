//! Products of packed matrices with rows of SIMD vectors.

use super::Number;
use super::lanes::Lanes;
use super::memory::prefetch;
use super::operators::Tile;
use super::triple::{load, put_row};

/// Multiplies a tile with rows of the input.
///
/// The entries of the tile are stored column by column. `input` has a row of three SIMD vectors for each column; rows
/// are `row` numbers apart, the vectors of a row `vector` numbers. Cache lines from `soon` on are prefetched.
///
/// # Safety
/// The CPU supports the instruction set of `L`, and all buffers have the sizes that the tile implies.
#[inline(always)]
pub(super) unsafe fn product<L: Lanes>(
    tile: &Tile,
    entries: *const L::Real,
    input: *const L::Real,
    [row, vector]: [usize; 2],
    output: *mut L::Real,
    soon: *const u8,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let strides = [row, vector];
        match tile.rows {
            1 => rows::<L, 1>(entries, input, strides, tile.depth, output, soon),
            2 => rows::<L, 2>(entries, input, strides, tile.depth, output, soon),
            3 => rows::<L, 3>(entries, input, strides, tile.depth, output, soon),
            4 => rows::<L, 4>(entries, input, strides, tile.depth, output, soon),
            5 => rows::<L, 5>(entries, input, strides, tile.depth, output, soon),
            6 => rows::<L, 6>(entries, input, strides, tile.depth, output, soon),
            7 => rows::<L, 7>(entries, input, strides, tile.depth, output, soon),
            8 => rows::<L, 8>(entries, input, strides, tile.depth, output, soon),
            _ => rows::<L, 9>(entries, input, strides, tile.depth, output, soon),
        }
    }
}

/// # Safety
/// As for [`product`].
#[inline(always)]
unsafe fn rows<L: Lanes, const R: usize>(
    mut entries: *const L::Real,
    mut input: *const L::Real,
    [row, vector]: [usize; 2],
    depth: usize,
    output: *mut L::Real,
    mut soon: *const u8,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let mut sums = [[L::splat(L::Real::ZERO); 3]; R];
        for _ in 0..depth {
            let values = load::<L>(input, vector);
            for r in 0..R {
                let entry = L::splat(*entries.add(r));
                for c in 0..3 {
                    sums[r][c] = sums[r][c].plus(entry, values[c]);
                }
            }
            prefetch(soon);
            soon = soon.wrapping_add(64);
            entries = entries.add(R);
            input = input.add(row);
        }
        for r in 0..R {
            put_row(sums[r], output, r);
        }
    }
}
