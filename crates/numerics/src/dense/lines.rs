//! Storage format of the kernels: each column in groups of eight rows, the real parts of a group in one line
//! and the imaginary parts in the next, so that a complex product is four (or three) real ones without
//! shuffles.
//!
//! A column of G groups takes 2G lines, exactly the memory of its complex numbers, so the conversion is in
//! place. The last group is padded with zeros.

use num_complex::Complex64;

use super::kernels::prefetch::prefetch;

/// Eight doubles in a cache line.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub(crate) struct Line(pub(crate) [f64; LANES]);

/// Numbers per line, rows per group, and columns per packed panel.
pub(crate) const LANES: usize = 8;

impl Line {
    pub(crate) const ZERO: Line = Line([0.0; LANES]);
}

/// Returns the element in a row of a column.
#[inline(always)]
pub(crate) fn element(column: &[Line], row: usize) -> Complex64 {
    let (group, lane) = (row / LANES, row % LANES);
    Complex64::new(column[2 * group].0[lane], column[2 * group + 1].0[lane])
}

/// Sets the element in a row of a column.
#[inline(always)]
pub(crate) fn set_element(column: &mut [Line], row: usize, value: Complex64) {
    let (group, lane) = (row / LANES, row % LANES);
    column[2 * group].0[lane] = value.re;
    column[2 * group + 1].0[lane] = value.im;
}

/// Interchanges rows `first + i` and `swaps[i]` of all columns, for i = 0, 1, … in order.
pub(crate) fn swap_rows(columns: &mut [Line], stride: usize, first: usize, swaps: &[usize]) {
    let mut rest = columns;
    while let Some((column, after)) = rest.split_at_mut_checked(stride) {
        // Interchanged rows are at arbitrary distances, which the hardware prefetcher does not predict.
        if let Some(next) = after.get(..stride) {
            for &row in swaps {
                prefetch(&next[2 * (row / LANES)]);
                prefetch(&next[2 * (row / LANES) + 1]);
            }
        }
        for (row, &other) in (first..).zip(swaps) {
            exchange(column, row, other);
        }
        rest = after;
    }
}

/// Reverts [`swap_rows`] in one column.
pub(crate) fn swap_rows_back(column: &mut [Line], first: usize, swaps: &[usize]) {
    for (i, &other) in swaps.iter().enumerate().rev() {
        exchange(column, first + i, other);
    }
}

#[inline(always)]
fn exchange(column: &mut [Line], row: usize, other: usize) {
    if row != other {
        let value = element(column, row);
        let moved = element(column, other);
        set_element(column, row, moved);
        set_element(column, other, value);
    }
}

/// Converts interleaved complex numbers to separate real and imaginary lines, in place.
pub(crate) fn separate(lines: &mut [Line]) {
    for pair in lines.as_chunks_mut::<2>().0 {
        let [first, second] = *pair;
        for lane in 0..LANES / 2 {
            pair[0].0[lane] = first.0[2 * lane];
            pair[0].0[lane + LANES / 2] = second.0[2 * lane];
            pair[1].0[lane] = first.0[2 * lane + 1];
            pair[1].0[lane + LANES / 2] = second.0[2 * lane + 1];
        }
    }
}

/// Reverts [`separate`].
pub(crate) fn interleave(lines: &mut [Line]) {
    for pair in lines.as_chunks_mut::<2>().0 {
        let [real, imaginary] = *pair;
        for lane in 0..LANES / 2 {
            pair[0].0[2 * lane] = real.0[lane];
            pair[0].0[2 * lane + 1] = imaginary.0[lane];
            pair[1].0[2 * lane] = real.0[lane + LANES / 2];
            pair[1].0[2 * lane + 1] = imaginary.0[lane + LANES / 2];
        }
    }
}
