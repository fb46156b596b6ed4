//! Work arrays of transforms, retained for reuse.

use std::sync::{Mutex, PoisonError};

use crate::kernels::memory::Lined;

/// Arrays that are not in use.
#[derive(Debug)]
pub(crate) struct Spare<T>(Mutex<Vec<Lined<T>>>);

impl<T: Clone> Spare<T> {
    pub(crate) fn new() -> Self {
        Spare(Mutex::new(Vec::new()))
    }

    /// Returns an array of at least `count` elements with arbitrary content; a new one is filled
    /// with `value`.
    pub(crate) fn take(&self, value: T, count: usize) -> Lined<T> {
        let mut free = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        free.retain(|array| array.len() >= count);
        let kept = free.pop();
        drop(free);
        kept.unwrap_or_else(|| Lined::filled(value, count))
    }

    /// Returns an array to the pool.
    pub(crate) fn give(&self, array: Lined<T>) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(array);
    }
}
