//! Memory ahead of time: packs that are needed soon, and zeros on large pages where the system offers them. Traces of
//! neighbours lie far apart, which with small pages costs a page walk for nearly each.

use wavefield_numerics::memory::with_capacity;

use super::{Number, Pack};

/// So many packs of zeros.
pub(super) fn zeros<T: Number>(count: usize) -> Vec<Pack<T>> {
    let mut packs: Vec<Pack<T>> = with_capacity(count);
    packs.resize(count, Pack::ZERO);
    packs
}

/// Brings a line of 64 bytes near before it is needed; any address will do.
#[inline(always)]
pub(super) fn prefetch(line: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every 64-bit processor of this family has the instruction, which reads nothing.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T1>(line.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = line;
}
