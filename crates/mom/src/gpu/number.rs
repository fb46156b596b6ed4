//! The two precisions of numbers on a card.

use bytemuck::Pod;
use num_complex::Complex64;
use wavefield_compute::DeviceError;
use wavefield_compute::gpu::Gpu;

/// A real number of the card's kernels; a complex one is a pair of them.
pub(crate) trait Number: Pod + PartialEq + std::fmt::Debug {
    /// The types `real` and `complex` of the kernels.
    const WGSL: &'static str;

    fn pair(z: Complex64) -> [Self; 2];

    fn value(pair: [Self; 2]) -> Complex64;

    /// Refuses a card that does not compute in these numbers as it should.
    fn check(gpu: &Gpu) -> Result<(), DeviceError>;
}

impl Number for f32 {
    const WGSL: &'static str = include_str!("kernels/real_f32.wgsl");

    fn pair(z: Complex64) -> [f32; 2] {
        [z.re as f32, z.im as f32]
    }

    fn value(pair: [f32; 2]) -> Complex64 {
        Complex64::new(f64::from(pair[0]), f64::from(pair[1]))
    }

    fn check(_: &Gpu) -> Result<(), DeviceError> {
        Ok(())
    }
}

impl Number for f64 {
    const WGSL: &'static str = include_str!("kernels/real_f64.wgsl");

    fn pair(z: Complex64) -> [f64; 2] {
        [z.re, z.im]
    }

    fn value(pair: [f64; 2]) -> Complex64 {
        Complex64::new(pair[0], pair[1])
    }

    /// What was measured when the card was opened decides, not what its driver says.
    fn check(gpu: &Gpu) -> Result<(), DeviceError> {
        if gpu.accuracy()?.f64.is_some_and(|f64| f64.promised()) {
            return Ok(());
        }
        Err(DeviceError::Missing {
            adapter: gpu.info().name.clone(),
            capability: "double precision; use refined factors of single precision",
        })
    }
}
