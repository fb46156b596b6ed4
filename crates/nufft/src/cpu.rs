//! The transform on the CPU: spreading, FFT, and deconvolution with SIMD instructions and threads.
//!
//! Points are sorted by tile of the fine grid. Threads spread onto strips of tiles concurrently, every
//! second one first, so that no two overlap and results are bitwise identical for any number of threads.

use std::sync::{Mutex, PoisonError};

use num_complex::Complex;
use wavefield_numerics::cpu::{CpuPool, Simd};
use wavefield_numerics::simd::InstructionSet;

use crate::choice::Choice;
use crate::error::NufftError;
use crate::grid::Layout;
use crate::kernels::interpolate::{Values, interpolate};
use crate::kernels::memory::Lined;
use crate::kernels::spread::{Strengths, spread};
use crate::kernels::transform::Transform;
use crate::kernels::weights::Table;
use crate::options::{Options, Sign};
use crate::points::{Points, with_sorted};
use crate::precision::Precision;
use crate::spare::Spare;
use crate::workers::Workers;

/// Number of points and grid points below which one thread is faster than several.
const WORTH_SHARING: usize = 1 << 15;

/// A transform on the CPU.
#[derive(Debug)]
pub(crate) struct CpuTransform<R: Precision> {
    modes: Vec<usize>,
    options: Options,
    pool: CpuPool,
    instructions: InstructionSet,
    setting: Setting<R>,
    points: Option<Points>,
    /// Spare fine grids.
    grids: Spare<Complex<R>>,
    /// Spare arrays for strengths or values in tile order.
    values: Spare<Complex<R>>,
}

/// Data derived from the choice of window and grid.
#[derive(Debug)]
struct Setting<R: Precision> {
    choice: Choice,
    layout: Layout,
    table: Table<R>,
    transform: Transform<R>,
}

impl<R: Precision> Setting<R> {
    fn new(modes: &[usize], choice: Choice) -> Self {
        let kernel = choice.kernel();
        let layout = Layout::new::<R>(&choice.grid, choice.width);
        Setting {
            layout,
            table: Table::new(&kernel),
            transform: Transform::new(modes, layout, &kernel),
            choice,
        }
    }
}

impl<R: Precision> CpuTransform<R> {
    pub(crate) fn new(
        pool: &CpuPool,
        modes: &[usize],
        options: &Options,
    ) -> Result<Self, NufftError> {
        let instructions = options.instructions()?;
        // The number of points is estimated by that of the modes until they are set.
        let points = modes.iter().product();
        let choice = Choice::new::<R>(modes, points, options, instructions.simd())?;
        Ok(CpuTransform {
            modes: modes.to_vec(),
            options: *options,
            pool: pool.clone(),
            instructions,
            setting: Setting::new(modes, choice),
            points: None,
            grids: Spare::new(),
            values: Spare::new(),
        })
    }

    /// Returns the number of points; 0 before they are set.
    pub(crate) fn points(&self) -> usize {
        self.points.as_ref().map_or(0, Points::count)
    }

    /// Returns window and grid.
    pub(crate) fn choice(&self) -> &Choice {
        &self.setting.choice
    }

    /// Returns the SIMD instruction set in use.
    pub(crate) fn simd(&self) -> Simd {
        self.instructions.simd()
    }

    /// Returns the memory in bytes of a transform with `points` points, excluding its arguments.
    pub(crate) fn memory(&self, points: usize) -> usize {
        let grid = self.setting.layout.elements() * size_of::<Complex<R>>();
        let work = self.setting.transform.memory(Workers::Pool(&self.pool));
        let point = Points::bytes(self.modes.len()) + size_of::<Complex<R>>();
        points * point + grid + work
    }

