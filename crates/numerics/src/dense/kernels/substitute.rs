//! Triangular solves for eight right-hand sides, one per lane.
//!
//! The unknowns of a row are two lines, real and imaginary; rows are processed eight at a time. Contributions of
//! the known unknowns are subtracted with accumulators in registers; the 8 × 8 triangle on the diagonal is
//! solved row by row.

use std::ops::Range;

use num_complex::Complex64;

use super::lanes::Lanes;
use crate::dense::lines::{LANES, Line};
use crate::simd::{Instructions, Job};

/// The triangle to solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Triangle {
    /// The lower triangle with an implicit unit diagonal.
    UnitLower,
    /// The upper triangle.
    Upper,
}

/// X ← T⁻¹·X for a triangle T and eight columns of X.
pub(crate) struct Substitute<'a> {
    pub(crate) triangle: Triangle,
    /// The square block that holds the triangle, by groups of rows: a real and an imaginary line for each
    /// column.
    pub(crate) a: &'a [[Line; 2]],
    /// One line per row: real parts, then imaginary parts.
    pub(crate) real: &'a mut [Line],
    pub(crate) imaginary: &'a mut [Line],
}

impl Job for Substitute<'_> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<S: Instructions>(mut self) {
        let order = self.real.len();
        let blocks = order.div_ceil(LANES);
        for step in 0..blocks {
            let block = match self.triangle {
                Triangle::UnitLower => step,
                Triangle::Upper => blocks - 1 - step,
            };
            let rows = block * LANES..order.min((block + 1) * LANES);
            let known = match self.triangle {
                Triangle::UnitLower => 0..rows.start,
                Triangle::Upper => rows.end..order,
            };
            // SAFETY: the caller guarantees the instruction set.
            unsafe {
                if S::F64x8::WIDE {
                    self.subtract::<S::F64x8, 8>(&rows, &known);
                } else {
                    self.subtract::<S::F64x8, 2>(&rows, &known);
                }
                self.diagonal::<S::F64x8>(rows);
            }
        }
    }
}

impl Substitute<'_> {
    /// Subtracts the contributions of known rows from a group of rows, R rows at a time.
    #[inline(always)]
    unsafe fn subtract<L: Lanes, const R: usize>(
        &mut self,
        rows: &Range<usize>,
        known: &Range<usize>,
    ) {
        let group = rows.start / LANES * self.real.len();
        let columns = &self.a[group + known.start..group + known.end];
        for first in (0..rows.len()).step_by(R) {
            // SAFETY: the caller guarantees the instruction set.
            unsafe {
                let mut real = [L::splat(0.0); R];
                let mut imaginary = [L::splat(0.0); R];
                let solved = self.real[known.clone()]
                    .iter()
                    .zip(&self.imaginary[known.clone()]);
                for ([a_real, a_imaginary], (x_real, x_imaginary)) in columns.iter().zip(solved) {
                    let x_real = L::read(x_real);
                    let x_imaginary = L::read(x_imaginary);
                    for i in 0..R {
                        let re = L::splat(a_real.0[first + i]);
                        let im = L::splat(a_imaginary.0[first + i]);
                        real[i] = real[i].plus(x_real, re).minus(x_imaginary, im);
                        imaginary[i] = imaginary[i].plus(x_real, im).plus(x_imaginary, re);
                    }
                }
                for i in 0..R.min(rows.len() - first) {
                    let row = rows.start + first + i;
                    let (re, im) = (&mut self.real[row], &mut self.imaginary[row]);
                    L::read(re).sub(real[i]).write(re);
                    L::read(im).sub(imaginary[i]).write(im);
                }
            }
        }
    }

    /// Solves the triangle of up to eight rows on the diagonal.
    #[inline(always)]
    unsafe fn diagonal<L: Lanes>(&mut self, rows: Range<usize>) {
        for step in 0..rows.len() {
            let (column, others) = match self.triangle {
                Triangle::UnitLower => (rows.start + step, rows.start + step + 1..rows.end),
                Triangle::Upper => (rows.end - 1 - step, rows.start..rows.end - 1 - step),
            };
            let [a_real, a_imaginary] = self.a[rows.start / LANES * self.real.len() + column];
            let entry = |row: usize| {
                Complex64::new(a_real.0[row - rows.start], a_imaginary.0[row - rows.start])
            };
            // SAFETY: the caller guarantees the instruction set.
            unsafe {
                let mut x_real = L::read(&self.real[column]);
                let mut x_imaginary = L::read(&self.imaginary[column]);
                if self.triangle == Triangle::Upper {
                    let factor = reciprocal(entry(column));
                    let (re, im) = (L::splat(factor.re), L::splat(factor.im));
                    let real = x_real.mul(re).minus(x_imaginary, im);
                    x_imaginary = x_imaginary.mul(re).plus(x_real, im);
                    x_real = real;
                    x_real.write(&mut self.real[column]);
                    x_imaginary.write(&mut self.imaginary[column]);
                }
                for row in others {
                    let factor = entry(row);
                    let (re, im) = (L::splat(factor.re), L::splat(factor.im));
                    let real = &mut self.real[row];
                    L::read(real)
                        .minus(x_real, re)
                        .plus(x_imaginary, im)
                        .write(real);
                    let imaginary = &mut self.imaginary[row];
                    L::read(imaginary)
                        .minus(x_real, im)
                        .minus(x_imaginary, re)
                        .write(imaginary);
                }
            }
        }
    }
}

/// Returns 1/z without intermediate overflow or underflow.
#[inline(always)]
pub(crate) fn reciprocal(z: Complex64) -> Complex64 {
    let size = z.re.abs().max(z.im.abs());
    let scaled = z / size;
    scaled.conj() / scaled.norm_sqr() / size
}
