//! Large arrays on large pages where the system offers them: points and grid are walked in tile order,
//! which with small pages costs a page walk at every turn. And from the start of a cache line on, so that
//! vectors of the same length need not lie across two.

use std::ops::{Deref, DerefMut};

use crate::grid::LINE;

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

/// An array that starts where a cache line does.
#[derive(Debug)]
pub(crate) struct Lined<T> {
    all: Vec<T>,
    first: usize,
}

impl<T: Clone> Lined<T> {
    /// So many times the same element.
    pub(crate) fn filled(value: T, count: usize) -> Lined<T> {
        let before = LINE / size_of::<T>();
        let mut all = with_capacity(count + before);
        all.resize(count + before, value);
        // A place that cannot be found costs time only.
        let first = all.as_ptr().align_offset(LINE).min(before);
        all.truncate(first + count);
        Lined { all, first }
    }
}

impl<T> Deref for Lined<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.all[self.first..]
    }
}

impl<T> DerefMut for Lined<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.all[self.first..]
    }
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
