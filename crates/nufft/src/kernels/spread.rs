//! Spreading: every point adds its strength, times its window, to the grid. And the same with
//! strengths along the window's derivatives.

use num_complex::Complex;
use wavefield_numerics::simd::{InstructionSet, Instructions, Job};

use super::Passes;
use super::lanes::Lanes;
use super::shared::Shared;
use super::weights::{AHEAD, Table, Weights, evaluate, goes_by_planes, planes};
use super::with_vectors;
use crate::grid::Layout;
use crate::points::Sorted;
use crate::precision::Precision;
use crate::tiles::Place;
use crate::workers::Workers;

/// Strengths of the points in the order of the tiles: of their windows, and perhaps of the windows'
/// derivatives along each axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strengths<'a, R, const D: usize> {
    pub(crate) value: &'a [Complex<R>],
    /// Per axis, in the unit of the derivative by the coordinate.
    pub(crate) along: Option<[&'a [Complex<R>]; D]>,
}

/// Brings all points onto a grid, whatever was in it before: every second strip at the same time, then the others, so that the order of
/// the sums, and with it every bit, is the same for any number of workers.
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
    for colour in 0..2 {
        let strips = (tiles.strips() + 1 - colour) / 2;
        workers.for_each(
            strips,
            || (),
            |(), number| {
                if colour == 0 {
                    // Just before it is needed, and all that the strip reaches: itself and the next.
                    let first = 2 * number * height;
                    let end = if number + 1 == strips {
                        elements
                    } else {
                        first + 2 * height
                    };
                    // SAFETY: every strip of this colour clears its own part.
                    let part = unsafe { grid.part(first..end) };
                    part.fill(Complex::new(R::zero(), R::zero()));
                }
                let strip = sorted.strip(2 * number + colour);
                let job = Spread {
                    points: &sorted.places()[strip.clone()],
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

/// du/dx: a point at x radians lies at u = 1 − 2·frac(xn/2π + …).
pub(crate) fn derivative_scale<R: Precision>(length: usize) -> R {
    R::narrow(-(length as f64) * std::f64::consts::FRAC_1_PI)
}

/// The points of one strip.
#[derive(Debug)]
pub struct Spread<'a, R, const D: usize> {
    points: &'a [Place<D>],
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
        // SAFETY: the instruction set is the caller's word.
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
    /// # Safety
    /// The processor must have the instruction set of `S`.
    #[inline(always)]
    unsafe fn all<S: Lanes<Real = R>, const V: usize, const M: usize, const SLOPE: bool>(&self) {
        let width = self.table.width;
        let mut weights = [Weights::<R, D>::empty(); AHEAD];
        for (number, points) in self.points.chunks(AHEAD).enumerate() {
            // SAFETY: the instruction set is the caller's word.
            unsafe { evaluate::<S, R, D, V, SLOPE>(self.table, points, &mut weights) };
            let mut strengths = [None; AHEAD];
            for i in 0..points.len() {
                let index = number * AHEAD + i;
                // SAFETY: there are as many strengths as points; `spread` compared them.
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
                        // The place lies inside the grid, which is longer by the window in every
                        // axis, and no other worker touches this strip or those the window reaches.
                        self.one::<S, M, SLOPE>(&weights[i], z, dz);
                    } else {
                        self.one::<S, V, SLOPE>(&weights[i], z, dz);
                    }
                }
            }
            if const { goes_by_planes::<S, D, V>() } {
                // Plane by plane: one plane of what the points touch stays in the nearest cache.
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
    /// As [`Spread::all`], and the weights must be of a point inside the grid.
    #[inline(always)]
    unsafe fn one<S: Lanes<Real = R>, const V: usize, const SLOPE: bool>(
        &self,
        weights: &Weights<R, D>,
        z: S,
        dz: [S; D],
    ) {
        let last = D - 1;
        // SAFETY: the caller's word; rows of weights have `WIDEST` numbers, and a row of the grid has
        // whole vectors beyond the last place.
        unsafe {
            if D == 3 {
                for a in 0..self.table.width {
                    self.plane::<S, V, SLOPE>(weights, a, z, &dz);
                }
                return;
            }
            let x: [S; V] = weights.along_row();
            let dx: [S; V] = weights.slope_along_row();
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
                    let sa = S::splat(*weights.slope[0].get_unchecked(a));
                    za = za.plus(dz[0], sa);
                    dza = dz[last].mul(wa);
                }
                add::<S, R, V, SLOPE>(row, &x, &dx, za, dza);
                row = row.add(2 * self.strides[0]);
            }
        }
    }

    /// Adds one plane of a point of three axes, the a-th that it touches.
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
            let dx: [S; V] = weights.slope_along_row();
            let mut row = self.grid.as_mut_ptr().cast::<R>();
            row = row.add(2 * (a * self.strides[0] + weights.start::<S>(self.strides)));
            let wa = S::splat(*weights.value[0].get_unchecked(a));
            let (mut za, mut dz1, mut dz2) = (z.mul(wa), z, z);
            if SLOPE {
                let sa = S::splat(*weights.slope[0].get_unchecked(a));
                za = za.plus(dz[0], sa);
                dz1 = dz[middle].mul(wa);
                dz2 = dz[last].mul(wa);
            }
            for b in 0..self.table.width {
                let wb = S::splat(*weights.value[middle].get_unchecked(b));
                let mut zb = za.mul(wb);
                let mut dzb = zb;
                if SLOPE {
                    let sb = S::splat(*weights.slope[middle].get_unchecked(b));
                    zb = zb.plus(dz1, sb);
                    dzb = dz2.mul(wb);
                }
                add::<S, R, V, SLOPE>(row, &x, &dx, zb, dzb);
                row = row.add(2 * self.strides[middle]);
            }
        }
    }
}

/// A row of the grid plus z·w(x) + dz·w'(x), z and dz the strengths times the weights of the other axes.
///
/// # Safety
/// The processor must have the instruction set of `S`, and the row V vectors.
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
        // SAFETY: the caller's word.
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
