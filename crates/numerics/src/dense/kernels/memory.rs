//! Memory ahead of time: lines that are needed soon, and zeros on large pages where the system offers
//! them. A matrix is walked across its columns, which with small pages costs a page walk at every column.

use rayon::prelude::*;

use crate::dense::lines::Line;
use crate::memory::with_capacity;

/// Lines that a task sets to zero.
const TOGETHER: usize = 1 << 15;

/// So many lines of zeros, written by all threads once the system knows what they are for.
pub(crate) fn zeros(count: usize) -> Vec<Line> {
    let mut lines = with_capacity::<Line>(count);
    lines.spare_capacity_mut()[..count]
        .par_chunks_mut(TOGETHER)
        .for_each(|part| {
            for line in part {
                line.write(Line::ZERO);
            }
        });
    // SAFETY: the capacity is there, and all of these lines were written above.
    unsafe { lines.set_len(count) };
    lines
}

/// Brings a line near before it is needed.
#[inline(always)]
pub(crate) fn prefetch(line: &Line) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every 64-bit processor of this family has the instruction, which reads nothing.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T1>(line.0.as_ptr().cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = line;
}
