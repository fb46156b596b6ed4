//! Window weights of several points at once: piecewise polynomials by Horner's scheme, one vector lane
//! per grid point.

use std::ops::Range;

use super::lanes::Lanes;
use crate::axis::Axis;
use crate::kernel::{Kernel, WIDEST};
use crate::precision::Precision;
use crate::tiles::Place;

/// Points whose weights are computed in advance.
pub(crate) const AHEAD: usize = 16;

/// Coefficients of the window's polynomials, highest power first, zero-padded to [`WIDEST`] grid
/// points.
#[derive(Clone, Debug)]
pub(crate) struct Table<R> {
    pub(crate) width: usize,
    powers: Vec<[R; WIDEST]>,
}

impl<R: Precision> Table<R> {
    pub(crate) fn new(kernel: &Kernel) -> Table<R> {
        let padded =
            |row: &Vec<f64>| std::array::from_fn(|t| R::narrow(row.get(t).copied().unwrap_or(0.0)));
        Table {
            width: kernel.width,
            powers: kernel.coefficients.iter().rev().map(padded).collect(),
        }
    }
}

/// Weights of a point: the first grid point it touches, its weights along each axis, and their
/// derivatives with respect to u, the position between two grid points in [−1, 1].
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Weights<R, const D: usize> {
    /// Weights along all axes but the last.
    pub(crate) value: [[R; WIDEST]; D],
    pub(crate) derivative: [[R; WIDEST]; D],
    /// Weights along the last axis.
    row: Row<R>,
    row_derivative: Row<R>,
    pub(crate) first: [usize; D],
}

/// Weights along a row of the grid, padded with zeros so that they can be read with a shift; the first
/// is at [`FRONT`].
type Row<R> = [R; FRONT + WIDEST + BACK];
/// Zeros before the weights: at least the complex numbers of a vector.
const FRONT: usize = 8;
/// Zeros after the weights: at least the numbers of a vector.
const BACK: usize = 16;

impl<R: Precision, const D: usize> Weights<R, D> {
    pub(crate) fn empty() -> Self {
        Weights {
            value: [[R::zero(); WIDEST]; D],
            derivative: [[R::zero(); WIDEST]; D],
            row: [R::zero(); FRONT + WIDEST + BACK],
            row_derivative: [R::zero(); FRONT + WIDEST + BACK],
            first: [0; D],
        }
    }

    /// Returns the distance of a row's first grid point from the preceding aligned vector.
    #[inline(always)]
    pub(crate) fn shift<S: Lanes>(&self) -> usize {
        if S::WHOLE_LINES {
            self.first[D - 1] % (S::COUNT / 2)
        } else {
            0
        }
    }

    /// Returns the index of the first vector.
    #[inline(always)]
    pub(crate) fn start<S: Lanes>(&self, strides: [usize; D]) -> usize {
        (0..D).map(|d| self.first[d] * strides[d]).sum::<usize>() - self.shift::<S>()
    }

    /// Returns whether the shifted row takes more than V vectors.
    #[inline(always)]
    pub(crate) fn reaches_beyond<S: Lanes, const V: usize>(&self, width: usize) -> bool {
        S::WHOLE_LINES && 2 * (self.shift::<S>() + width) > V * S::COUNT
    }

    /// Returns the weights along a row, shifted to its first vector and duplicated for real and
    /// imaginary parts.
    ///
    /// # Safety
    /// The CPU must support the instruction set of `S`.
    #[inline(always)]
    pub(crate) unsafe fn along_row<S: Lanes<Real = R>, const V: usize>(&self) -> [S; V] {
        // SAFETY: upheld by the caller.
        unsafe { doubled(&self.row, self.shift::<S>()) }
    }

    /// Returns the derivatives of the weights along a row, in the same format.
    ///
    /// # Safety
    /// As [`Weights::along_row`].
    #[inline(always)]
    pub(crate) unsafe fn derivative_along_row<S: Lanes<Real = R>, const V: usize>(&self) -> [S; V] {
        // SAFETY: upheld by the caller.
        unsafe { doubled(&self.row_derivative, self.shift::<S>()) }
    }
}

/// Points processed together, so that the CPU has independent sums to overlap.
const GROUP: usize = 4;

