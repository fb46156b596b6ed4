//! Spreading on the GPU: sorting of the strengths, then one of the two algorithms of addition.

use num_complex::Complex;
use wavefield_gpu::{Access, Buffer, Commands, DeviceError, Kernel};

use super::atomic::Atomic;
use super::gather::Gather;
use super::groups;
use super::points::Slice;
use super::shader::Shaders;
use crate::precision::Precision;

/// Algorithm that adds the strengths to the grid.
#[derive(Debug)]
pub(super) enum Adding<R> {
    Gather(Box<Gather<R>>),
    Atomic(Atomic),
}

#[derive(Debug)]
pub(super) struct Spread<R> {
    sort: Kernel,
    adding: Adding<R>,
}

impl<R: Precision> Spread<R> {
    pub(super) fn new(shaders: &Shaders, adding: Adding<R>) -> Result<Self, DeviceError> {
        let sort = shaders.kernel(
            "sort_strengths",
            &[include_str!("../kernels/order.wgsl")],
            &[Access::Read, Access::Read, Access::ReadWrite],
        )?;
        Ok(Spread { sort, adding })
    }

    /// Allocates the memory for spreading these points.
    pub(super) fn prepare(&mut self, slices: &[Slice<R>]) -> Result<(), DeviceError> {
        match &mut self.adding {
            Adding::Gather(gather) => gather.prepare(slices),
            Adding::Atomic(_) => Ok(()),
        }
    }

    /// Returns an upper bound on the memory in bytes, excluding the points themselves.
    pub(super) fn memory(&self, points: usize, slices: usize) -> usize {
        match &self.adding {
            Adding::Gather(gather) => gather.memory(points, slices),
            Adding::Atomic(_) => 0,
        }
    }

    /// Records spreading of the strengths of all slices onto the grid, which it overwrites.
    pub(super) fn record(
        &self,
        commands: &mut Commands<'_>,
        coefficients: &Buffer<R>,
        slices: &[Slice<R>],
        grid: &Buffer<Complex<R>>,
    ) -> Result<(), DeviceError> {
        for (number, slice) in slices.iter().enumerate() {
            let points = slice.range.len();
            commands.dispatch(
                &self.sort,
                &[slice.order.bind(), slice.values.bind(), slice.sorted.bind()],
                groups(points),
            )?;
            let over_points = [
                coefficients.bind(),
                slice.firsts.bind(),
                slice.withins.bind(),
                slice.sorted.bind(),
            ];
            match &self.adding {
                Adding::Gather(gather) => gather.record(commands, number, &over_points, grid)?,
                Adding::Atomic(atomic) => {
                    atomic.record(commands, number, points, &over_points, grid)?;
                }
            }
        }
        Ok(())
    }
}
