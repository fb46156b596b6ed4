//! Memory advice to the operating system.

#![allow(unsafe_code)]

/// Requests huge pages (`madvise`); a refusal affects the run time only.
#[cfg(target_os = "linux")]
pub(super) fn advise(first: *const u8, bytes: usize) {
    const LARGE: usize = 1 << 21;
    const PAGE: usize = 4096;
    let start = (first as usize).next_multiple_of(PAGE);
    let end = (first as usize + bytes) / PAGE * PAGE;
    if end > start + LARGE {
        // SAFETY: whole pages inside our own allocation; the advice does not change their content.
        unsafe {
            libc::madvise(start as *mut _, end - start, libc::MADV_HUGEPAGE);
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn advise(_: *const u8, _: usize) {}
