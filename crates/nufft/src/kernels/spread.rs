//! Spreading: adds the strength of every point, times its window, to the grid; also dipole
//! strengths, times the derivatives of the window.

use num_complex::Complex;
use wavefield_numerics::simd::{InstructionSet, Instructions, Job};

use super::Passes;
use super::lanes::Lanes;
use super::shared::Shared;
use super::weights::{AHEAD, Table, Weights, evaluate, goes_by_planes, planes};
use super::with_vectors;
use crate::axis::Axis;
use crate::grid::Layout;
use crate::points::Sorted;
use crate::precision::Precision;
use crate::tiles::Place;
use crate::workers::Workers;

/// Strengths of the points in tile order: monopole strengths, multiplying the window, and
/// optionally dipole strengths along each axis, multiplying its derivatives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strengths<'a, R, const D: usize> {
    pub(crate) value: &'a [Complex<R>],
    /// Per axis, in units of the derivative with respect to the coordinate.
    pub(crate) along: Option<[&'a [Complex<R>]; D]>,
}

/// Spreads all points onto a grid, which it overwrites. Even strips are processed concurrently,
/// then odd ones, so that the order of addition is fixed and results are bitwise identical for any
/// number of workers.
pub(crate) fn spread<R: Precision + Passes<D>, const D: usize>(
    sorted: &Sorted<D>,
    strengths: Strengths<'_, R, D>,
    table: &Table<R>,
    layout: &Layout,
    grid: &mut [Complex<R>],
    workers: Workers,
    instructions: InstructionSet,
) {
    let tiles = sorted.tiles();
    let count = sorted.places().len();
    assert_eq!(strengths.value.len(), count);
    assert!(strengths.along.iter().flatten().all(|a| a.len() == count));
    assert_eq!(grid.len(), layout.elements());
    assert_eq!(tiles.lengths[..], layout.lengths[3 - D..]);
    assert_eq!(tiles.width, table.width);
    let elements = grid.len();
    let grid = Shared::new(grid);
    let strides: [usize; D] = layout.strides();
    let height = tiles.strip_height() * strides[0];
    for color in 0..2 {
        let strips = (tiles.strips() + 1 - color) / 2;
        workers.for_each(
            strips,
            || (),
            |(), number| {
                if color == 0 {
                    // Cleared immediately before use, over all that the strip reaches: itself and
                    // the next.
                    let first = 2 * number * height;
                    let end = if number + 1 == strips {
                        elements
                    } else {
                        first + 2 * height
                    };
                    // SAFETY: the parts cleared by the strips of this color are disjoint.
                    let part = unsafe { grid.part(first..end) };
                    part.fill(Complex::new(R::zero(), R::zero()));
                }
                let strip = sorted.strip(2 * number + color);
                let job = Spread {
                    points: &sorted.places()[strip.clone()],
                    axes: tiles.axes,
                    strengths: Strengths {
                        value: &strengths.value[strip.clone()],
                        along: strengths.along.map(|axes| axes.map(|a| &a[strip.clone()])),
                    },
                    table,
                    strides,
                    scale: tiles.lengths.map(derivative_scale),
                    grid: &grid,
                };
                R::spread(instructions, job);
            },
        );
    }
}

/// Returns du/dx: a point at x radians has u = 1 − 2·frac(xn/2π + …).
pub(crate) fn derivative_scale<R: Precision>(length: usize) -> R {
    R::narrow(-(length as f64) * std::f64::consts::FRAC_1_PI)
}

/// Spreading job for the points of a strip.
#[derive(Debug)]
pub struct Spread<'a, R, const D: usize> {
    points: &'a [Place<D>],
    axes: [Axis; D],
    strengths: Strengths<'a, R, D>,
    table: &'a Table<R>,
    strides: [usize; D],
    scale: [R; D],
    grid: &'a Shared<'a, Complex<R>>,
}

impl<R: Precision, const D: usize> Job for Spread<'_, R, D> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<S: Instructions>(self) {
        // SAFETY: the caller guarantees the instruction set.
        unsafe {
            if self.strengths.along.is_some() {
                with_vectors!(R::Vector<S>, self.table.width, (V, M) => self.all::<R::Vector<S>, V, M, true>());
            } else {
                with_vectors!(R::Vector<S>, self.table.width, (V, M) => self.all::<R::Vector<S>, V, M, false>());
            }
        }
    }
}

