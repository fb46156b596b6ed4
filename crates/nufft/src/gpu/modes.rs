//! Cropping of the fine grid to the modes and its transpose, zero padding, both with deconvolution.

use num_complex::Complex;
use wavefield_gpu::{Access, Buffer, Commands, DeviceError, Kernel};

use super::groups;
use super::shader::Shaders;
use crate::precision::Precision;

#[derive(Debug)]
pub(super) struct Modes<R> {
    crop: Kernel,
    pad: Kernel,
    /// Deconvolution factors, the fastest axis first.
    correction: Buffer<R>,
    count: usize,
}

impl<R: Precision> Modes<R> {
    /// Creates the kernels for these modes; `correction` holds the factors axis by axis in the
    /// caller's order.
    pub(super) fn new(
        shaders: &Shaders,
        count: usize,
        correction: &[Vec<f64>],
    ) -> Result<Self, DeviceError> {
        let kernel = |entry: &str| {
            shaders.kernel(
                entry,
                &[include_str!("../kernels/modes.wgsl")],
                &[Access::Read, Access::Read, Access::ReadWrite],
            )
        };
        let fastest_first: Vec<R> = correction
            .iter()
            .rev()
            .flatten()
            .map(|&factor| R::narrow(factor))
            .collect();
        Ok(Modes {
            crop: kernel("crop")?,
            pad: kernel("pad")?,
            correction: Buffer::from_slice(shaders.gpu(), &fastest_first)?,
            count,
        })
    }

    /// Returns the number of modes.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Records cropping of the grid to the modes, in the caller's order.
    pub(super) fn record_crop(
        &self,
        commands: &mut Commands<'_>,
        grid: &Buffer<Complex<R>>,
        modes: &Buffer<Complex<R>>,
    ) -> Result<(), DeviceError> {
        let arguments = [self.correction.bind(), grid.bind(), modes.bind()];
        commands.dispatch(&self.crop, &arguments, groups(self.count))
    }

    /// Records padding of the modes to the grid, which it overwrites.
    pub(super) fn record_pad(
        &self,
        commands: &mut Commands<'_>,
        modes: &Buffer<Complex<R>>,
        grid: &Buffer<Complex<R>>,
    ) -> Result<(), DeviceError> {
        let arguments = [self.correction.bind(), modes.bind(), grid.bind()];
        commands.dispatch(&self.pad, &arguments, groups(grid.len()))
    }
}
