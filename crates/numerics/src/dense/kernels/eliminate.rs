//! Gaussian elimination with partial pivoting of up to eight columns: the base case of the recursion.
//!
//! Left-looking, column by column: one pass subtracts the contributions of the columns before and finds the
//! largest remaining element. The pivot is the element with the largest |Re| + |Im|.

use num_complex::Complex64;

use super::{lanes::Lanes, substitute::reciprocal};
use crate::dense::lines::{LANES, Line, element, set_element, swap_rows};
use crate::simd::{Instructions, Job, Vector};

/// P·A = L·U for up to eight columns, starting at a group of rows.
pub(crate) struct Eliminate<'a> {
    /// All columns; overwritten by L and U.
    pub(crate) a: &'a mut [Line],
    /// Lines per column.
    pub(crate) stride: usize,
    /// Group of rows in which the diagonal begins.
    pub(crate) first: usize,
    /// Rows of the entire matrix.
    pub(crate) rows: usize,
    /// For each column, the row interchanged with the diagonal row.
    pub(crate) swaps: &'a mut [usize],
}

impl Job for Eliminate<'_> {
    /// The first column without a nonzero pivot.
    type Output = Result<(), usize>;

    #[inline(always)]
    unsafe fn run<S: Instructions>(self) -> Result<(), usize> {
        let Eliminate {
            a,
            stride,
            first,
            rows,
            swaps,
        } = self;
        let top = first * LANES;
        for j in 0..swaps.len() {
            let (before, current) = a.split_at_mut(j * stride);
            let column = &mut current[..stride];
            let mut factors = [Complex64::ZERO; LANES];
            for k in 0..j {
                let left = &before[k * stride..(k + 1) * stride];
                factors[k] = element(column, top + k);
                for row in top + k + 1..top + LANES {
                    let value = element(column, row) - element(left, row) * factors[k];
                    set_element(column, row, value);
                }
            }
            // SAFETY: the caller guarantees the instruction set.
            let below =
                unsafe { pass::<S::F64x8>(before, column, stride, first + 1, &factors[..j]) };
            let size = |row: usize| {
                let value = element(column, row);
                value.re.abs() + value.im.abs()
            };
            let mut pivot = top + j;
            for row in top + j + 1..rows.min(top + LANES) {
                if size(row) > size(pivot) {
                    pivot = row;
                }
            }
            if below > size(pivot) {
                // The pass computed the same magnitudes, so one of them equals the maximum.
                pivot = (top + LANES..rows)
                    .find(|&row| size(row) == below)
                    .ok_or(j)?;
            }
            if !size(pivot).is_normal() {
                return Err(j);
            }
            swaps[j] = pivot;
            swap_rows(a, stride, top + j, &swaps[j..=j]);
            let column = &mut a[j * stride..(j + 1) * stride];
            let factor = reciprocal(element(column, top + j));
            for row in top + j + 1..top + LANES {
                let value = element(column, row) * factor;
                set_element(column, row, value);
            }
            let groups = column[2 * (first + 1)..].as_chunks_mut::<2>().0;
            // SAFETY: the caller guarantees the instruction set.
            unsafe {
                let (re, im) = (S::F64x8::splat(factor.re), S::F64x8::splat(factor.im));
                for [real, imaginary] in groups {
                    let (x, y) = (S::F64x8::read(real), S::F64x8::read(imaginary));
                    x.mul(re).minus(y, im).write(real);
                    y.mul(re).plus(x, im).write(imaginary);
                }
            }
        }
        Ok(())
    }
}

/// Subtracts `factors` times the columns before from the groups of a column; returns the largest |Re| + |Im|.
#[inline(always)]
unsafe fn pass<L: Lanes>(
    before: &[Line],
    column: &mut [Line],
    stride: usize,
    first: usize,
    factors: &[Complex64],
) -> f64 {
    // SAFETY: the caller guarantees the instruction set.
    unsafe {
        let mut largest = L::splat(0.0);
        for at in (2 * first..stride).step_by(2) {
            let mut real = L::read(&column[at]);
            let mut imaginary = L::read(&column[at + 1]);
            for (left, factor) in before.chunks_exact(stride).zip(factors) {
                let (re, im) = (L::splat(factor.re), L::splat(factor.im));
                let (x, y) = (L::read(&left[at]), L::read(&left[at + 1]));
                real = real.minus(x, re).plus(y, im);
                imaginary = imaginary.minus(x, im).minus(y, re);
            }
            real.write(&mut column[at]);
            imaginary.write(&mut column[at + 1]);
            largest = largest.max(real.abs().add(imaginary.abs()));
        }
        let mut lanes = Line::ZERO;
        largest.write(&mut lanes);
        lanes.0.into_iter().fold(0.0, f64::max)
    }
}
