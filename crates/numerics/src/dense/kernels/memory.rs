//! Memory ahead of time: zeros on large pages where the system offers
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
