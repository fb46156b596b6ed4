//! Memory layout of the fine grid: every axis is extended beyond its period by a halo of the width of
//! the window, so that windows need no wrap-around; the row stride avoids cache set conflicts.

use std::ops::Range;

use num_complex::Complex;

use crate::precision::Precision;

/// Size of a cache line in bytes.
pub(crate) const LINE: usize = 64;
/// Distance in bytes of addresses that map to the same set of the L1 cache.
const WAY: usize = 4096;

/// Lengths and strides of a grid, extended to three axes by leading axes of length one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Layout {
    /// Periods.
    pub(crate) lengths: [usize; 3],
    /// Halo: grid points beyond the period.
    pub(crate) halo: [usize; 3],
    /// Elements between adjacent rows, and between adjacent planes.
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
        // Whole vectors are read along a row: up to seven elements more.
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

    /// Returns the number of elements.
    pub(crate) fn elements(&self) -> usize {
        (self.lengths[0] + self.halo[0]) * self.plane
    }

    /// Returns the strides of the axes of the transform.
    pub(crate) fn strides<const D: usize>(&self) -> [usize; D] {
        let all = [self.plane, self.row, 1];
        std::array::from_fn(|axis| all[axis + 3 - D])
    }

    /// Returns the index range of a plane.
    pub(crate) fn plane_at(&self, plane: usize) -> Range<usize> {
        plane * self.plane..(plane + 1) * self.plane
    }

    /// Returns the index range of a row of the first plane.
    pub(crate) fn row_at(&self, row: usize) -> Range<usize> {
        row * self.row..(row + 1) * self.row
    }

    /// Adds the halo of the first two axes to the period; that of the last axis remains for the
    /// kernels that read rows.
    pub(crate) fn gather_halo<R: Precision>(&self, grid: &mut [Complex<R>]) {
        let (planes, beyond) = grid.split_at_mut(self.lengths[0] * self.plane);
        add(&mut planes[..beyond.len()], beyond);
        for plane in planes.chunks_exact_mut(self.plane) {
            self.gather_rows(plane);
        }
    }

    /// Adds the rows of a plane beyond its period to those inside.
    pub(crate) fn gather_rows<R: Precision>(&self, plane: &mut [Complex<R>]) {
        let (rows, beyond) = plane.split_at_mut(self.lengths[1] * self.row);
        add(&mut rows[..beyond.len()], beyond);
    }

    /// Copies the start of the first two axes to their halos, the transpose of
    /// [`Layout::gather_halo`].
    pub(crate) fn repeat_halo<R: Precision>(&self, grid: &mut [Complex<R>]) {
        let (planes, beyond) = grid.split_at_mut(self.lengths[0] * self.plane);
        for plane in planes.chunks_exact_mut(self.plane) {
            self.repeat_rows(plane);
        }
        beyond.copy_from_slice(&planes[..beyond.len()]);
    }

    /// Copies the first rows of a plane to its halo.
    pub(crate) fn repeat_rows<R: Precision>(&self, plane: &mut [Complex<R>]) {
        let (rows, beyond) = plane.split_at_mut(self.lengths[1] * self.row);
        beyond.copy_from_slice(&rows[..beyond.len()]);
    }

    /// Adds the halo of a row to its start.
    pub(crate) fn gather_row<R: Precision>(&self, row: &mut [Complex<R>]) {
        let (body, beyond) = row.split_at_mut(self.lengths[2]);
        add(&mut body[..self.halo[2]], &beyond[..self.halo[2]]);
    }

    /// Copies the start of a row to its halo.
    pub(crate) fn repeat_row<R: Precision>(&self, row: &mut [Complex<R>]) {
        let (body, beyond) = row.split_at_mut(self.lengths[2]);
        beyond[..self.halo[2]].copy_from_slice(&body[..self.halo[2]]);
    }
}

/// Adds an array to another.
pub(crate) fn add<R: Precision>(to: &mut [Complex<R>], from: &[Complex<R>]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = *to + *from;
    }
}
