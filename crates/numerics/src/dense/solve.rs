//! Solutions of A·x = b and Aᴴ·x = b from the LU factors.
//!
//! A = P₀ᵀL₀ P₁ᵀL₁ … U with the interchanges P and the block columns L of [`Lu`]. A solution applies
//! interchanges and forward elimination block column by block column, then substitutes backward through U.

use num_complex::Complex64;
use rayon::prelude::*;

use super::{
    kernels::{
        column::{Dot, SubtractColumns},
        memory,
        substitute::{Triangle, reciprocal},
    },
    lines::{LANES, Line, element, interleave, separate, set_element, swap_rows, swap_rows_back},
    lu::{Lu, STRIP},
    pack::{PackedColumns, PackedRows, PackedTriangle, Rooms},
};

/// Lines of a column per task with one right-hand side: a quarter of an L1 cache.
const CHUNK: usize = 128;

impl Lu {
    /// Returns the number of unknowns.
    #[must_use]
    pub fn order(&self) -> usize {
        self.order
    }

    /// Overwrites right-hand sides, stored column by column, with the solutions of A·x = b.
    ///
    /// # Panics
    /// Panics if the length is not a multiple of the order.
    pub fn solve_in_place(&self, right: &mut [Complex64]) {
        let mut x = self.load(right);
        match x.len() / self.stride {
            0 => {}
            1 => self.solve_one(&mut x),
            _ => self.solve_many(&mut x),
        }
        self.unload(x, right);
    }

    /// Overwrites right-hand sides, stored column by column, with the solutions of Aᴴ·x = b, one at a time.
    ///
    /// # Panics
    /// Panics if the length is not a multiple of the order.
    pub fn solve_adjoint_in_place(&self, right: &mut [Complex64]) {
        let mut x = self.load(right);
        for column in x.chunks_exact_mut(self.stride) {
            self.solve_adjoint_one(column);
        }
        self.unload(x, right);
    }

    /// Converts right-hand sides to lines.
    fn load(&self, right: &[Complex64]) -> Vec<Line> {
        if self.order == 0 {
            assert!(
                right.is_empty(),
                "a system of order 0 has no right-hand sides"
            );
            return Vec::new();
        }
        assert!(
            right.len().is_multiple_of(self.order),
            "the length {} of the right-hand sides is not a multiple of the order {}",
            right.len(),
            self.order
        );
        let mut lines = memory::zeros(right.len() / self.order * self.stride);
        lines
            .par_chunks_exact_mut(self.stride)
            .zip(right.par_chunks_exact(self.order))
            .for_each(|(to, from)| {
                bytemuck::cast_slice_mut(to)[..self.order].copy_from_slice(from);
                separate(to);
            });
        lines
    }

    /// Reverts [`Lu::load`].
    fn unload(&self, mut lines: Vec<Line>, right: &mut [Complex64]) {
        if self.order == 0 {
            return;
        }
        lines
            .par_chunks_exact_mut(self.stride)
            .zip(right.par_chunks_exact_mut(self.order))
            .for_each(|(from, to)| {
                interleave(from);
                to.copy_from_slice(&bytemuck::cast_slice(from)[..self.order]);
            });
    }

    /// Returns the first and last column of each block column.
    fn blocks(&self) -> impl DoubleEndedIterator<Item = (usize, usize)> {
        let (order, width) = (self.order, self.width);
        (0..order.div_ceil(width)).map(move |b| (b * width, order.min((b + 1) * width)))
    }

    /// Returns the lines of a range of columns.
    fn columns(&self, first: usize, last: usize) -> &[Line] {
        &self.lines[first * self.stride..last * self.stride]
    }

