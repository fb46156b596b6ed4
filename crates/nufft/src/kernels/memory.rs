//! Large arrays on large pages where the system offers them: points and grid are walked in tile order,
//! which with small pages costs a page walk at every turn.

use num_complex::Complex;

use super::shared::Shared;
use crate::precision::Precision;
use crate::workers::Workers;

/// An empty vector with room for `count` elements.
pub(crate) fn with_capacity<T>(count: usize) -> Vec<T> {
    let vector = Vec::<T>::with_capacity(count);
    advise(vector.as_ptr().cast(), vector.capacity() * size_of::<T>());
    vector
}

/// The same, in the memory of an earlier vector if it has room, and not far too much.
pub(crate) fn with_room<T>(mut earlier: Vec<T>, count: usize) -> Vec<T> {
    earlier.clear();
    if (count..=2 * count).contains(&earlier.capacity()) {
        earlier
    } else {
        drop(earlier);
        with_capacity(count)
    }
}

/// A vector of `count` times the same element.
pub(crate) fn filled<T: Clone>(value: T, count: usize) -> Vec<T> {
    let mut vector = with_capacity(count);
    vector.resize(count, value);
    vector
}

/// Sets every element to zero.
pub(crate) fn clear<R: Precision>(grid: &mut [Complex<R>], workers: Workers) {
    const PART: usize = 1 << 16;
    let count = grid.len();
    let grid = Shared::new(grid);
    workers.for_each(
        count.div_ceil(PART),
        || (),
        |(), part| {
            // SAFETY: every task has its own part.
            let part = unsafe { grid.part(part * PART..count.min((part + 1) * PART)) };
            part.fill(Complex::new(R::zero(), R::zero()));
        },
    );
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
