//! Type 3 on the CPU: spreading onto the grid that covers the points, and type 2 from there to the frequencies.

use num_complex::Complex;
use wavefield_numerics::cpu::CpuPool;
use wavefield_numerics::simd::InstructionSet;

use crate::cpu::CpuTransform;
use crate::error::NufftError;
use crate::grid::Layout;
use crate::kernel::Kernel;
use crate::kernels::interpolate::{Values, interpolate};
use crate::kernels::memory::Lined;
use crate::kernels::spread::{Strengths, spread};
use crate::kernels::weights::Table;
use crate::options::{Options, Sign};
use crate::points::{Points, with_sorted};
use crate::precision::Precision;
use crate::spare::Spare;
use crate::workers::Workers;

/// A transform of type 3 without the factors of points and frequencies.
#[derive(Debug)]
pub(crate) struct CpuType3<R: Precision> {
    pool: CpuPool,
    instructions: InstructionSet,
    points: Points,
    table: Table<R>,
    layout: Layout,
    /// Type 2 from the grid to the frequencies.
    inner: CpuTransform<R>,
    grids: Spare<Complex<R>>,
}

impl<R: Precision> CpuType3<R> {
    /// Prepares spreading onto a grid of these lengths, which are the modes of the inner transform. Angles are given axis by axis.
    ///
    /// # Errors
    /// Returns [`NufftError`] if an option is out of range or there are too many points.
    pub(crate) fn new(
        pool: &CpuPool,
        lengths: &[usize],
        kernel: &Kernel,
        options: &Options,
        angles: &[&[f64]],
        inner_angles: &[&[f64]],
    ) -> Result<Self, NufftError> {
        let instructions = options.instructions()?;
        let mut inner = CpuTransform::new(pool, lengths, options)?;
        inner.set_points(inner_angles)?;
        let workers = Workers::Pool(pool);
        Ok(CpuType3 {
            pool: pool.clone(),
            instructions,
            points: Points::sort(angles, lengths, kernel.width, workers, instructions, None)?,
            table: Table::new(kernel),
            layout: Layout::new::<R>(lengths, kernel.width),
            inner,
            grids: Spare::new(),
        })
    }

    /// Returns the number of points.
    pub(crate) fn points(&self) -> usize {
        self.points.count()
    }

    /// Returns the number of frequencies.
    pub(crate) fn frequencies(&self) -> usize {
        self.inner.points()
    }

    /// Computes the sums of a vector of strengths at the frequencies.
    ///
    /// # Errors
    /// Returns [`NufftError`] if the lengths of the arrays do not match.
    pub(crate) fn forward(
        &self,
        sign: Sign,
        strengths: &[Complex<R>],
        values: &mut [Complex<R>],
    ) -> Result<(), NufftError> {
        let (workers, table, layout) = (Workers::Pool(&self.pool), &self.table, &self.layout);
        let mut sorted = strengths.to_vec();
        self.points.order().sort(strengths, &mut sorted, workers);
        let mut grid = self.take_grid();
        with_sorted!(&self.points, places => {
            let strengths = Strengths { value: &sorted, along: None };
            spread(places, strengths, table, layout, &mut grid, workers, self.instructions);
        });
        layout.gather_halo(&mut grid);
        let modes = self.to_modes(&mut grid);
        self.grids.give(grid);
        self.inner.backward(sign, &modes, values, None)
    }

    /// Computes the sums of a vector of values at the points, the transpose of [`CpuType3::forward`].
    ///
    /// # Errors
    /// Returns [`NufftError`] if the lengths of the arrays do not match.
    pub(crate) fn backward(
        &self,
        sign: Sign,
        values: &[Complex<R>],
        strengths: &mut [Complex<R>],
    ) -> Result<(), NufftError> {
        let (workers, table, layout) = (Workers::Pool(&self.pool), &self.table, &self.layout);
        let mut modes = vec![Complex::new(R::zero(), R::zero()); layout.lengths.iter().product()];
        self.inner.forward(sign, values, None, &mut modes)?;
        let mut grid = self.take_grid();
        self.to_grid(&modes, &mut grid);
        let mut sorted = strengths.to_vec();
        with_sorted!(&self.points, places => {
            let values = Values { value: &mut sorted, along: None };
            interpolate(places, values, table, layout, &grid, workers, self.instructions);
        });
        self.grids.give(grid);
        self.points.order().unsort(&sorted, strengths, workers);
        Ok(())
    }

    /// Returns a grid with arbitrary content.
    fn take_grid(&self) -> Lined<Complex<R>> {
        let zero = Complex::new(R::zero(), R::zero());
        self.grids.take(zero, self.layout.elements())
    }

    /// Returns start and mode of a row of the grid: grid point l of n corresponds to mode l − n if l ≥
    /// n/2.
    fn row(&self, number: usize) -> (usize, usize) {
        let [planes, rows, _] = self.layout.lengths;
        let (plane, row) = (number / rows, number % rows);
        let centered = |l: usize, n: usize| (l + n / 2) % n;
        let mode = centered(plane, planes) * rows + centered(row, rows);
        (plane * self.layout.plane + row * self.layout.row, mode)
    }

    /// Returns the grid, with its halo added, as modes of the inner transform.
    fn to_modes(&self, grid: &mut [Complex<R>]) -> Vec<Complex<R>> {
        let [planes, rows, length] = self.layout.lengths;
        let mut modes = vec![Complex::new(R::zero(), R::zero()); planes * rows * length];
        for number in 0..planes * rows {
            let (start, mode) = self.row(number);
            let row = &mut grid[start..start + self.layout.row];
            self.layout.gather_row(row);
            let to = &mut modes[mode * length..(mode + 1) * length];
            let half = length / 2;
            to[half..].copy_from_slice(&row[..length - half]);
            to[..half].copy_from_slice(&row[length - half..length]);
        }
        modes
    }

    /// Copies modes of the inner transform to the grid, the transpose of [`CpuType3::to_modes`].
    fn to_grid(&self, modes: &[Complex<R>], grid: &mut [Complex<R>]) {
        let [planes, rows, length] = self.layout.lengths;
        for number in 0..planes * rows {
            let (start, mode) = self.row(number);
            let row = &mut grid[start..start + self.layout.row];
            let from = &modes[mode * length..(mode + 1) * length];
            let half = length / 2;
            row[..length - half].copy_from_slice(&from[half..]);
            row[length - half..length].copy_from_slice(&from[..half]);
            self.layout.repeat_row(row);
        }
        self.layout.repeat_halo(grid);
    }
}
