//! How the kernels see a matrix: each column in groups of eight rows, the real parts of a group in one line
//! and the imaginary parts in the next. So a complex product is four (or three) real ones without a shuffle.
//!
//! A column of G groups takes 2G lines, exactly the memory of its complex numbers, so a matrix is turned
//! from the one form into the other in place. Rows beyond the matrix in the last group are zero.

use num_complex::Complex64;

use super::kernels::prefetch::prefetch;

/// Eight doubles in a cache line.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub(crate) struct Line(pub(crate) [f64; LANES]);

/// Numbers in a line, rows of a group, columns of a packed panel.
pub(crate) const LANES: usize = 8;

impl Line {
    pub(crate) const ZERO: Line = Line([0.0; LANES]);
}

/// The element in a row of a column.
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

/// Exchanges the rows `first + i` and `swaps[i]` of all columns, i = 0, 1, … in turn.
pub(crate) fn swap_rows(columns: &mut [Line], stride: usize, first: usize, swaps: &[usize]) {
    let mut rest = columns;
    while let Some((column, after)) = rest.split_at_mut_checked(stride) {
        // Rows are exchanged with rows anywhere, so the processor does not see which lines come next.
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

/// Undoes [`swap_rows`] in one column.
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

/// Turns complex numbers, real and imaginary parts in turn, into real and imaginary lines.
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

/// Undoes [`separate`].
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
