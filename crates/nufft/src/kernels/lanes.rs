//! Partition of rows of the grid and of weights into SIMD vectors.

use wavefield_numerics::cpu::Simd;
use wavefield_numerics::simd::Interleaved;

use crate::kernel::WIDEST;

/// A vector of 4, 8, or 16 real numbers.
pub(crate) trait Lanes: Interleaved {
    /// Kernels are compiled for multiples of this number of vectors: without SIMD instructions, some surplus sums cost
    /// less than many kernels.
    const STEP: usize = if matches!(Self::SIMD, Simd::Scalar) {
        4
    } else {
        1
    };
    /// Whether a vector is as long as a cache line. Unaligned vectors then nearly always cross a cache line, and aligned
    /// ones are faster.
    const WHOLE_LINES: bool = Self::COUNT * size_of::<Self::Real>() == 64;

    /// Returns the number of vectors for `count` complex numbers.
    #[inline(always)]
    fn vectors(count: usize) -> usize {
        (2 * count)
            .div_ceil(Self::COUNT)
            .next_multiple_of(Self::STEP)
    }

    /// Returns whether a kernel for `vectors` vectors is needed.
    #[inline(always)]
    fn uses(vectors: usize) -> bool {
        vectors.is_multiple_of(Self::STEP) && vectors <= Self::vectors(WIDEST)
    }
}

impl<V: Interleaved> Lanes for V {}
