//! Transforms on a GPU: spreading, FFT, and deconvolution in one submission.
//!
//! Points are folded onto the grid and sorted by tile on the host (in f64, once for a set of points)
//! and stay on the device. Type 1 then uploads strengths, runs every step on the device, and reads the
//! modes back; type 2 is the transpose of each step in reverse order. Both evaluate the window with
//! the same function of the same positions, so that they are adjoint to rounding.
//!
//! The fine grid must fit one binding of the device, as its FFT must; the number of points is limited
//! by the memory of the device only. Vectors that share their points are transformed one after
//! another.

mod atomic;
mod gather;
mod geometry;
mod interpolate;
mod modes;
mod point_grid;
mod points;
mod shader;
mod spread;
#[cfg(test)]
mod tests;
mod type3;

use num_complex::Complex;
use wavefield_gpu::fft::FftPlan;
use wavefield_gpu::{Buffer, Commands, Device, Gpu};
use wavefield_numerics::fft::FftKind;

use crate::error::NufftError;
use crate::options::Sign;
use crate::precision::Precision;
use crate::spreader::Spreader;
use atomic::Addition;
use gather::Layers;
use geometry::THREADS;
use point_grid::PointGrid;
pub(crate) use type3::GpuType3;

/// Parameters of a transform on the device.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GpuSetup<'a> {
    /// Number of modes of every axis, the last one fastest.
    pub(crate) modes: &'a [usize],
    /// Lengths of the fine grid: products of 2, 3, and 5, at least twice the width.
    pub(crate) grid: &'a [usize],
    /// Width of the window in grid points.
    pub(crate) width: usize,
    /// Coefficients of the window's polynomials by power, each for all grid points of the width.
    pub(crate) coefficients: &'a [Vec<f64>],
    /// Deconvolution factor, the reciprocal of the transform of the window, for every mode of every
    /// axis.
    pub(crate) correction: &'a [Vec<f64>],
    /// Spreading algorithm.
    pub(crate) spreader: Spreader,
}

/// A transform planned on the device.
#[derive(Debug)]
pub(crate) struct GpuTransform<R: Precision> {
    gpu: Gpu,
    points: PointGrid<R>,
    fft: FftPlan<R>,
    /// Modes in the caller's order.
    modes: Buffer<Complex<R>>,
}

impl<R: Precision> GpuTransform<R> {
    /// Compiles the kernels and allocates the grid.
    ///
    /// # Errors
    /// Returns [`NufftError`] if the device lacks the precision, the grid exceeds a binding or the
    /// memory of the device, or atomic spreading is requested in f64.
    pub(crate) fn new(gpu: &Gpu, setup: &GpuSetup<'_>) -> Result<Self, NufftError> {
        Self::with(gpu, setup, Addition::of(gpu), Layers::default())
    }

    fn with(
        gpu: &Gpu,
        setup: &GpuSetup<'_>,
        addition: Addition,
        layers: Layers,
    ) -> Result<Self, NufftError> {
        let points = PointGrid::new(gpu, setup, addition, layers)?;
        let fft = FftPlan::new(&Device::Gpu(gpu.clone()), setup.grid, 1, FftKind::Complex)?;
        Ok(GpuTransform {
            gpu: gpu.clone(),
            modes: Buffer::zeroed(gpu, points.modes().count())?,
            points,
            fft,
        })
    }

    /// Sets the points: one slice of coordinates per axis, in radians, any real numbers.
    ///
    /// # Errors
    /// Returns [`NufftError`] if a coordinate is not finite, lengths differ, or the device is out of
    /// memory; the transform then has no points.
    pub(crate) fn set_points<C: Precision>(
        &mut self,
        coordinates: &[&[C]],
    ) -> Result<(), NufftError> {
        self.points.set(coordinates)
    }

    /// Computes type 1: f_k = Σ_j c_j e^{±ik·x_j}, one vector of strengths after another.
    ///
    /// # Errors
    /// Returns [`NufftError`] if the lengths are not a common multiple of those of points and modes,
    /// or the device failed.
    pub(crate) fn type1(
        &self,
        sign: Sign,
        strengths: &[Complex<R>],
        coefficients: &mut [Complex<R>],
    ) -> Result<(), NufftError> {
        let points = &self.points;
        let count = points.check(strengths.len(), coefficients.len())?;
        if count == 0 {
            coefficients.fill(Complex::new(R::zero(), R::zero()));
            return Ok(());
        }
        let grid = points.lock();
        for (given, wanted) in strengths
            .chunks_exact(count)
            .zip(coefficients.chunks_exact_mut(self.modes.len()))
        {
            points.write(given)?;
            self.gpu
                .submit(|commands| self.record_type1(sign, commands, &grid))?;
            self.modes.read_into(0, wanted)?;
        }
        Ok(())
    }

    /// Computes type 2: c_j = Σ_k f_k e^{±ik·x_j}, one vector of coefficients after another.
    ///
    /// # Errors
    /// Returns [`NufftError`] if the lengths are not a common multiple of those of points and modes,
    /// or the device failed.
    pub(crate) fn type2(
        &self,
        sign: Sign,
        coefficients: &[Complex<R>],
        values: &mut [Complex<R>],
    ) -> Result<(), NufftError> {
        let points = &self.points;
        let count = points.check(values.len(), coefficients.len())?;
        if count == 0 {
            return Ok(());
        }
        let grid = points.lock();
        for (given, wanted) in coefficients
            .chunks_exact(self.modes.len())
            .zip(values.chunks_exact_mut(count))
        {
            self.modes.write(0, given)?;
            self.gpu
                .submit(|commands| self.record_type2(sign, commands, &grid))?;
            points.read(wanted)?;
        }
        Ok(())
    }

    /// Returns the number of points; 0 before they are set.
    pub(crate) fn points(&self) -> usize {
        self.points.count()
    }

    /// Returns an upper bound on the device memory in bytes of a transform with `points` points.
    pub(crate) fn memory(&self, points: usize) -> usize {
        self.points.memory(points)
            + self.fft.memory() as usize
            + self.modes.len() * size_of::<Complex<R>>()
    }

    /// Records type 1 of the strengths of the points.
    fn record_type1(
        &self,
        sign: Sign,
        commands: &mut Commands<'_>,
        grid: &Buffer<Complex<R>>,
    ) -> Result<(), NufftError> {
        self.points.record_spread(commands, grid)?;
        self.record_fft(sign, commands, grid)?;
        let modes = self.points.modes();
        Ok(modes.record_crop(commands, grid, &self.modes)?)
    }

    /// Records type 2 to the values of the points.
    fn record_type2(
        &self,
        sign: Sign,
        commands: &mut Commands<'_>,
        grid: &Buffer<Complex<R>>,
    ) -> Result<(), NufftError> {
        let modes = self.points.modes();
        modes.record_pad(commands, &self.modes, grid)?;
        self.record_fft(sign, commands, grid)?;
        Ok(self.points.record_interpolation(commands, grid)?)
    }

    fn record_fft(
        &self,
        sign: Sign,
        commands: &mut Commands<'_>,
        grid: &Buffer<Complex<R>>,
    ) -> Result<(), NufftError> {
        match sign {
            Sign::Plus => self.fft.record_inverse(commands, grid)?,
            Sign::Minus => self.fft.record_forward(commands, grid)?,
        }
        Ok(())
    }
}

/// Returns the number of workgroups that gives every element a thread.
fn groups(elements: usize) -> u64 {
    elements.div_ceil(THREADS) as u64
}