    /// Sets the points: one slice of coordinates per axis, in radians, any real numbers. Window and grid
    /// are chosen again for their number.
    ///
    /// # Errors
    /// Returns [`NufftError`] if axes differ in length or a coordinate is not finite; the plan then has
    /// no points.
    pub(crate) fn set_points<C: Precision>(
        &mut self,
        coordinates: &[&[C]],
    ) -> Result<(), NufftError> {
        let earlier = self.points.take();
        let count = coordinates.first().map_or(0, |axis| axis.len());
        let choice = Choice::new::<R>(&self.modes, count, &self.options, self.instructions.simd())?;
        if choice != self.setting.choice {
            self.setting = Setting::new(&self.modes, choice);
            self.grids = Spare::new();
        }
        if earlier.as_ref().map(Points::count) != Some(count) {
            self.values = Spare::new();
        }
        let Choice { grid, width, .. } = &self.setting.choice;
        let (workers, instructions) = (self.workers(count), self.instructions);
        let points = Points::sort(coordinates, grid, *width, workers, instructions, earlier)?;
        self.points = Some(points);
        Ok(())
    }

    /// Computes type 1: spreading, FFT, deconvolution.
    pub(crate) fn forward(
        &self,
        sign: Sign,
        strengths: &[Complex<R>],
        along: Option<&[Complex<R>]>,
        coefficients: &mut [Complex<R>],
    ) -> Result<(), NufftError> {
        let points = self.points.as_ref().ok_or(NufftError::NoPoints)?;
        let along_len = along.map(<[_]>::len);
        let vectors = self.vectors(strengths.len(), coefficients.len(), along_len)?;
        let (count, axes) = (points.count(), self.modes.len());
        let total = self.modes.iter().product::<usize>();
        let coefficients = coefficients.chunks_exact_mut(total).collect::<Vec<_>>();
        self.each_vector(vectors, coefficients, |workers, vector, coefficients| {
            let strengths = &strengths[vector * count..(vector + 1) * count];
            let along = along.map(|all| &all[vector * axes * count..(vector + 1) * axes * count]);
            let order = points.order();
            let mut sorted = self.take_values(count * (1 + along.map_or(0, |_| axes)));
            order.sort(strengths, &mut sorted[..count], workers);
            if let Some(along) = along {
                let given = along.chunks_exact(count.max(1));
                for (axis, sorted) in given.zip(sorted[count..].chunks_exact_mut(count.max(1))) {
                    order.sort(axis, sorted, workers);
                }
            }
            let mut grid = self.take_grid();
            with_sorted!(points, places => {
                let (value, rest) = sorted.split_at(count);
                let strengths = Strengths {
                    value,
                    along: along.map(|_| by_axis(rest, count)),
                };
                let Setting { table, layout, .. } = &self.setting;
                spread(places, strengths, table, layout, &mut grid, workers, self.instructions);
            });
            self.values.give(sorted);
            let direction = usize::from(sign == Sign::Plus);
            self.setting
                .transform
                .to_modes(direction, &mut grid, coefficients, workers);
            self.grids.give(grid);
        });
        Ok(())
    }

    /// Computes type 2: deconvolution, FFT, interpolation.
    pub(crate) fn backward(
        &self,
        sign: Sign,
        coefficients: &[Complex<R>],
        values: &mut [Complex<R>],
        gradient: Option<&mut [Complex<R>]>,
    ) -> Result<(), NufftError> {
        let points = self.points.as_ref().ok_or(NufftError::NoPoints)?;
        let gradient_len = gradient.as_ref().map(|all| all.len());
        let vectors = self.vectors(values.len(), coefficients.len(), gradient_len)?;
        let (count, axes) = (points.count(), self.modes.len());
        if count == 0 {
            return Ok(());
        }
        let total = self.modes.iter().product::<usize>();
        let gradients: Vec<Option<&mut [Complex<R>]>> = match gradient {
            None => (0..vectors).map(|_| None).collect(),
            Some(all) => all.chunks_exact_mut(axes * count).map(Some).collect(),
        };
        let outputs = values
            .chunks_exact_mut(count)
            .zip(gradients)
            .collect::<Vec<_>>();
        self.each_vector(vectors, outputs, |workers, vector, (values, gradient)| {
            let coefficients = &coefficients[vector * total..(vector + 1) * total];
            let mut grid = self.take_grid();
            let direction = usize::from(sign == Sign::Plus);
            self.setting
                .transform
                .to_grid(direction, coefficients, &mut grid, workers);
            let derivatives = gradient.is_some();
            let mut sorted = self.take_values(count * if derivatives { 1 + axes } else { 1 });
            with_sorted!(points, places => {
                let (value, rest) = sorted.split_at_mut(count);
                let values = Values {
                    value,
                    along: derivatives.then(|| by_axis_mut(rest, count)),
                };
                let Setting { table, layout, .. } = &self.setting;
                interpolate(places, values, table, layout, &grid, workers, self.instructions);
            });
            let order = points.order();
            order.unsort(&sorted[..count], values, workers);
            if let Some(gradient) = gradient {
                let axes = sorted[count..].chunks_exact(count);
                for (axis, given) in axes.zip(gradient.chunks_exact_mut(count)) {
                    order.unsort(axis, given, workers);
                }
            }
            self.values.give(sorted);
            self.grids.give(grid);
        });
        Ok(())
    }

