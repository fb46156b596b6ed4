//! Interpolation, the transpose of spreading: values of the grid at the points with the weights of the
//! window, and derivatives with those of its derivative, in one pass.

use num_complex::Complex;
use num_traits::Zero;
use wavefield_numerics::simd::{InstructionSet, Instructions, Job};

use super::Passes;
use super::lanes::Lanes;
use super::shared::Shared;
use super::spread::derivative_scale;
use super::weights::{AHEAD, Table, Weights, evaluate, goes_by_planes, planes};
use super::with_vectors;
use crate::axis::Axis;
use crate::grid::Layout;
use crate::points::Sorted;
use crate::precision::Precision;
use crate::tiles::Place;
use crate::workers::Workers;

/// Points per task.
const TASK: usize = 4096;

/// Output in tile order: values, and optionally derivatives along each axis.
#[derive(Debug)]
pub(crate) struct Values<'a, R, const D: usize> {
    pub(crate) value: &'a mut [Complex<R>],
    pub(crate) along: Option<[&'a mut [Complex<R>]; D]>,
}

/// Interpolates the values of all points from a grid.
pub(crate) fn interpolate<R: Precision + Passes<D>, const D: usize>(
    sorted: &Sorted<D>,
    values: Values<'_, R, D>,
    table: &Table<R>,
    layout: &Layout,
    grid: &[Complex<R>],
    workers: Workers,
    instructions: InstructionSet,
) {
    let tiles = sorted.tiles();
    let points = sorted.places();
    assert_eq!(values.value.len(), points.len());
    assert!(
        values
            .along
            .iter()
            .flatten()
            .all(|a| a.len() == points.len())
    );
    assert_eq!(grid.len(), layout.elements());
    assert_eq!(tiles.lengths[..], layout.lengths[3 - D..]);
    assert_eq!(tiles.width, table.width);
    let value = Shared::new(values.value);
    let along = values.along.map(|axes| axes.map(Shared::new));
    workers.for_each(
        points.len().div_ceil(TASK),
        || (),
        |(), task| {
            let range = task * TASK..points.len().min((task + 1) * TASK);
            // SAFETY: the index ranges of the tasks are disjoint.
            let values = unsafe {
                Values {
                    value: value.part(range.clone()),
                    along: along
                        .as_ref()
                        .map(|axes| axes.each_ref().map(|axis| axis.part(range.clone()))),
                }
            };
            let job = Interpolate {
                points: &points[range],
                axes: tiles.axes,
                values,
                table,
                strides: layout.strides(),
                scale: tiles.lengths.map(derivative_scale),
                grid,
            };
            R::interpolate(instructions, job);
        },
    );
}

/// Interpolation job for a range of points.
#[derive(Debug)]
pub struct Interpolate<'a, R, const D: usize> {
    points: &'a [Place<D>],
    axes: [Axis; D],
    values: Values<'a, R, D>,
    table: &'a Table<R>,
    strides: [usize; D],
    scale: [R; D],
    grid: &'a [Complex<R>],
}

impl<R: Precision, const D: usize> Job for Interpolate<'_, R, D> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<S: Instructions>(mut self) {
        // SAFETY: the caller guarantees the instruction set.
        unsafe {
            if self.values.along.is_some() {
                with_vectors!(R::Vector<S>, self.table.width, (V, M) => self.all::<R::Vector<S>, V, M, true>());
            } else {
                with_vectors!(R::Vector<S>, self.table.width, (V, M) => self.all::<R::Vector<S>, V, M, false>());
            }
        }
    }
}

