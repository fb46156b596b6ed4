//! The fine grid in memory: every axis longer than its period by the window's width, so that a
//! window never has to look where the grid ends; rows placed so that neighbours do not fight for
//! the same cache lines.

use std::ops::Range;

use num_complex::Complex;

use crate::precision::Precision;

/// Bytes of a cache line.
pub(crate) const LINE: usize = 64;
/// Distance in bytes at which addresses share their place in the nearest cache.
const WAY: usize = 4096;

/// Lengths and distances of a grid, as if it had three axes: missing ones come first, of length one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Layout {
    /// Periods.
    pub(crate) lengths: [usize; 3],
    /// Grid points beyond the period.
    pub(crate) halo: [usize; 3],
    /// Elements from a row to the next, and from a plane to the next.
    pub(crate) row: usize,
    pub(crate) plane: usize,
}

impl Layout {
    pub(crate) fn new<R: Precision>(grid: &[usize], width: usize) -> Layout {
        let missing = 3 - grid.len();
        let axis = |axis: usize, absent: usize, present: usize| {
            if axis < missing { absent } else { present }
        };
        let lengths = std::array::from_fn(|a| axis(a, 1, grid[a.max(missing) - missing]));
        // Along a row whole vectors are read: up to seven elements more.
        let halo = std::array::from_fn(|a| axis(a, 0, if a == 2 { width + 8 } else { width }));
        let element = size_of::<Complex<R>>();
        let apart = |elements: usize| {
            let lines = (elements * element).div_ceil(LINE);
            let clash = |lines: usize| {
                let rest = lines * LINE % (WAY / 2);
                rest.min(WAY / 2 - rest) < 4 * LINE
            };
            (lines..).find(|&l| !clash(l)).unwrap_or(lines) * LINE / element
        };
        let row = lengths[2] + halo[2];
        let row = if grid.len() > 1 { apart(row) } else { row };
        let plane = (lengths[1] + halo[1]) * row;
        Layout {
            lengths,
            halo,
            row,
            plane,
        }
    }

    /// Number of elements.
    pub(crate) fn elements(&self) -> usize {
        (self.lengths[0] + self.halo[0]) * self.plane
    }

    /// Distances along the axes that are there.
    pub(crate) fn strides<const D: usize>(&self) -> [usize; D] {
        let all = [self.plane, self.row, 1];
        std::array::from_fn(|axis| all[axis + 3 - D])
    }

    /// Where a plane lies.
    pub(crate) fn plane_at(&self, plane: usize) -> Range<usize> {
        plane * self.plane..(plane + 1) * self.plane
    }

    /// Where a row of the first plane lies.
    pub(crate) fn row_at(&self, row: usize) -> Range<usize> {
        row * self.row..(row + 1) * self.row
    }

    /// Adds what lies beyond the periods of the first two axes to where it belongs; the last axis is
    /// left to whoever reads the rows.
    pub(crate) fn gather_halo<R: Precision>(&self, grid: &mut [Complex<R>]) {
        let (planes, beyond) = grid.split_at_mut(self.lengths[0] * self.plane);
        add(&mut planes[..beyond.len()], beyond);
        for plane in planes.chunks_exact_mut(self.plane) {
            self.gather_rows(plane);
        }
    }

    /// Adds the rows of a plane beyond its period to where they belong.
    pub(crate) fn gather_rows<R: Precision>(&self, plane: &mut [Complex<R>]) {
        let (rows, beyond) = plane.split_at_mut(self.lengths[1] * self.row);
        add(&mut rows[..beyond.len()], beyond);
    }

    /// The transpose of [`Layout::gather_halo`]: repeats what lies at the start of the first two axes
    /// beyond their periods.
    pub(crate) fn repeat_halo<R: Precision>(&self, grid: &mut [Complex<R>]) {
        let (planes, beyond) = grid.split_at_mut(self.lengths[0] * self.plane);
        for plane in planes.chunks_exact_mut(self.plane) {
            self.repeat_rows(plane);
        }
        beyond.copy_from_slice(&planes[..beyond.len()]);
    }

    /// Repeats the first rows of a plane beyond its period.
    pub(crate) fn repeat_rows<R: Precision>(&self, plane: &mut [Complex<R>]) {
        let (rows, beyond) = plane.split_at_mut(self.lengths[1] * self.row);
        beyond.copy_from_slice(&rows[..beyond.len()]);
    }

    /// Adds the end of a row to its start.
    pub(crate) fn gather_row<R: Precision>(&self, row: &mut [Complex<R>]) {
        let (body, beyond) = row.split_at_mut(self.lengths[2]);
        add(&mut body[..self.halo[2]], &beyond[..self.halo[2]]);
    }

    /// Repeats the start of a row at its end.
    pub(crate) fn repeat_row<R: Precision>(&self, row: &mut [Complex<R>]) {
        let (body, beyond) = row.split_at_mut(self.lengths[2]);
        beyond[..self.halo[2]].copy_from_slice(&body[..self.halo[2]]);
    }
}

/// Adds one array to another.
pub(crate) fn add<R: Precision>(to: &mut [Complex<R>], from: &[Complex<R>]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = *to + *from;
    }
}
