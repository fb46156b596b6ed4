//! Type 3 on a GPU: spreading onto the grid that covers the points, and type 2 from there to the frequencies.

use num_complex::Complex;
use wavefield_gpu::Gpu;

use super::atomic::Addition;
use super::gather::Layers;
use super::point_grid::PointGrid;
use super::{GpuSetup, GpuTransform};
use crate::error::NufftError;
use crate::kernel::Kernel;
use crate::options::Sign;
use crate::precision::Precision;
use crate::spreader::Spreader;

/// A transform of type 3 without the factors of points and frequencies.
#[derive(Debug)]
pub(crate) struct GpuType3<R: Precision> {
    gpu: Gpu,
    points: PointGrid<R>,
    /// Type 2 from the grid to the frequencies.
    inner: GpuTransform<R>,
}

impl<R: Precision> GpuType3<R> {
    /// Prepares spreading onto a grid of these lengths, which are the modes of the inner transform. Angles are given axis by axis.
    ///
    /// # Errors
    /// Returns the errors of [`GpuTransform::new`] and [`GpuTransform::set_points`].
    pub(crate) fn new(
        gpu: &Gpu,
        lengths: &[usize],
        kernel: &Kernel,
        spreader: Spreader,
        angles: &[&[f64]],
        inner: GpuTransform<R>,
    ) -> Result<Self, NufftError> {
        // Cropping without deconvolution reorders the grid to modes; its window is divided out at the frequencies.
        let correction: Vec<_> = lengths.iter().map(|&length| vec![1.0; length]).collect();
        let setup = GpuSetup {
            modes: lengths,
            grid: lengths,
            width: kernel.width,
            coefficients: &kernel.coefficients,
            correction: &correction,
            spreader,
        };
        let mut points = PointGrid::new(gpu, &setup, Addition::of(gpu), Layers::default())?;
        points.set(angles)?;
        Ok(GpuType3 {
            gpu: gpu.clone(),
            points,
            inner,
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

    /// Computes the sums of a vector of strengths at the frequencies; there is at least one of each.
    ///
    /// # Errors
    /// Returns [`NufftError`] if the device failed.
    pub(crate) fn forward(
        &self,
        sign: Sign,
        strengths: &[Complex<R>],
        values: &mut [Complex<R>],
    ) -> Result<(), NufftError> {
        let (grid, inner_grid) = (self.points.lock(), self.inner.points.lock());
        self.points.write(strengths)?;
        self.gpu.submit(|commands| {
            self.points.record_spread(commands, &grid)?;
            let modes = self.points.modes();
            modes.record_crop(commands, &grid, &self.inner.modes)?;
            self.inner.record_type2(sign, commands, &inner_grid)
        })?;
        Ok(self.inner.points.read(values)?)
    }

    /// Computes the sums of a vector of values at the points, the transpose of [`GpuType3::forward`].
    ///
    /// # Errors
    /// Returns [`NufftError`] if the device failed.
    pub(crate) fn backward(
        &self,
        sign: Sign,
        values: &[Complex<R>],
        strengths: &mut [Complex<R>],
    ) -> Result<(), NufftError> {
        let (grid, inner_grid) = (self.points.lock(), self.inner.points.lock());
        self.inner.points.write(values)?;
        self.gpu.submit(|commands| {
            self.inner.record_type1(sign, commands, &inner_grid)?;
            let modes = self.points.modes();
            modes.record_pad(commands, &self.inner.modes, &grid)?;
            Ok::<(), NufftError>(self.points.record_interpolation(commands, &grid)?)
        })?;
        Ok(self.points.read(strengths)?)
    }
}
