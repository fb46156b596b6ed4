//! Operands of a product, copied into the order in which the kernel reads them.

use rayon::prelude::*;

use super::{
    kernels::{
        lanes::{Present, dispatch},
        product::{BLOCK, PANEL, Product},
        substitute::{Substitute, Triangle},
        subtract::Subtract,
    },
    lines::{LANES, Line},
};

/// Rows of A from a group on, in panels; see [`Product::a`].
pub(super) struct PackedRows {
    lines: Vec<Line>,
    depth: usize,
    first: usize,
}

impl PackedRows {
    /// Copies the groups `first..last` of all columns of `a`, in the memory of an earlier copy.
    pub(super) fn refill(&mut self, a: &[Line], stride: usize, first: usize, last: usize) {
        let depth = a.len() / stride;
        let panels = (last - first).div_ceil(PANEL);
        let size = 3 * PANEL * depth;
        (self.depth, self.first) = (depth, first);
        self.lines.resize(panels * size, Line::ZERO);
        self.lines
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

    /// Room for [`PackedRows::refill`].
    pub(super) fn empty() -> PackedRows {
        PackedRows {
            lines: Vec::new(),
            depth: 0,
            first: 0,
        }
    }

    /// C ← C − A·B, block by block of A.
    pub(super) fn subtract_product(
        &self,
        present: Present,
        b: &PackedColumns,
        c: &mut [Line],
        stride: usize,
    ) {
        let size = 3 * PANEL * self.depth;
        for (block, a) in self.lines.chunks(BLOCK * size).enumerate() {
            let first = self.first + block * BLOCK * PANEL;
            for (c, b) in c
                .chunks_mut(LANES * stride)
                .zip(b.lines.chunks_exact(3 * self.depth))
            {
                let depth = self.depth;
                let job = Product {
                    a,
                    b,
                    depth,
                    c,
                    stride,
                    first,
                };
                dispatch(present, job);
            }
        }
    }
}

/// Some rows of B, eight columns side by side: for each eight columns the planes Re B, Im B and their
/// sum, each with a line for each row.
pub(super) struct PackedColumns {
    lines: Vec<Line>,
    depth: usize,
}

impl PackedColumns {
    /// Room for [`PackedColumns::solve`].
    pub(super) fn empty() -> PackedColumns {
        PackedColumns {
            lines: Vec::new(),
            depth: 0,
        }
    }

    /// Solves T·X = B in place for rows of the columns `b`, from the group `first` on as many as T has columns,
    /// and keeps a copy of X. The triangle lies in the same rows of the columns `a`.
    pub(super) fn solve(
        &mut self,
        present: Present,
        triangle: Triangle,
        a: &[Line],
        stride_a: usize,
        b: &mut [Line],
        stride: usize,
        first: usize,
    ) {
        let order = a.len() / stride_a;
        let size = 3 * order;
        let panels = (b.len() / stride).div_ceil(LANES);
        self.depth = order;
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
                triangle,
                a,
                stride: stride_a,
                first,
                real,
                imaginary,
            };
            dispatch(present, job);
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

    /// C ← C − A·B for groups of rows, with A where it lies.
    pub(super) fn subtract_from(
        &self,
        present: Present,
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
        dispatch(present, job);
    }
}
