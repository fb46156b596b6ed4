//! How the rows of a grid and of weights are cut into vectors.

use wavefield_numerics::cpu::Simd;
use wavefield_numerics::simd::Interleaved;

use crate::kernel::WIDEST;

/// A vector of real numbers: 4, 8, or 16.
pub(crate) trait Lanes: Interleaved {
    /// Numbers of vectors a kernel is compiled for are multiples of this: without vector instructions, some sums more are
    /// cheaper than many kernels.
    const STEP: usize = if matches!(Self::SIMD, Simd::Scalar) {
        4
    } else {
        1
    };
    /// Whether a vector is as long as a cache line. Then one that starts anywhere nearly always lies
    /// across two, and it pays to start where a line does.
    const WHOLE_LINES: bool = Self::COUNT * size_of::<Self::Real>() == 64;

    /// Number of vectors for so many complex numbers.
    #[inline(always)]
    fn vectors(count: usize) -> usize {
        (2 * count)
            .div_ceil(Self::COUNT)
            .next_multiple_of(Self::STEP)
    }

    /// Whether a kernel for so many vectors is needed.
    #[inline(always)]
    fn uses(vectors: usize) -> bool {
        vectors.is_multiple_of(Self::STEP) && vectors <= Self::vectors(WIDEST)
    }
}

impl<V: Interleaved> Lanes for V {}