/// Evaluates the weights of up to [`AHEAD`] points, and with `SLOPE` their derivatives; V vectors hold
/// the window's complex numbers, half as many its weights.
///
/// # Safety
/// The CPU must support the instruction set of `S`.
#[inline(always)]
pub(crate) unsafe fn evaluate<S, R, const D: usize, const V: usize, const SLOPE: bool>(
    table: &Table<R>,
    axes: &[Axis; D],
    points: &[Place<D>],
    weights: &mut [Weights<R, D>; AHEAD],
) where
    R: Precision,
    S: Lanes<Real = R>,
{
    let vectors = V.div_ceil(2);
    // As many sums as fit the registers beside positions and coefficients.
    let group = match D * vectors * if SLOPE { 2 } else { 1 } {
        0..=3 => GROUP,
        4..=6 => 2,
        _ => 1,
    };
    let count = points.len().min(AHEAD);
    let mut start = 0;
    while start < count {
        // SAFETY: loads and stores stay within rows of `WIDEST` numbers; the caller guarantees the
        // instruction set.
        unsafe {
            let mut u = [[S::splat(R::zero()); D]; GROUP];
            for g in 0..group {
                let point = &points[(start + g).min(count - 1)];
                let to = &mut weights[(start + g) % AHEAD];
                for d in 0..D {
                    let (first, fraction) = axes[d].split(point[d]);
                    to.first[d] = first;
                    u[g][d] = S::splat(R::narrow(1.0 - 2.0 * fraction));
                }
            }
            let mut value = [[[S::splat(R::zero()); V]; D]; GROUP];
            let mut derivative = value;
            for power in &table.powers {
                for v in 0..vectors {
                    let coefficient = S::load(power.as_ptr().add(v * S::COUNT));
                    for g in 0..group {
                        for d in 0..D {
                            if SLOPE {
                                derivative[g][d][v] =
                                    value[g][d][v].plus(derivative[g][d][v], u[g][d]);
                            }
                            value[g][d][v] = coefficient.plus(value[g][d][v], u[g][d]);
                        }
                    }
                }
            }
            for g in 0..group {
                let to = &mut weights[(start + g) % AHEAD];
                for d in 0..D {
                    let (values, derivatives) = if d + 1 < D {
                        (to.value[d].as_mut_ptr(), to.derivative[d].as_mut_ptr())
                    } else {
                        let (values, derivatives) = (&mut to.row, &mut to.row_derivative);
                        (
                            values.as_mut_ptr().add(FRONT),
                            derivatives.as_mut_ptr().add(FRONT),
                        )
                    };
                    for v in 0..vectors {
                        value[g][d][v].store(values.add(v * S::COUNT));
                        if SLOPE {
                            derivative[g][d][v].store(derivatives.add(v * S::COUNT));
                        }
                    }
                }
            }
        }
        start += group;
    }
}

/// Returns whether the grid points that a point in three dimensions touches exceed the L1 cache.
pub(crate) const fn goes_by_planes<S: Lanes, const D: usize, const V: usize>() -> bool {
    let row = V * S::COUNT;
    D == 3 && (row / 2) * (row / 2) * (row * size_of::<S::Real>() + 64) > 24 << 10
}

/// Returns the range of planes of the first axis that the points touch.
#[inline(always)]
pub(crate) fn planes<R, const D: usize>(weights: &[Weights<R, D>], width: usize) -> Range<usize> {
    let firsts = weights.iter().map(|w| w.first[0]);
    let (least, most) = firsts.fold((usize::MAX, 0), |(least, most), first| {
        (least.min(first), most.max(first))
    });
    least..most + width
}

/// Returns the weights along a row from `shift` before the first on, each duplicated.
///
/// # Safety
/// The CPU must support the instruction set of `S`, and V vectors must not exceed the row.
#[inline(always)]
unsafe fn doubled<S, R, const V: usize>(row: &Row<R>, shift: usize) -> [S; V]
where
    R: Precision,
    S: Lanes<Real = R>,
{
    // SAFETY: the shift is less than `FRONT`, and the vectors end at or before the end of the row.
    unsafe {
        // A loop: a closure is not always inlined, and would lose the target features then.
        let mut vectors = [S::splat(R::zero()); V];
        for v in 0..V {
            vectors[v] = S::load(row.as_ptr().add(FRONT - shift + v / 2 * S::COUNT)).twice()[v % 2];
        }
        vectors
    }
}
