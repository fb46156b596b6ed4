//! Prefetching, and allocation of packs on huge pages where the operating system offers them. Traces of neighbors are
//! far apart in memory; with small pages, nearly each would cost a page walk.

use wavefield_numerics::memory::with_capacity;

use super::{Number, Pack};

/// Allocates packs of zeros.
pub(super) fn zeros<T: Number>(count: usize) -> Vec<Pack<T>> {
    let mut packs: Vec<Pack<T>> = with_capacity(count);
    packs.resize(count, Pack::ZERO);
    packs
}

/// Prefetches a cache line of 64 bytes; any address is allowed.
#[inline(always)]
pub(super) fn prefetch(line: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 CPU supports the instruction, which does not access memory architecturally.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T1>(line.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = line;
}
