//! The system's advice about memory.

#![allow(unsafe_code)]

/// Asks for large pages; what the system answers changes nothing but the time.
#[cfg(target_os = "linux")]
pub(super) fn advise(first: *const u8, bytes: usize) {
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
pub(super) fn advise(_: *const u8, _: usize) {}
