//! Zero-initialized memory on huge pages, if the operating system offers them: access across columns
//! would miss the TLB at every column with small pages.

use rayon::prelude::*;

use crate::dense::lines::Line;
use crate::memory::with_capacity;

/// Lines that one task sets to zero.
const TOGETHER: usize = 1 << 15;

/// Returns `count` zero lines, first touched by all threads after the huge-page advice.
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
