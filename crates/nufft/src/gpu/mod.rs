//! The transform on a GPU: spreading, FFT, and deconvolution in one submission.
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
mod points;
mod shader;
mod spread;
#[cfg(test)]
mod tests;

use std::sync::{Mutex, PoisonError};

use num_complex::Complex;
use wavefield_gpu::fft::FftPlan;
use wavefield_gpu::{Buffer, Commands, Device, DeviceError, Gpu};
use wavefield_numerics::fft::FftKind;

use crate::error::NufftError;
use crate::options::Sign;
use crate::precision::Precision;
use crate::spreader::Spreader;
use atomic::{Addition, Atomic};
use gather::{Gather, Layers};
use geometry::{Geometry, THREADS};
use interpolate::Interpolate;
use modes::Modes;
use points::{Slice, bytes_per_point, points_per_slice, upload};
use shader::Shaders;
use spread::{Adding, Spread};

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
    geometry: Geometry,
    per_slice: usize,
    /// Coefficients of the window's polynomials.
    coefficients: Buffer<R>,
    spread: Spread<R>,
    interpolate: Interpolate,
    fft: FftPlan<R>,
    modes: Modes<R>,
    slices: Vec<Slice<R>>,
    /// Number of points; `None` before they are set.
    points: Option<usize>,
    /// The fine grid. Its lock protects all buffers of a run: one transform at a time.
    grid: Mutex<Buffer<Complex<R>>>,
}

impl<R: Precision> GpuTransform<R> {
    /// Compiles the kernels and allocates the grid.
    ///
    /// # Errors
    /// Returns [`NufftError`] if the device lacks the precision, the grid exceeds a binding or the
    /// memory of the device, or atomic spreading is requested in f64.
    pub(crate) fn new(gpu: &Gpu, setup: &GpuSetup<'_>) -> Result<Self, NufftError> {
        let addition = if gpu.capabilities().f32_atomics {
            Addition::Native
        } else {
            Addition::CompareExchange
        };
        Self::with(gpu, setup, addition, Layers::default())
    }

    fn with(
        gpu: &Gpu,
        setup: &GpuSetup<'_>,
        addition: Addition,
        layers: Layers,
    ) -> Result<Self, NufftError> {
        let double = size_of::<R>() == size_of::<f64>();
        if double && setup.spreader == Spreader::Atomic {
            return Err(NufftError::AtomicDoubles);
        }
        if double && !gpu.capabilities().f64 {
            return Err(NufftError::Device(DeviceError::Missing {
                adapter: gpu.info().name.clone(),
                capability: "double precision",
            }));
        }
        check_grid::<R>(gpu, setup.grid)?;
        let fft = FftPlan::new(&Device::Gpu(gpu.clone()), setup.grid, 1, FftKind::Complex)?;
        let geometry = Geometry::new(setup);
        let shaders = Shaders::new(gpu, geometry.constants::<R>(layers.points));
        let adding = match setup.spreader {
            Spreader::Deterministic => {
                let gather = Gather::new(&shaders, &geometry, layers)?;
                Adding::Gather(Box::new(gather))
            }
            Spreader::Atomic => Adding::Atomic(Atomic::new(&shaders, addition)?),
        };
        let coefficients: Vec<R> = setup
            .coefficients
            .iter()
            .flatten()
            .map(|&coefficient| R::narrow(coefficient))
            .collect();
        Ok(GpuTransform {
            gpu: gpu.clone(),
            per_slice: points_per_slice::<R>(gpu, geometry.dimensions),
            coefficients: Buffer::from_slice(gpu, &coefficients)?,
            spread: Spread::new(&shaders, adding)?,
            interpolate: Interpolate::new(&shaders)?,
            fft,
            modes: Modes::new(&shaders, geometry.mode_count(), setup.correction)?,
            slices: Vec::new(),
            points: None,
            grid: Mutex::new(Buffer::zeroed(gpu, geometry.cells())?),
            geometry,
        })
    }

