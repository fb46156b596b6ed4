//! C ← C − A·B without packing A, for products too thin to amortize the copy.

use super::{lanes::Lanes, prefetch::prefetch};
use crate::dense::lines::{LANES, Line};
use crate::simd::{Instructions, Job};

/// C ← C − A·B for groups of rows of A and a few columns.
pub(crate) struct Subtract<'a> {
    /// All columns of A.
    pub(crate) a: &'a [Line],
    /// For each eight columns of C the planes Re B, Im B, and a third one that is not read, each with a
    /// line for each column of A.
    pub(crate) b: &'a [Line],
    /// All columns of C.
    pub(crate) c: &'a mut [Line],
    /// Lines per column of A.
    pub(crate) stride_a: usize,
    /// Lines per column of C.
    pub(crate) stride_c: usize,
    /// Groups of rows of both A and C.
    pub(crate) groups: std::ops::Range<usize>,
}

impl Job for Subtract<'_> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<S: Instructions>(self) {
        // SAFETY: the caller guarantees the instruction set.
        unsafe {
            if S::F64x8::WIDE {
                columns::<S::F64x8, 8>(self);
            } else {
                columns::<S::F64x8, 2>(self);
            }
        }
    }
}

/// Accumulates C columns at a time in registers.
#[inline(always)]
unsafe fn columns<L: Lanes, const C: usize>(job: Subtract<'_>) {
    let Subtract {
        a,
        b,
        c,
        stride_a,
        stride_c,
        groups,
    } = job;
    let depth = a.len() / stride_a;
    for group in groups {
        // Columns are far apart in memory, so the hardware prefetcher does not predict them.
        for column in a.chunks_exact(stride_a).chain(c.chunks_exact(stride_c)) {
            column.iter().skip(2 * group + 2).take(2).for_each(prefetch);
        }
        for (c, b) in c
            .chunks_mut(LANES * stride_c)
            .zip(b.chunks_exact(3 * depth))
        {
            let (b_real, b_imaginary) = b[..2 * depth].split_at(depth);
            let present = c.len() / stride_c;
            for first in (0..present).step_by(C) {
                // SAFETY: the caller guarantees the instruction set.
                unsafe {
                    let mut real = [L::splat(0.0); C];
                    let mut imaginary = [L::splat(0.0); C];
                    let columns = a.chunks_exact(stride_a);
                    for ((a, b_real), b_imaginary) in columns.zip(b_real).zip(b_imaginary) {
                        let a_real = L::read(&a[2 * group]);
                        let a_imaginary = L::read(&a[2 * group + 1]);
                        for i in 0..C {
                            let re = L::splat(b_real.0[first + i]);
                            let im = L::splat(b_imaginary.0[first + i]);
                            real[i] = real[i].plus(a_real, re).minus(a_imaginary, im);
                            imaginary[i] = imaginary[i].plus(a_real, im).plus(a_imaginary, re);
                        }
                    }
                    for i in 0..C.min(present - first) {
                        let at = (first + i) * stride_c + 2 * group;
                        L::read(&c[at]).sub(real[i]).write(&mut c[at]);
                        L::read(&c[at + 1]).sub(imaginary[i]).write(&mut c[at + 1]);
                    }
                }
            }
        }
    }
}
