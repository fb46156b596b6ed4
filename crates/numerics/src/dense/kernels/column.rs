//! Matrix–vector products that read each column of the matrix once, in order.

use num_complex::Complex64;

use super::lanes::Lanes;
use crate::dense::lines::Line;
use crate::simd::{Instructions, Job, Vector};

/// y ← y − A·x for a range of rows of A.
pub(crate) struct SubtractColumns<'a> {
    /// All columns of A.
    pub(crate) a: &'a [Line],
    /// Lines per column.
    pub(crate) stride: usize,
    /// First line of these rows in a column.
    pub(crate) first: usize,
    /// One factor per column of A.
    pub(crate) x: &'a [Complex64],
    /// Lines of these rows of y.
    pub(crate) y: &'a mut [Line],
}

impl Job for SubtractColumns<'_> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<S: Instructions>(self) {
        for (column, factor) in self.a.chunks_exact(self.stride).zip(self.x) {
            let a = column[self.first..].as_chunks::<2>().0;
            let y = self.y.as_chunks_mut::<2>().0;
            // SAFETY: the caller guarantees the instruction set.
            unsafe {
                let (re, im) = (S::F64x8::splat(factor.re), S::F64x8::splat(factor.im));
                for ([a_real, a_imaginary], [real, imaginary]) in a.iter().zip(y) {
                    let (a_real, a_imaginary) =
                        (S::F64x8::read(a_real), S::F64x8::read(a_imaginary));
                    S::F64x8::read(real)
                        .minus(a_real, re)
                        .plus(a_imaginary, im)
                        .write(real);
                    S::F64x8::read(imaginary)
                        .minus(a_real, im)
                        .minus(a_imaginary, re)
                        .write(imaginary);
                }
            }
        }
    }
}

/// The inner product Σ a̅ᵢ xᵢ over the lines of two columns.
pub(crate) struct Dot<'a> {
    pub(crate) a: &'a [Line],
    pub(crate) x: &'a [Line],
}

impl Job for Dot<'_> {
    type Output = Complex64;

    #[inline(always)]
    unsafe fn run<S: Instructions>(self) -> Complex64 {
        let (a, x) = (self.a.as_chunks::<2>().0, self.x.as_chunks::<2>().0);
        let mut lines = [Line::ZERO; 2];
        // SAFETY: the caller guarantees the instruction set.
        unsafe {
            // Four independent accumulators: Re·Re, Im·Im, Re·Im, Im·Re.
            let mut sums = [S::F64x8::splat(0.0); 4];
            for ([a_real, a_imaginary], [x_real, x_imaginary]) in a.iter().zip(x) {
                let (a_real, a_imaginary) = (S::F64x8::read(a_real), S::F64x8::read(a_imaginary));
                let (x_real, x_imaginary) = (S::F64x8::read(x_real), S::F64x8::read(x_imaginary));
                sums[0] = sums[0].plus(a_real, x_real);
                sums[1] = sums[1].plus(a_imaginary, x_imaginary);
                sums[2] = sums[2].plus(a_real, x_imaginary);
                sums[3] = sums[3].plus(a_imaginary, x_real);
            }
            sums[0].add(sums[1]).write(&mut lines[0]);
            sums[2].sub(sums[3]).write(&mut lines[1]);
        }
        let [real, imaginary] = lines.map(|line| line.0.into_iter().sum());
        Complex64::new(real, imaginary)
    }
}
