//! Kernels of a transform: the constants of its geometry, followed by texts from `kernels/`.

use wavefield_gpu::{Access, DeviceError, Gpu, Kernel, KernelSource};

/// Compiler of the kernels of a transform.
#[derive(Debug)]
pub(super) struct Shaders {
    gpu: Gpu,
    constants: String,
}

impl Shaders {
    pub(super) fn new(gpu: &Gpu, constants: String) -> Shaders {
        Shaders {
            gpu: gpu.clone(),
            constants,
        }
    }

    pub(super) fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Compiles the entry point `entry` of concatenated texts.
    pub(super) fn kernel(
        &self,
        entry: &str,
        texts: &[&str],
        bindings: &[Access],
    ) -> Result<Kernel, DeviceError> {
        let wgsl = self.constants.clone() + &texts.concat();
        Kernel::new(
            &self.gpu,
            &KernelSource {
                name: entry,
                wgsl: &wgsl,
                entry,
                constants: &[],
                bindings,
            },
        )
    }
}