impl<R: Precision, const D: usize> Spread<'_, R, D> {
    /// Spreads all points of the job.
    ///
    /// # Safety
    /// The CPU must support the instruction set of `S`.
    #[inline(always)]
    unsafe fn all<S: Lanes<Real = R>, const V: usize, const M: usize, const SLOPE: bool>(&self) {
        let width = self.table.width;
        let mut weights = [Weights::<R, D>::empty(); AHEAD];
        for (number, points) in self.points.chunks(AHEAD).enumerate() {
            // SAFETY: the caller guarantees the instruction set.
            unsafe { evaluate::<S, R, D, V, SLOPE>(self.table, &self.axes, points, &mut weights) };
            let mut strengths = [None; AHEAD];
            for i in 0..points.len() {
                let index = number * AHEAD + i;
                // SAFETY: there are as many strengths as points, as `spread` checks.
                unsafe {
                    let z = S::splat_complex(*self.strengths.value.get_unchecked(index));
                    let mut dz = [z; D];
                    if let Some(axes) = &self.strengths.along {
                        for d in 0..D {
                            let along = *axes[d].get_unchecked(index);
                            dz[d] = S::splat_complex(along * self.scale[d]);
                        }
                    }
                    if const { goes_by_planes::<S, D, V>() } {
                        strengths[i] = Some((z, dz));
                    } else if weights[i].reaches_beyond::<S, V>(width) {
                        // The position is inside the grid, which is extended by the width of the
                        // window along every axis, and no other worker accesses this strip or those
                        // that the window reaches.
                        self.one::<S, M, SLOPE>(&weights[i], z, dz);
                    } else {
                        self.one::<S, V, SLOPE>(&weights[i], z, dz);
                    }
                }
            }
            if const { goes_by_planes::<S, D, V>() } {
                // Plane by plane: one plane of the grid points touched stays in the L1 cache.
                let weights = &weights[..points.len()];
                for plane in planes(weights, width) {
                    for (weights, strengths) in weights.iter().zip(&strengths) {
                        let row = plane.wrapping_sub(weights.first[0]);
                        if row < width
                            && let Some((z, dz)) = strengths
                        {
                            // SAFETY: as above.
                            unsafe {
                                if weights.reaches_beyond::<S, V>(width) {
                                    self.plane::<S, M, SLOPE>(weights, row, *z, dz);
                                } else {
                                    self.plane::<S, V, SLOPE>(weights, row, *z, dz);
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// Adds one point.
    ///
    /// # Safety
    /// As [`Spread::all`], and the weights must be those of a point inside the grid.
    #[inline(always)]
    unsafe fn one<S: Lanes<Real = R>, const V: usize, const SLOPE: bool>(
        &self,
        weights: &Weights<R, D>,
        z: S,
        dz: [S; D],
    ) {
        let last = D - 1;
        // SAFETY: upheld by the caller; rows of weights have `WIDEST` numbers, and a row of the
        // grid has whole vectors beyond the last grid point.
        unsafe {
            if D == 3 {
                for a in 0..self.table.width {
                    self.plane::<S, V, SLOPE>(weights, a, z, &dz);
                }
                return;
            }
            let x: [S; V] = weights.along_row();
            let dx: [S; V] = weights.derivative_along_row();
            let mut row = self.grid.as_mut_ptr().cast::<R>();
            row = row.add(2 * weights.start::<S>(self.strides));
            if D == 1 {
                add::<S, R, V, SLOPE>(row, &x, &dx, z, dz[0]);
                return;
            }
            for a in 0..self.table.width {
                let wa = S::splat(*weights.value[0].get_unchecked(a));
                let mut za = z.mul(wa);
                let mut dza = za;
                if SLOPE {
                    let sa = S::splat(*weights.derivative[0].get_unchecked(a));
                    za = za.plus(dz[0], sa);
                    dza = dz[last].mul(wa);
                }
                add::<S, R, V, SLOPE>(row, &x, &dx, za, dza);
                row = row.add(2 * self.strides[0]);
            }
        }
    }

    /// Adds the a-th plane of the window of a point in three dimensions.
    ///
    /// # Safety
    /// As [`Spread::one`], and a must be less than the width.
    #[inline(always)]
    unsafe fn plane<S: Lanes<Real = R>, const V: usize, const SLOPE: bool>(
        &self,
        weights: &Weights<R, D>,
        a: usize,
        z: S,
        dz: &[S; D],
    ) {
        let (middle, last) = (D / 2, D - 1);
        // SAFETY: as in `one`.
        unsafe {
            let x: [S; V] = weights.along_row();
            let dx: [S; V] = weights.derivative_along_row();
            let mut row = self.grid.as_mut_ptr().cast::<R>();
            row = row.add(2 * (a * self.strides[0] + weights.start::<S>(self.strides)));
            let wa = S::splat(*weights.value[0].get_unchecked(a));
            let (mut za, mut dz1, mut dz2) = (z.mul(wa), z, z);
            if SLOPE {
                let sa = S::splat(*weights.derivative[0].get_unchecked(a));
                za = za.plus(dz[0], sa);
                dz1 = dz[middle].mul(wa);
                dz2 = dz[last].mul(wa);
            }
            for b in 0..self.table.width {
                let wb = S::splat(*weights.value[middle].get_unchecked(b));
                let mut zb = za.mul(wb);
                let mut dzb = zb;
                if SLOPE {
                    let sb = S::splat(*weights.derivative[middle].get_unchecked(b));
                    zb = zb.plus(dz1, sb);
                    dzb = dz2.mul(wb);
                }
                add::<S, R, V, SLOPE>(row, &x, &dx, zb, dzb);
                row = row.add(2 * self.strides[middle]);
            }
        }
    }
}

/// Adds z·w(x) + dz·w'(x) to a row of the grid, z and dz being the strengths times the weights of
/// the other axes.
///
/// # Safety
/// The CPU must support the instruction set of `S`, and the row must hold V vectors.
#[inline(always)]
unsafe fn add<S, R, const V: usize, const SLOPE: bool>(
    row: *mut R,
    x: &[S; V],
    dx: &[S; V],
    z: S,
    dz: S,
) where
    R: Precision,
    S: Lanes<Real = R>,
{
    for v in 0..V {
        // SAFETY: upheld by the caller.
        unsafe {
            let at = row.add(v * S::COUNT);
            let mut sum = S::load(at).plus(x[v], z);
            if SLOPE {
                sum = sum.plus(dx[v], dz);
            }
            sum.store(at);
        }
    }
}
