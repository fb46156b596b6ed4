//! C ← C − A·B of packed operands, with three real products for a complex one:
//!
//! A·B = (T₁ − T₂) + j(T₃ − T₁ − T₂), T₁ = Re A·Re B, T₂ = Im A·Im B, T₃ = (Re A + Im A)(Re B + Im B).
//!
//! The error of an element is bounded by a small multiple of ε Σ|a||b| in modulus, as for four products; only the
//! smaller of real and imaginary part loses relative accuracy (N. J. Higham, "Stability of a method for
//! multiplying complex matrices with three real matrix multiplications", SIAM J. Matrix Anal. Appl. 13, 1992).
//!
//! Blocks follow K. Goto and R. van de Geijn, "Anatomy of high-performance matrix multiplication", ACM Trans.
//! Math. Softw. 34, 2008: a panel of B stays in the first cache, a block of A in the second, the
//! tile of C in registers.

use super::lanes::{Job, Lanes};
use crate::dense::lines::{LANES, Line};

/// Groups of rows in a packed panel of A.
pub(crate) const PANEL: usize = 3;
/// Panels of A that are multiplied by a panel of B in one go; with the depth of a block column they fill
/// half of a second cache of 1 MiB.
pub(crate) const BLOCK: usize = 4;
/// Lines of a tile: a panel of rows by eight columns.
const TILE: usize = PANEL * LANES;

/// C ← C − A·B for a block of A and a panel of B.
pub(crate) struct Product<'a> {
    /// Up to [`BLOCK`] panels. A panel has the planes Re A, Im A and their sum; a plane has
    /// [`PANEL`] lines for each of `depth` columns.
    pub(crate) a: &'a [Line],
    /// The planes of B; each has a line of eight columns for each of `depth` rows.
    pub(crate) b: &'a [Line],
    pub(crate) depth: usize,
    /// Up to eight columns.
    pub(crate) c: &'a mut [Line],
    /// Lines of a column.
    pub(crate) stride: usize,
    /// First group of rows of C.
    pub(crate) first: usize,
}

impl Job for Product<'_> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<L: Lanes, const WIDE: bool>(self) {
        let Product {
            a,
            b,
            depth,
            c,
            stride,
            first,
        } = self;
        let plane = PANEL * depth;
        let mut products = [[Line::ZERO; 3 * TILE]; BLOCK];
        // Planes outside, so that one of B at a time has to stay in the first cache.
        for which in 0..3 {
            let b = &b[which * depth..(which + 1) * depth];
            for (panel, products) in a.chunks_exact(3 * plane).zip(&mut products) {
                let a = panel[which * plane..(which + 1) * plane]
                    .as_chunks::<PANEL>()
                    .0;
                let products = &mut products[which * TILE..(which + 1) * TILE];
                // SAFETY: the caller has the instruction set.
                unsafe {
                    if WIDE {
                        tile::<L, 3, 8>(a, b, products);
                    } else {
                        tile::<L, 1, 4>(a, b, products);
                    }
                }
            }
        }
        for (column, c) in c.chunks_exact_mut(stride).enumerate() {
            let groups = c[2 * first..].as_chunks_mut::<2>().0;
            let blocks = products[..a.len() / (3 * plane)].iter();
            for (groups, products) in groups.chunks_mut(PANEL).zip(blocks) {
                for (row, [real, imaginary]) in groups.iter_mut().enumerate() {
                    let at = PANEL * column + row;
                    // SAFETY: the caller has the instruction set.
                    unsafe {
                        let t1 = L::load(&products[at]);
                        let t2 = L::load(&products[TILE + at]);
                        let t3 = L::load(&products[2 * TILE + at]);
                        L::load(real).sub(t1.sub(t2)).store(real);
                        L::load(imaginary)
                            .sub(t3.sub(t1.add(t2)))
                            .store(imaginary);
                    }
                }
            }
        }
    }
}

/// A real product of a panel by a panel, in parts of G groups by C columns that fit the registers.
#[inline(always)]
unsafe fn tile<L: Lanes, const G: usize, const C: usize>(
    a: &[[Line; PANEL]],
    b: &[Line],
    to: &mut [Line],
) {
    for column in (0..LANES).step_by(C) {
        for group in (0..PANEL).step_by(G) {
            // SAFETY: the caller has the instruction set.
            unsafe {
                let mut sums = [[L::splat(0.0); G]; C];
                for (a, b) in a.iter().zip(b) {
                    let mut rows = [L::splat(0.0); G];
                    for g in 0..G {
                        rows[g] = L::load(&a[group + g]);
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
                        sums[c][g].store(&mut to[PANEL * (column + c) + group + g]);
                    }
                }
            }
        }
    }
}
