//! Memory ahead of time: packs that are needed soon, and zeros on large pages where the system offers them. Traces of
//! neighbours lie far apart, which with small pages costs a page walk for nearly each.

use super::{Number, Pack};

/// So many packs of zeros.
pub(super) fn zeros<T: Number>(count: usize) -> Vec<Pack<T>> {
    let mut packs: Vec<Pack<T>> = Vec::with_capacity(count);
    advise(packs.as_ptr().cast(), count * size_of::<Pack<T>>());
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

/// Asks for large pages; what the system answers changes nothing but the time.
#[cfg(target_os = "linux")]
fn advise(first: *const u8, bytes: usize) {
    const LARGE: usize = 1 << 21;
    const PAGE: usize = 4096;
    let start = (first as usize).next_multiple_of(PAGE);
    let end = (first as usize + bytes) / PAGE * PAGE;
    if end > start + LARGE {
        // SAFETY: whole pages inside an allocation of ours; the advice does not change what they hold.
        unsafe {
            libc::madvise(start as *mut _, end - start, libc::MADV_HUGEPAGE);
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn advise(_: *const u8, _: usize) {}