    /// Solves for many right-hand sides, in strips of columns.
    fn solve_many(&self, x: &mut [Line]) {
        let (stride, instructions) = (self.stride, self.instructions);
        // Each column is bitwise independent of its strip.
        let share = (x.len() / stride).div_ceil(rayon::current_num_threads());
        let strip = share.next_multiple_of(LANES).min(STRIP) * stride;
        let mut rows = PackedRows::empty();
        let rooms = Rooms::new();
        for (first, last) in self.blocks() {
            let a = self.columns(first, last);
            let (top, below) = (first / LANES, last.div_ceil(LANES));
            rows.refill(a, stride, below, self.order.div_ceil(LANES));
            let triangle = PackedTriangle::new(Triangle::UnitLower, a, stride, top);
            x.par_chunks_mut(strip).for_each(|x| {
                swap_rows(x, stride, first, &self.swaps[first..last]);
                rooms.lend(|packed| {
                    packed.solve(instructions, &triangle, x, stride);
                    rows.subtract_product(instructions, packed, x, stride);
                });
            });
        }
        for (first, last) in self.blocks().rev() {
            let a = self.columns(first, last);
            let top = first / LANES;
            rows.refill(a, stride, 0, top);
            let triangle = PackedTriangle::new(Triangle::Upper, a, stride, top);
            x.par_chunks_mut(strip).for_each(|x| {
                rooms.lend(|packed| {
                    packed.solve(instructions, &triangle, x, stride);
                    rows.subtract_product(instructions, packed, x, stride);
                });
            });
        }
    }

    /// Solves for one right-hand side, in chunks of rows.
    fn solve_one(&self, x: &mut [Line]) {
        let (stride, instructions) = (self.stride, self.instructions);
        let mut packed = PackedColumns::empty();
        let subtract = |a: &[Line], solved: &[Complex64], first: usize, rows: &mut [Line]| {
            rows.par_chunks_mut(CHUNK).enumerate().for_each(|(at, y)| {
                let job = SubtractColumns {
                    a,
                    stride,
                    first: first + at * CHUNK,
                    x: solved,
                    y,
                };
                instructions.run(job);
            });
        };
        let values = |x: &[Line], first: usize, last: usize| -> Vec<Complex64> {
            (first..last).map(|row| element(x, row)).collect()
        };
        for (first, last) in self.blocks() {
            let a = self.columns(first, last);
            swap_rows(x, stride, first, &self.swaps[first..last]);
            let top = first / LANES;
            let triangle = PackedTriangle::new(Triangle::UnitLower, a, stride, top);
            packed.solve(instructions, &triangle, x, stride);
            let solved = values(x, first, last);
            let below = 2 * last.div_ceil(LANES);
            subtract(a, &solved, below, &mut x[below..]);
        }
        for (first, last) in self.blocks().rev() {
            let a = self.columns(first, last);
            let top = first / LANES;
            let triangle = PackedTriangle::new(Triangle::Upper, a, stride, top);
            packed.solve(instructions, &triangle, x, stride);
            let solved = values(x, first, last);
            subtract(a, &solved, 0, &mut x[..2 * top]);
        }
    }

    /// Solves Aᴴ·x = b for one right-hand side: forward through Uᴴ, then backward through Lᴴ, as inner
    /// products over columns.
    fn solve_adjoint_one(&self, x: &mut [Line]) {
        let (stride, instructions) = (self.stride, self.instructions);
        let dots = |first: usize, last: usize, from: usize, to: usize, x: &[Line]| {
            (first..last)
                .into_par_iter()
                .map(|column| {
                    let a = &self.columns(column, column + 1)[from..to];
                    let x = &x[from..to];
                    instructions.run(Dot { a, x })
                })
                .collect::<Vec<Complex64>>()
        };
        for (first, last) in self.blocks() {
            let known = dots(first, last, 0, 2 * (first / LANES), x);
            for (column, known) in (first..last).zip(known) {
                let a = self.columns(column, column + 1);
                let mut value = element(x, column) - known;
                for row in first..column {
                    value -= element(a, row).conj() * element(x, row);
                }
                let value = value * reciprocal(element(a, column)).conj();
                set_element(x, column, value);
            }
        }
        for (first, last) in self.blocks().rev() {
            let known = dots(first, last, 2 * last.div_ceil(LANES), stride, x);
            for (column, known) in (first..last).zip(known).rev() {
                let a = self.columns(column, column + 1);
                let mut value = element(x, column) - known;
                for row in column + 1..last {
                    value -= element(a, row).conj() * element(x, row);
                }
                set_element(x, column, value);
            }
            swap_rows_back(x, first, &self.swaps[first..last]);
        }
    }
}
