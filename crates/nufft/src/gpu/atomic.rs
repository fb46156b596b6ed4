//! Spreading with atomics: one thread per point, which adds to every grid point it touches.
//!
//! In f32 only: WGSL has no atomic addition of doubles, and no compare-exchange of 64 bits. Native
//! f32 atomics are used if the device supports them, otherwise a compare-exchange loop.

use num_complex::Complex;
use wavefield_gpu::{Access, Bound, Buffer, Commands, DeviceError, Gpu, Kernel};

use super::groups;
use super::shader::Shaders;
use crate::precision::Precision;

/// Atomic addition of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Addition {
    /// Native atomic addition of f32.
    Native,
    /// A compare-exchange loop.
    CompareExchange,
}

impl Addition {
    /// Returns the fastest addition of a device.
    pub(super) fn of(gpu: &Gpu) -> Addition {
        if gpu.capabilities().f32_atomics {
            Addition::Native
        } else {
            Addition::CompareExchange
        }
    }
}

#[derive(Debug)]
pub(super) struct Atomic {
    clear: Kernel,
    add: Kernel,
}

impl Atomic {
    pub(super) fn new(shaders: &Shaders, addition: Addition) -> Result<Self, DeviceError> {
        let kernel = |entry: &str| {
            let texts = [
                include_str!("../kernels/window.wgsl"),
                include_str!("../kernels/touched.wgsl"),
                match addition {
                    Addition::Native => include_str!("../kernels/atomic_add.wgsl"),
                    Addition::CompareExchange => include_str!("../kernels/compare_exchange.wgsl"),
                },
                include_str!("../kernels/spread_atomic.wgsl"),
            ];
            let bindings = [&[Access::Read; 4], &[Access::ReadWrite][..]].concat();
            shaders.kernel(entry, &texts, &bindings)
        };
        Ok(Atomic {
            clear: kernel("clear")?,
            add: kernel("spread_atomic")?,
        })
    }

    /// Records spreading of one slice of points, given the bindings of its arrays over the points.
    pub(super) fn record<R: Precision>(
        &self,
        commands: &mut Commands<'_>,
        slice: usize,
        points: usize,
        over_points: &[Bound<'_>],
        grid: &Buffer<Complex<R>>,
    ) -> Result<(), DeviceError> {
        let arguments = [over_points, &[grid.bind()]].concat();
        if slice == 0 {
            commands.dispatch(&self.clear, &arguments, groups(2 * grid.len()))?;
        }
        commands.dispatch(&self.add, &arguments, groups(points))
    }
}