impl<R: Precision, const D: usize> Interpolate<'_, R, D> {
    /// Interpolates at all points of the job.
    ///
    /// # Safety
    /// The CPU must support the instruction set of `S`.
    #[inline(always)]
    unsafe fn all<S: Lanes<Real = R>, const V: usize, const M: usize, const SLOPE: bool>(
        &mut self,
    ) {
        let width = self.table.width;
        let mut weights = [Weights::<R, D>::empty(); AHEAD];
        for (number, points) in self.points.chunks(AHEAD).enumerate() {
            // SAFETY: the caller guarantees the instruction set.
            unsafe { evaluate::<S, R, D, V, SLOPE>(self.table, &self.axes, points, &mut weights) };
            // SAFETY: as above.
            let mut sums = [unsafe { Sums::<S, M>::zero() }; AHEAD];
            if const { goes_by_planes::<S, D, V>() } {
                // Plane by plane: one plane of the grid points touched stays in the L1 cache.
                let weights = &weights[..points.len()];
                for plane in planes(weights, width) {
                    for (weights, sums) in weights.iter().zip(&mut sums) {
                        let row = plane.wrapping_sub(weights.first[0]);
                        if row < width {
                            // SAFETY: `Sorted` holds positions inside the grid, which is extended by the
                            // width of the window along every axis.
                            unsafe {
                                if weights.reaches_beyond::<S, V>(width) {
                                    self.plane::<S, M, M, SLOPE>(weights, row, sums);
                                } else {
                                    self.plane::<S, V, M, SLOPE>(weights, row, sums);
                                }
                            }
                        }
                    }
                }
            }
            for (i, weights) in weights[..points.len()].iter().enumerate() {
                let index = number * AHEAD + i;
                // SAFETY: as above, and there are as many values as points, as `interpolate` checks.
                unsafe {
                    let (value, along) = if const { goes_by_planes::<S, D, V>() } {
                        sums[i].collect::<D, SLOPE>(weights)
                    } else if weights.reaches_beyond::<S, V>(width) {
                        self.one::<S, M, SLOPE>(weights)
                    } else {
                        self.one::<S, V, SLOPE>(weights)
                    };
                    *self.values.value.get_unchecked_mut(index) = value;
                    if SLOPE && let Some(axes) = &mut self.values.along {
                        for d in 0..D {
                            *axes[d].get_unchecked_mut(index) = along[d] * self.scale[d];
                        }
                    }
                }
            }
        }
    }

    /// Computes the value at a point, and its derivatives with respect to u along each axis.
    ///
    /// # Safety
    /// As [`Interpolate::all`], and the weights must be those of a point inside the grid.
    #[inline(always)]
    unsafe fn one<S: Lanes<Real = R>, const V: usize, const SLOPE: bool>(
        &self,
        weights: &Weights<R, D>,
    ) -> (Complex<R>, [Complex<R>; D]) {
        // SAFETY: upheld by the caller.
        unsafe {
            let mut sums = Sums::<S, V>::zero();
            if D == 3 {
                for a in 0..self.table.width {
                    self.plane::<S, V, V, SLOPE>(weights, a, &mut sums);
                }
            } else {
                self.rows::<S, V, SLOPE>(weights, &mut sums);
            }
            sums.collect::<D, SLOPE>(weights)
        }
    }

    /// Sums over the rows of a point in one or two dimensions.
    ///
    /// # Safety
    /// As [`Interpolate::all`], and the weights must be those of a point inside the grid.
    #[inline(always)]
    unsafe fn rows<S: Lanes<Real = R>, const V: usize, const SLOPE: bool>(
        &self,
        weights: &Weights<R, D>,
        sums: &mut Sums<S, V>,
    ) {
        // SAFETY: upheld by the caller; a row of the grid has whole vectors beyond the last grid point.
        unsafe {
            let mut row = self.grid.as_ptr().cast::<R>();
            row = row.add(2 * weights.start::<S>(self.strides));
            if D == 1 {
                for v in 0..V {
                    sums.all[v] = S::load(row.add(v * S::COUNT));
                }
                return;
            }
            let Sums { mut all, mut by } = *sums;
            for a in 0..self.table.width {
                let wa = S::splat(*weights.value[0].get_unchecked(a));
                let sa = S::splat(*weights.derivative[0].get_unchecked(a));
                for v in 0..V {
                    let element = S::load(row.add(v * S::COUNT));
                    all[v] = all[v].plus(element, wa);
                    if SLOPE {
                        by[0][v] = by[0][v].plus(element, sa);
                    }
                }
                row = row.add(2 * self.strides[0]);
            }
            *sums = Sums { all, by };
        }
    }

    /// Sums over the a-th plane of the window of a point in three dimensions: V of M vectors.
    ///
    /// # Safety
    /// As [`Interpolate::rows`], and a must be less than the width.
    #[inline(always)]
    unsafe fn plane<S: Lanes<Real = R>, const V: usize, const M: usize, const SLOPE: bool>(
        &self,
        weights: &Weights<R, D>,
        a: usize,
        sums: &mut Sums<S, M>,
    ) {
        let middle = D / 2;
        // SAFETY: as in `rows`.
        unsafe {
            let zero = S::splat(R::zero());
            let mut row = self.grid.as_ptr().cast::<R>();
            row = row.add(2 * (a * self.strides[0] + weights.start::<S>(self.strides)));
            let (mut plane, mut plane_by) = ([zero; V], [zero; V]);
            for b in 0..self.table.width {
                let wb = S::splat(*weights.value[middle].get_unchecked(b));
                let sb = S::splat(*weights.derivative[middle].get_unchecked(b));
                for v in 0..V {
                    let element = S::load(row.add(v * S::COUNT));
                    plane[v] = plane[v].plus(element, wb);
                    if SLOPE {
                        plane_by[v] = plane_by[v].plus(element, sb);
                    }
                }
                row = row.add(2 * self.strides[middle]);
            }
            let wa = S::splat(*weights.value[0].get_unchecked(a));
            let sa = S::splat(*weights.derivative[0].get_unchecked(a));
            for v in 0..V {
                sums.all[v] = sums.all[v].plus(plane[v], wa);
                if SLOPE {
                    sums.by[0][v] = sums.by[0][v].plus(plane[v], sa);
                    sums.by[1][v] = sums.by[1][v].plus(plane_by[v], wa);
                }
            }
        }
    }
}

