//! Points over a fine grid on the device, with the kernels between points, grid, and modes.

use std::sync::{Mutex, MutexGuard, PoisonError};

use num_complex::Complex;
use wavefield_gpu::{Buffer, Commands, DeviceError, Gpu};

use super::GpuSetup;
use super::atomic::{Addition, Atomic};
use super::gather::{Gather, Layers};
use super::geometry::Geometry;
use super::interpolate::Interpolate;
use super::modes::Modes;
use super::points::{Slice, bytes_per_point, points_per_slice, upload};
use super::shader::Shaders;
use super::spread::{Adding, Spread};
use crate::error::NufftError;
use crate::precision::Precision;
use crate::spreader::Spreader;

/// Points, fine grid, and modes of a transform.
#[derive(Debug)]
pub(super) struct PointGrid<R: Precision> {
    gpu: Gpu,
    geometry: Geometry,
    per_slice: usize,
    /// Coefficients of the window's polynomials.
    coefficients: Buffer<R>,
    spread: Spread<R>,
    interpolate: Interpolate,
    modes: Modes<R>,
    slices: Vec<Slice<R>>,
    /// Number of points; `None` before they are set.
    count: Option<usize>,
    /// The fine grid. Its lock protects all buffers of a run: one transform at a time.
    grid: Mutex<Buffer<Complex<R>>>,
}

impl<R: Precision> PointGrid<R> {
    /// Compiles the kernels and allocates the grid.
    ///
    /// # Errors
    /// Returns [`NufftError`] if the device lacks the precision, the grid exceeds a binding or the
    /// memory of the device, or atomic spreading is requested in f64.
    pub(super) fn new(
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
        Ok(PointGrid {
            gpu: gpu.clone(),
            per_slice: points_per_slice::<R>(gpu, geometry.dimensions),
            coefficients: Buffer::from_slice(gpu, &coefficients)?,
            spread: Spread::new(&shaders, adding)?,
            interpolate: Interpolate::new(&shaders)?,
            modes: Modes::new(&shaders, geometry.mode_count(), setup.correction)?,
            slices: Vec::new(),
            count: None,
            grid: Mutex::new(Buffer::zeroed(gpu, geometry.cells())?),
            geometry,
        })
    }

    /// Sets the points: one slice of coordinates per axis, in radians, any real numbers.
    ///
    /// # Errors
    /// Returns [`NufftError`] if a coordinate is not finite, lengths differ, or the device is out of
    /// memory; there are no points then.
    pub(super) fn set<C: Precision>(&mut self, coordinates: &[&[C]]) -> Result<(), NufftError> {
        self.count = None;
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
        self.count = Some(count);
        Ok(())
    }

    /// Sets the number of points of a slice, for tests of many slices.
    #[cfg(test)]
    pub(super) fn set_per_slice(&mut self, points: usize) {
        self.per_slice = points;
    }

    /// Returns the kernels between grid and modes.
    pub(super) fn modes(&self) -> &Modes<R> {
        &self.modes
    }

    /// Returns the number of points; 0 before they are set.
    pub(super) fn count(&self) -> usize {
        self.count.unwrap_or(0)
    }

    /// Returns an upper bound on the device memory in bytes with `points` points.
    pub(super) fn memory(&self, points: usize) -> usize {
        self.geometry.cells() * size_of::<Complex<R>>()
            + self.spread.memory(points, points.div_ceil(self.per_slice))
            + points * bytes_per_point::<R>(self.geometry.dimensions)
    }

    /// Returns the grid, for one run.
    pub(super) fn lock(&self) -> MutexGuard<'_, Buffer<Complex<R>>> {
        self.grid.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the strengths of the points to the device.
    pub(super) fn write(&self, strengths: &[Complex<R>]) -> Result<(), DeviceError> {
        for slice in &self.slices {
            slice.values.write(0, &strengths[slice.range.clone()])?;
        }
        Ok(())
    }

    /// Reads the values of the points from the device.
    pub(super) fn read(&self, values: &mut [Complex<R>]) -> Result<(), DeviceError> {
        for slice in &self.slices {
            let wanted = &mut values[slice.range.clone()];
            slice.values.read_into(0, wanted)?;
        }
        Ok(())
    }

    /// Records spreading of the strengths onto the grid, which it overwrites.
    pub(super) fn record_spread(
        &self,
        commands: &mut Commands<'_>,
        grid: &Buffer<Complex<R>>,
    ) -> Result<(), DeviceError> {
        self.spread
            .record(commands, &self.coefficients, &self.slices, grid)
    }

    /// Records interpolation from the grid to the values of the points.
    pub(super) fn record_interpolation(
        &self,
        commands: &mut Commands<'_>,
        grid: &Buffer<Complex<R>>,
    ) -> Result<(), DeviceError> {
        for slice in &self.slices {
            self.interpolate
                .record(commands, &self.coefficients, slice, grid)?;
        }
        Ok(())
    }

    /// Returns the number of points after a check that the arrays hold one or more vectors, the same
    /// number over points and modes.
    pub(super) fn check(&self, over_points: usize, over_modes: usize) -> Result<usize, NufftError> {
        let points = self.count.ok_or(NufftError::NoPoints)?;
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
