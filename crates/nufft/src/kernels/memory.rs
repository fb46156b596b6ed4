//! Large arrays on huge pages, if the operating system offers them: access to points and grid in tile order misses the
//! TLB with small pages. Arrays are aligned to cache lines, so that vectors of that length do not cross two.

use std::ops::{Deref, DerefMut};

use wavefield_numerics::memory::with_capacity;

use crate::grid::LINE;

/// Returns an empty vector with capacity for `count` elements, reusing an earlier one unless it is too small or far too
/// large.
pub(crate) fn with_room<T>(mut earlier: Vec<T>, count: usize) -> Vec<T> {
    earlier.clear();
    if (count..=2 * count).contains(&earlier.capacity()) {
        earlier
    } else {
        drop(earlier);
        with_capacity(count)
    }
}

/// An array aligned to a cache line.
#[derive(Debug)]
pub(crate) struct Lined<T> {
    all: Vec<T>,
    first: usize,
}

impl<T: Clone> Lined<T> {
    /// Creates an array of `count` copies of `value`.
    pub(crate) fn filled(value: T, count: usize) -> Lined<T> {
        let before = LINE / size_of::<T>();
        let mut all = with_capacity(count + before);
        all.resize(count + before, value);
        // A failed alignment costs time only.
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
