//! Loads and stores of a line as a SIMD vector.

use crate::dense::lines::{LANES, Line};
use crate::simd::Ordered;

/// Eight doubles as a SIMD vector.
///
/// # Safety
/// As for [`Vector`](crate::simd::Vector).
pub(super) trait Lanes: Ordered<Real = f64> {
    /// Whether 24 accumulators and their factors fit the registers; otherwise four do.
    const WIDE: bool = Self::REGISTERS >= 32;

    /// Loads a line.
    #[inline(always)]
    unsafe fn read(line: &Line) -> Self {
        const { assert!(Self::COUNT == LANES) };
        // SAFETY: the caller guarantees the instruction set, and a line has as many numbers as the vector.
        unsafe { Self::load(line.0.as_ptr()) }
    }

    /// Stores a line.
    #[inline(always)]
    unsafe fn write(self, line: &mut Line) {
        const { assert!(Self::COUNT == LANES) };
        // SAFETY: as above.
        unsafe { self.store(line.0.as_mut_ptr()) }
    }
}

impl<V: Ordered<Real = f64>> Lanes for V {}
