//! Interpolation from the fine grid to the points: the transpose of spreading, with identical
//! weights.

use num_complex::Complex;
use wavefield_gpu::{Access, Buffer, Commands, DeviceError, Kernel};

use super::groups;
use super::points::Slice;
use super::shader::Shaders;
use crate::precision::Precision;

#[derive(Debug)]
pub(super) struct Interpolate {
    kernel: Kernel,
}

impl Interpolate {
    pub(super) fn new(shaders: &Shaders) -> Result<Self, DeviceError> {
        let texts = [
            include_str!("../kernels/window.wgsl"),
            include_str!("../kernels/touched.wgsl"),
            include_str!("../kernels/interpolate.wgsl"),
        ];
        let bindings = [&[Access::Read; 5], &[Access::ReadWrite][..]].concat();
        Ok(Interpolate {
            kernel: shaders.kernel("interpolate", &texts, &bindings)?,
        })
    }

    /// Records interpolation at the points of a slice, into its values in the caller's order.
    pub(super) fn record<R: Precision>(
        &self,
        commands: &mut Commands<'_>,
        coefficients: &Buffer<R>,
        slice: &Slice<R>,
        grid: &Buffer<Complex<R>>,
    ) -> Result<(), DeviceError> {
        commands.dispatch(
            &self.kernel,
            &[
                coefficients.bind(),
                slice.firsts.bind(),
                slice.withins.bind(),
                slice.order.bind(),
                grid.bind(),
                slice.values.bind(),
            ],
            groups(slice.range.len()),
        )
    }
}