    /// Sets the points: one slice of coordinates per axis, in radians, any real numbers.
    ///
    /// # Errors
    /// Returns [`NufftError`] if a coordinate is not finite, lengths differ, or the device is out of
    /// memory; the transform then has no points.
    pub(crate) fn set_points(&mut self, coordinates: &[&[R]]) -> Result<(), NufftError> {
        self.points = None;
        NufftError::check_length(
            "the list of axes",
            self.geometry.dimensions,
            coordinates.len(),
        )?;
        let count = coordinates[0].len();
        for axis in coordinates {
            NufftError::check_length("an axis of coordinates", count, axis.len())?;
        }
        let slices = upload(&self.gpu, &self.geometry, coordinates, self.per_slice)?;
        self.spread.prepare(&slices)?;
        self.slices = slices;
        self.points = Some(count);
        Ok(())
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
        let points = self.check(strengths.len(), coefficients.len())?;
        if points == 0 {
            coefficients.fill(Complex::new(R::zero(), R::zero()));
            return Ok(());
        }
        let grid = self.grid.lock().unwrap_or_else(PoisonError::into_inner);
        for (given, wanted) in strengths
            .chunks_exact(points)
            .zip(coefficients.chunks_exact_mut(self.geometry.mode_count()))
        {
            for slice in &self.slices {
                slice.values.write(0, &given[slice.range.clone()])?;
            }
            self.gpu.submit(|commands| {
                self.spread
                    .record(commands, &self.coefficients, &self.slices, &grid)?;
                self.record_fft(sign, commands, &grid)?;
                self.modes.record_crop(commands, &grid)?;
                Ok::<(), NufftError>(())
            })?;
            self.modes.values().read_into(0, wanted)?;
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
        let points = self.check(values.len(), coefficients.len())?;
        if points == 0 {
            return Ok(());
        }
        let grid = self.grid.lock().unwrap_or_else(PoisonError::into_inner);
        for (given, wanted) in coefficients
            .chunks_exact(self.geometry.mode_count())
            .zip(values.chunks_exact_mut(points))
        {
            self.modes.values().write(0, given)?;
            self.gpu.submit(|commands| {
                self.modes.record_pad(commands, &grid)?;
                self.record_fft(sign, commands, &grid)?;
                for slice in &self.slices {
                    self.interpolate
                        .record(commands, &self.coefficients, slice, &grid)?;
                }
                Ok::<(), NufftError>(())
            })?;
            for slice in &self.slices {
                slice
                    .values
                    .read_into(0, &mut wanted[slice.range.clone()])?;
            }
        }
        Ok(())
    }

    /// Returns the number of points; 0 before they are set.
    pub(crate) fn points(&self) -> usize {
        self.points.unwrap_or(0)
    }

    /// Returns an upper bound on the device memory in bytes of a transform with `points` points.
    pub(crate) fn memory(&self, points: usize) -> usize {
        (self.geometry.cells() + self.geometry.mode_count()) * size_of::<Complex<R>>()
            + self.fft.memory() as usize
            + self.spread.memory(points, points.div_ceil(self.per_slice))
            + points * bytes_per_point::<R>(self.geometry.dimensions)
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

    /// Returns the number of points after a check that the arrays hold one or more vectors, the same
    /// number over points and modes.
    fn check(&self, over_points: usize, over_modes: usize) -> Result<usize, NufftError> {
        let points = self.points.ok_or(NufftError::NoPoints)?;
        let count = self.geometry.mode_count();
        let vectors = (over_modes / count).max(1);
        NufftError::check_length("the array over the modes", vectors * count, over_modes)?;
        NufftError::check_length("the array over the points", vectors * points, over_points)?;
        Ok(points)
    }
}

/// Checks that the fine grid fits one binding.
fn check_grid<R>(gpu: &Gpu, grid: &[usize]) -> Result<(), DeviceError> {
    let limits = gpu.capabilities();
    let limit = limits.max_storage_binding.min(limits.max_buffer);
    let bytes = grid
        .iter()
        .fold(size_of::<Complex<R>>() as u64, |product, &length| {
            product.saturating_mul(length as u64)
        });
    if bytes > limit {
        return Err(DeviceError::TooLarge {
            what: "the binding of the fine grid of a transform",
            bytes,
            limit,
        });
    }
    Ok(())
}

/// Returns the number of workgroups that gives every element a thread.
fn groups(elements: usize) -> u64 {
    elements.div_ceil(THREADS) as u64
}