/// Sums over the slow axes, along a row: with the weights, and with the derivative of the first or of
/// the second in place of its weight.
#[derive(Clone, Copy)]
struct Sums<S, const V: usize> {
    all: [S; V],
    by: [[S; V]; 2],
}

impl<S: Lanes<Real: Precision>, const V: usize> Sums<S, V> {
    /// Creates sums of zero.
    ///
    /// # Safety
    /// The CPU must support the instruction set of `S`.
    #[inline(always)]
    unsafe fn zero() -> Self {
        // SAFETY: upheld by the caller.
        let zero = unsafe { S::splat(S::Real::zero()) };
        Sums {
            all: [zero; V],
            by: [[zero; V]; 2],
        }
    }

    /// Computes the value at a point, and its derivatives with respect to u along each axis.
    ///
    /// # Safety
    /// The CPU must support the instruction set of `S`.
    #[inline(always)]
    unsafe fn collect<const D: usize, const SLOPE: bool>(
        &self,
        weights: &Weights<S::Real, D>,
    ) -> (Complex<S::Real>, [Complex<S::Real>; D]) {
        let last = D - 1;
        // SAFETY: upheld by the caller.
        unsafe {
            let x: [S; V] = weights.along_row();
            let value = collect(&self.all, &x);
            let mut along = [value; D];
            if SLOPE {
                let dx: [S; V] = weights.derivative_along_row();
                along[last] = collect(&self.all, &dx);
                for d in 0..last {
                    along[d] = collect(&self.by[d], &x);
                }
            }
            (value, along)
        }
    }
}

/// Sums a row of the grid times the weights along it.
///
/// # Safety
/// The CPU must support the instruction set of `S`.
#[inline(always)]
unsafe fn collect<S, R, const V: usize>(row: &[S; V], x: &[S; V]) -> Complex<R>
where
    R: Precision,
    S: Lanes<Real = R>,
{
    // SAFETY: upheld by the caller.
    unsafe {
        let mut total = S::splat(R::zero());
        for v in 0..V {
            total = total.plus(row[v], x[v]);
        }
        total.sum_complex()
    }
}
