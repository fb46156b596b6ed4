//! Precisions of the LU decomposition on the GPU.

use bytemuck::Pod;
use num_complex::Complex64;

use crate::DeviceError;
use crate::Gpu;

/// A real number of the kernels, `f32` or `f64`; complex numbers are pairs.
pub trait Number: Pod + PartialEq + std::fmt::Debug {
    /// WGSL definitions of the types `real` and `complex`.
    const WGSL: &'static str;

    /// Rounds a complex number to a pair.
    fn pair(z: Complex64) -> [Self; 2];

    /// Returns the complex number of a pair.
    fn value(pair: [Self; 2]) -> Complex64;

    /// Checks that the device computes in this precision as it should.
    ///
    /// # Errors
    /// Returns [`DeviceError`] if the device lacks the precision, or its accuracy could not be
    /// measured.
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

    /// Checks the accuracy measured when the device was opened, not the claims of the driver.
    fn check(gpu: &Gpu) -> Result<(), DeviceError> {
        if gpu.accuracy()?.f64.is_some_and(|f64| f64.promised()) {
            return Ok(());
        }
        Err(DeviceError::Missing {
            adapter: gpu.info().name.clone(),
            capability: "double precision; use factors in single precision with iterative refinement",
        })
    }
}
