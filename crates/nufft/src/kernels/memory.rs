//! Large arrays on large pages where the system offers them: points and grid are walked in tile order,
//! which with small pages costs a page walk at every turn. And from the start of a cache line on, so that
//! vectors of the same length need not lie across two.

use std::ops::{Deref, DerefMut};

use wavefield_numerics::memory::with_capacity;

use crate::grid::LINE;

/// An empty vector with room for `count` elements, in the memory of an earlier one if it has room, and not far too much.
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
