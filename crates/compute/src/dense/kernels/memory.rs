//! Zeros on large pages where the system offers them: a matrix is walked across its columns, which with
//! small pages costs a page walk at every column.

use crate::dense::lines::Line;

/// So many lines of zeros.
pub(crate) fn zeros(count: usize) -> Vec<Line> {
    let lines: Vec<Line> = bytemuck::zeroed_vec(count);
    advise(lines.as_ptr().cast(), size_of_val(lines.as_slice()));
    lines
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
