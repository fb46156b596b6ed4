//! The fixed-tree sum of [`wavefield_numerics::sum`] on the GPU.

use wavefield_numerics::sum::BLOCK;

use crate::error::DeviceError;
use crate::{Access, Buffer, Gpu, Kernel, KernelSource};

/// Number of blocks after which the block sums start at an aligned address on every device.
const ALIGNED_BLOCKS: usize = 64;

const BLOCKS_PER_GROUP: usize = 8;

/// Sum of `f32` arrays on the GPU, in the order of [`wavefield_numerics::sum::sum`].
///
/// A device that rounds additions correctly and preserves their order gives a sum bitwise identical to that
/// of the CPU.
#[derive(Debug, Clone)]
pub struct FixedSum {
    gpu: Gpu,
    blocks: Kernel,
    pairs: Kernel,
}

impl FixedSum {
    /// Compiles the kernels.
    ///
    /// # Errors
    /// Returns [`DeviceError`] if the device failed.
    pub fn new(gpu: &Gpu) -> Result<Self, DeviceError> {
        let kernel = |entry: &str| {
            Kernel::new(
                gpu,
                &KernelSource {
                    name: entry,
                    wgsl: include_str!("kernels/fixed_sum.wgsl"),
                    entry,
                    constants: &[],
                    bindings: &[Access::Read, Access::ReadWrite],
                },
            )
        };
        Ok(Self {
            gpu: gpu.clone(),
            blocks: kernel("blocks")?,
            pairs: kernel("pairs")?,
        })
    }

    /// Returns Σ `values[i]`, waiting for the device.
    ///
    /// # Errors
    /// Returns [`DeviceError`] if the device failed.
    pub fn sum(&self, values: &Buffer<f32>) -> Result<f32, DeviceError> {
        if values.is_empty() {
            return Ok(0.0);
        }
        let mut count = values.len().div_ceil(BLOCK);
        let mut sums = Buffer::<f32>::zeroed(&self.gpu, count)?;
        let mut next = Buffer::<f32>::zeroed(&self.gpu, count.div_ceil(2))?;
        let bindable = self.gpu.capabilities().max_storage_binding as usize / size_of::<f32>();
        let blocks_at_once = (bindable / BLOCK / ALIGNED_BLOCKS).max(1) * ALIGNED_BLOCKS;
        self.gpu.submit(|commands| {
            for first in (0..count).step_by(blocks_at_once) {
                let last = count.min(first + blocks_at_once);
                let terms = values.bind_range(first * BLOCK..values.len().min(last * BLOCK));
                let groups = (last - first).div_ceil(BLOCKS_PER_GROUP) as u64;
                commands.dispatch(&self.blocks, &[terms, sums.bind_range(first..last)], groups)?;
            }
            while count > 1 {
                let half = count.div_ceil(2);
                let arguments = [sums.bind_range(0..count), next.bind_range(0..half)];
                commands.dispatch(&self.pairs, &arguments, half.div_ceil(64) as u64)?;
                std::mem::swap(&mut sums, &mut next);
                count = half;
            }
            Ok::<(), DeviceError>(())
        })?;
        let mut total = [0.0];
        sums.read_into(0, &mut total)?;
        Ok(total[0])
    }
}
