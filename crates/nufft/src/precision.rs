//! Precision of a transform.

use num_traits::Float;
#[cfg(feature = "gpu")]
use wavefield_gpu::fft::Real;
#[cfg(not(feature = "gpu"))]
use wavefield_numerics::fft::Real;
use wavefield_numerics::simd::Scalar;

use crate::kernels::Passes;

/// A real number type: `f32` or `f64`.
pub trait Precision:
    Real + Float + std::iter::Sum + Scalar + Passes<1> + Passes<2> + Passes<3>
{
    /// Smallest tolerance that rounding permits.
    const MIN_TOLERANCE: f64;

    /// Rounds a number to this precision.
    fn narrow(value: f64) -> Self;

    /// Converts the number to f64.
    fn wide(self) -> f64;
}

impl Precision for f32 {
    const MIN_TOLERANCE: f64 = 1e-6;

    #[inline(always)]
    fn narrow(value: f64) -> Self {
        value as f32
    }

    #[inline(always)]
    fn wide(self) -> f64 {
        f64::from(self)
    }
}

impl Precision for f64 {
    const MIN_TOLERANCE: f64 = 1e-14;

    #[inline(always)]
    fn narrow(value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn wide(self) -> f64 {
        self
    }
}
