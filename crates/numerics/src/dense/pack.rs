//! Packing of the operands of a product into the order in which the kernel reads them.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::{
    kernels::{
        memory,
        product::{PANEL, PRODUCTS, Product},
        substitute::{Substitute, Triangle},
        subtract::Subtract,
    },
    lines::{LANES, Line},
};
use crate::simd::InstructionSet;

/// Packed rows of A, starting at a group, in panels; see [`Product::a`].
pub(super) struct PackedRows {
    lines: Vec<Line>,
    used: usize,
    depth: usize,
    first: usize,
}

impl PackedRows {
    /// Packs the groups `first..last` of all columns of `a`, reusing the memory.
    pub(super) fn refill(&mut self, a: &[Line], stride: usize, first: usize, last: usize) {
        let depth = a.len() / stride;
        let panels = (last - first).div_ceil(PANEL);
        let size = 3 * PANEL * depth;
        (self.depth, self.first) = (depth, first);
        self.used = panels * size;
        if self.lines.len() < self.used {
            self.lines = memory::zeros(self.used);
        }
        self.lines[..self.used]
            .par_chunks_exact_mut(size)
            .enumerate()
            .for_each(|(panel, to)| {
                let groups = first + panel * PANEL..last.min(first + (panel + 1) * PANEL);
                let (real, rest) = to.split_at_mut(PANEL * depth);
                let (imaginary, sum) = rest.split_at_mut(PANEL * depth);
                for (k, column) in a.chunks_exact(stride).enumerate() {
                    let from = &column[2 * groups.start..2 * groups.end];
                    for g in 0..PANEL {
                        let at = PANEL * k + g;
                        let [re, im] = match from.get(2 * g..2 * g + 2) {
                            Some(pair) => [pair[0], pair[1]],
                            None => [Line::ZERO; 2],
                        };
                        real[at] = re;
                        imaginary[at] = im;
                        for lane in 0..LANES {
                            sum[at].0[lane] = re.0[lane] + im.0[lane];
                        }
                    }
                }
            });
    }

    /// Creates empty memory for [`PackedRows::refill`].
    pub(super) fn empty() -> PackedRows {
        PackedRows {
            lines: Vec::new(),
            used: 0,
            depth: 0,
            first: 0,
        }
    }

    /// Computes C ← C − A·B, panel by panel of A.
    pub(super) fn subtract_product(
        &self,
        instructions: InstructionSet,
        b: &mut PackedColumns,
        c: &mut [Line],
        stride: usize,
    ) {
        let depth = self.depth;
        let panels = b.lines.len() / (3 * depth);
        b.products.resize(panels * PRODUCTS, Line::ZERO);
        for (panel, a) in self.lines[..self.used]
            .chunks_exact(3 * PANEL * depth)
            .enumerate()
        {
            let job = Product {
                a,
                b: &b.lines,
                depth,
                c,
                stride,
                first: self.first + panel * PANEL,
                products: &mut b.products,
            };
            instructions.run(job);
        }
    }
}

/// Packed square block with a triangle, in the order of [`Substitute::a`].
pub(super) struct PackedTriangle {
    lines: Vec<[Line; 2]>,
    order: usize,
    first: usize,
    triangle: Triangle,
}

impl PackedTriangle {
    /// Packs as many rows of `a` as it has columns, starting at the group `first`.
    pub(super) fn new(triangle: Triangle, a: &[Line], stride: usize, first: usize) -> Self {
        let order = a.len() / stride;
        let groups = order.div_ceil(LANES);
        let mut lines = Vec::with_capacity(groups * order);
        for group in first..first + groups {
            let columns = a.chunks_exact(stride);
            lines.extend(columns.map(|column| [column[2 * group], column[2 * group + 1]]));
        }
        PackedTriangle {
            lines,
            order,
            first,
            triangle,
        }
    }
}

/// Pool of [`PackedColumns`] that tasks reuse.
pub(super) struct Rooms(Mutex<Vec<PackedColumns>>);

impl Rooms {
    pub(super) fn new() -> Rooms {
        Rooms(Mutex::new(Vec::new()))
    }

    /// Lends packing memory to a task.
    pub(super) fn lend(&self, task: impl FnOnce(&mut PackedColumns)) {
        // The list is consistent at any time, even after a task panicked, so a poisoned lock is usable.
        let free = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = free().pop();
        let mut room = found.unwrap_or_else(PackedColumns::empty);
        task(&mut room);
        free().push(room);
    }
}

/// Packed rows of B: for each eight columns the planes Re B, Im B, and Re B + Im B, each with a line for
/// each row.
pub(super) struct PackedColumns {
    lines: Vec<Line>,
    /// Workspace of [`Product::products`].
    products: Vec<Line>,
}

impl PackedColumns {
    /// Creates empty memory for [`PackedColumns::solve`].
    pub(super) fn empty() -> PackedColumns {
        PackedColumns {
            lines: Vec::new(),
            products: Vec::new(),
        }
    }

    /// Solves T·X = B in place for the rows of the columns `b` that the triangle covers, and retains a
    /// packed copy of X.
    pub(super) fn solve(
        &mut self,
        instructions: InstructionSet,
        triangle: &PackedTriangle,
        b: &mut [Line],
        stride: usize,
    ) {
        let PackedTriangle { order, first, .. } = *triangle;
        let size = 3 * order;
        let panels = (b.len() / stride).div_ceil(LANES);
        self.lines.resize(panels * size, Line::ZERO);
        for (b, packed) in b
            .chunks_mut(LANES * stride)
            .zip(self.lines.chunks_exact_mut(size))
        {
            let (real, rest) = packed.split_at_mut(order);
            let (imaginary, sum) = rest.split_at_mut(order);
            real.fill(Line::ZERO);
            imaginary.fill(Line::ZERO);
            for (lane, column) in b.chunks_exact(stride).enumerate() {
                let groups = column[2 * first..].as_chunks::<2>().0;
                let to = real.chunks_mut(LANES).zip(imaginary.chunks_mut(LANES));
                for ([re, im], (real, imaginary)) in groups.iter().zip(to) {
                    for row in 0..real.len() {
                        real[row].0[lane] = re.0[row];
                        imaginary[row].0[lane] = im.0[row];
                    }
                }
            }
            let job = Substitute {
                triangle: triangle.triangle,
                a: &triangle.lines,
                real,
                imaginary,
            };
            instructions.run(job);
            for (lane, column) in b.chunks_exact_mut(stride).enumerate() {
                let groups = column[2 * first..].as_chunks_mut::<2>().0;
                let from = real.chunks(LANES).zip(imaginary.chunks(LANES));
                for ([re, im], (real, imaginary)) in groups.iter_mut().zip(from) {
                    for row in 0..real.len() {
                        re.0[row] = real[row].0[lane];
                        im.0[row] = imaginary[row].0[lane];
                    }
                }
            }
            for row in 0..order {
                for lane in 0..LANES {
                    sum[row].0[lane] = real[row].0[lane] + imaginary[row].0[lane];
                }
            }
        }
    }

    /// Computes C ← C − A·B for groups of rows, without packing A.
    pub(super) fn subtract_from(
        &self,
        instructions: InstructionSet,
        a: &[Line],
        stride_a: usize,
        c: &mut [Line],
        stride_c: usize,
        groups: std::ops::Range<usize>,
    ) {
        let b = &self.lines;
        let job = Subtract {
            a,
            b,
            c,
            stride_a,
            stride_c,
            groups,
        };
        instructions.run(job);
    }
}
