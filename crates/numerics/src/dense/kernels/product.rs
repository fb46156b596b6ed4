//! C ← C − A·B of packed operands, with three real products for a complex one:
//!
//! A·B = (T₁ − T₂) + j(T₃ − T₁ − T₂), T₁ = Re A·Re B, T₂ = Im A·Im B, T₃ = (Re A + Im A)(Re B + Im B).
//!
//! The error of an element is bounded by a small multiple of ε Σ|a||b| in modulus, as for four products; only the
//! smaller of real and imaginary part loses relative accuracy (N. J. Higham, "Stability of a method for
//! multiplying complex matrices with three real matrix multiplications", SIAM J. Matrix Anal. Appl. 13, 1992).
//!
//! Blocking after K. Goto and R. van de Geijn, "Anatomy of high-performance matrix multiplication", ACM Trans. Math. Softw.
//! 34, 2008, with the roles of A and B exchanged: part of a panel of A stays in the L1 cache, all of B in the L2 cache, and a
//! tile of the product in registers.

use super::{lanes::Lanes, prefetch::prefetch};
use crate::dense::lines::{LANES, Line};
use crate::simd::{Instructions, Job, Vector};

/// Groups of rows in a packed panel of A.
pub(crate) const PANEL: usize = 3;
/// Columns of a panel of A per step: one plane of them fills half of an L1 cache of 32 KiB.
const PART: usize = 96;
/// Lines of a tile: a panel of rows by eight columns.
const TILE: usize = PANEL * LANES;
/// Lines of the three real products of a panel of A by a panel of B.
pub(crate) const PRODUCTS: usize = 3 * TILE;

/// C ← C − A·B for a panel of A.
pub(crate) struct Product<'a> {
    /// The planes Re A, Im A, and Re A + Im A; a plane has [`PANEL`] lines for each of `depth` columns.
    pub(crate) a: &'a [Line],
    /// The same planes for each eight columns of B; a plane has a line for each of `depth` rows.
    pub(crate) b: &'a [Line],
    pub(crate) depth: usize,
    /// All columns of C.
    pub(crate) c: &'a mut [Line],
    /// Lines per column.
    pub(crate) stride: usize,
    /// First group of rows of C.
    pub(crate) first: usize,
    /// Workspace: [`PRODUCTS`] lines for each eight columns.
    pub(crate) products: &'a mut [Line],
}

impl Job for Product<'_> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<S: Instructions>(self) {
        let Product {
            a,
            b,
            depth,
            c,
            stride,
            first,
            products,
        } = self;
        let last = stride.min(2 * (first + PANEL));
        for from in (0..depth).step_by(PART) {
            let to = depth.min(from + PART);
            for plane in 0..3 {
                let a = a[PANEL * (plane * depth + from)..PANEL * (plane * depth + to)]
                    .as_chunks::<PANEL>()
                    .0;
                let panels = b.chunks_exact(3 * depth);
                let columns = c.chunks(LANES * stride);
                let rooms = products.chunks_exact_mut(PRODUCTS);
                for ((b, products), c) in panels.zip(rooms).zip(columns) {
                    if to == depth {
                        // Prefetches one group of rows per plane, so that requests do not queue up.
                        for column in c.chunks_exact(stride) {
                            let soon = column[2 * first..last].as_chunks::<2>().0.get(plane);
                            soon.into_iter().flatten().for_each(prefetch);
                        }
                    }
                    let b = &b[plane * depth + from..plane * depth + to];
                    let products = &mut products[plane * TILE..(plane + 1) * TILE];
                    // SAFETY: the caller guarantees the instruction set.
                    unsafe {
                        if S::F64x8::WIDE {
                            tile::<S::F64x8, 3, 8>(a, b, from > 0, products);
                        } else {
                            tile::<S::F64x8, 1, 4>(a, b, from > 0, products);
                        }
                    }
                }
            }
        }
        let panels = products.chunks_exact(PRODUCTS);
        for (c, products) in c.chunks_mut(LANES * stride).zip(panels) {
            for (column, c) in c.chunks_exact_mut(stride).enumerate() {
                let groups = c[2 * first..last].as_chunks_mut::<2>().0;
                for (row, [real, imaginary]) in groups.iter_mut().enumerate() {
                    let at = PANEL * column + row;
                    // SAFETY: the caller guarantees the instruction set.
                    unsafe {
                        let t1 = S::F64x8::read(&products[at]);
                        let t2 = S::F64x8::read(&products[TILE + at]);
                        let t3 = S::F64x8::read(&products[2 * TILE + at]);
                        S::F64x8::read(real).sub(t1.sub(t2)).write(real);
                        S::F64x8::read(imaginary)
                            .sub(t3.sub(t1.add(t2)))
                            .write(imaginary);
                    }
                }
            }
        }
    }
}

/// Computes a real product of two panels, or accumulates it, in register tiles of G groups by C columns.
#[inline(always)]
unsafe fn tile<L: Lanes, const G: usize, const C: usize>(
    a: &[[Line; PANEL]],
    b: &[Line],
    add: bool,
    to: &mut [Line],
) {
    for column in (0..LANES).step_by(C) {
        for group in (0..PANEL).step_by(G) {
            // SAFETY: the caller guarantees the instruction set.
            unsafe {
                let mut sums = [[L::splat(0.0); G]; C];
                if add {
                    for c in 0..C {
                        for g in 0..G {
                            sums[c][g] = L::read(&to[PANEL * (column + c) + group + g]);
                        }
                    }
                }
                for (a, b) in a.iter().zip(b) {
                    let mut rows = [L::splat(0.0); G];
                    for g in 0..G {
                        rows[g] = L::read(&a[group + g]);
                    }
                    for c in 0..C {
                        let factor = L::splat(b.0[column + c]);
                        for g in 0..G {
                            sums[c][g] = sums[c][g].plus(rows[g], factor);
                        }
                    }
                }
                for c in 0..C {
                    for g in 0..G {
                        sums[c][g].write(&mut to[PANEL * (column + c) + group + g]);
                    }
                }
            }
        }
    }
}