    /// Calls `work` for every vector: sequentially with all threads, or concurrently with one thread each
    /// if one transform is too small for several threads.
    fn each_vector<T: Send>(
        &self,
        vectors: usize,
        outputs: Vec<T>,
        work: impl Fn(Workers, usize, T) + Sync + Send,
    ) {
        let workers = self.workers(self.points());
        let alone = matches!(workers, Workers::Caller);
        if vectors > 1 && alone && self.pool.threads() > 1 {
            let outputs: Vec<Mutex<Option<T>>> = outputs
                .into_iter()
                .map(|output| Mutex::new(Some(output)))
                .collect();
            Workers::Pool(&self.pool).for_each(
                vectors,
                || (),
                |(), vector| {
                    let mut output = outputs[vector]
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner);
                    if let Some(output) = output.take() {
                        work(Workers::Caller, vector, output);
                    }
                },
            );
        } else {
            for (vector, output) in outputs.into_iter().enumerate() {
                work(workers, vector, output);
            }
        }
    }

    /// Returns the workers of one transform with `points` points.
    fn workers(&self, points: usize) -> Workers<'_> {
        let size = points + self.setting.choice.grid.iter().product::<usize>();
        if self.pool.threads() == 1 || size < WORTH_SHARING {
            Workers::Caller
        } else {
            Workers::Pool(&self.pool)
        }
    }

    /// Returns the number of vectors in the arguments, after a check of their lengths.
    fn vectors(
        &self,
        over_points: usize,
        over_modes: usize,
        gradient: Option<usize>,
    ) -> Result<usize, NufftError> {
        let points = self.points();
        let modes = self.modes.iter().product::<usize>();
        let vectors = (over_modes / modes).max(1);
        let axes = self.modes.len();
        let check = NufftError::check_length;
        check("the array over the modes", vectors * modes, over_modes)?;
        check("the array over the points", vectors * points, over_points)?;
        if let Some(found) = gradient {
            check("the array of derivatives", vectors * axes * points, found)?;
        }
        Ok(vectors)
    }

    /// Returns a fine grid with arbitrary content.
    fn take_grid(&self) -> Lined<Complex<R>> {
        let elements = self.setting.layout.elements();
        self.grids
            .take(Complex::new(R::zero(), R::zero()), elements)
    }

    /// Returns an array of at least `count` elements with arbitrary content.
    fn take_values(&self, count: usize) -> Lined<Complex<R>> {
        self.values.take(Complex::new(R::zero(), R::zero()), count)
    }
}

/// Splits a slice over axes and points into one slice per axis.
fn by_axis<T, const D: usize>(all: &[T], points: usize) -> [&[T]; D] {
    std::array::from_fn(|axis| &all[axis * points..(axis + 1) * points])
}

/// Splits a mutable slice over axes and points into one slice per axis.
fn by_axis_mut<T, const D: usize>(mut all: &mut [T], points: usize) -> [&mut [T]; D] {
    std::array::from_fn(|_| {
        let (axis, rest) = std::mem::take(&mut all).split_at_mut(points);
        all = rest;
        axis
    })
}
