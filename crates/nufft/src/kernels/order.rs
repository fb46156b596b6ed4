//! Permutation between the caller's order of the points and tile order. It is applied in the caller's
//! order: the points of a tile have ascending positions there, so that each tile is a sequential
//! stream, while tile order would access the caller's array at random.

use super::shared::{Shared, Source as _};
use crate::workers::Workers;

/// Points per task.
const TASK: usize = 1 << 14;

/// Prefetch distance in points.
const AHEAD: usize = 24;

/// For every point in the caller's order, its index in tile order: a permutation.
#[derive(Debug, Default)]
pub(crate) struct Order {
    slots: Vec<u32>,
}

impl Order {
    /// Creates a permutation.
    ///
    /// # Safety
    /// `slots` must be a permutation of 0, 1, ….
    pub(crate) unsafe fn new(slots: Vec<u32>) -> Order {
        Order { slots }
    }

    /// Returns the memory for reuse.
    pub(crate) fn into_slots(self) -> Vec<u32> {
        self.slots
    }

    /// Permutes an array from the caller's order to tile order.
    pub(crate) fn sort<T: Copy + Send + Sync>(
        &self,
        given: &[T],
        sorted: &mut [T],
        workers: Workers,
    ) {
        assert_eq!(given.len(), self.slots.len());
        assert_eq!(sorted.len(), self.slots.len());
        let sorted = Shared::new(sorted);
        self.tasks(workers, |task| {
            let range = task * TASK..given.len().min((task + 1) * TASK);
            let slots = &self.slots[range.clone()];
            for (i, (value, &slot)) in given[range].iter().zip(slots).enumerate() {
                if let Some(&later) = slots.get(i + AHEAD) {
                    sorted.prefetch(later as usize);
                }
                // SAFETY: a permutation: the index is inside the array and unique.
                unsafe { *sorted.at(slot as usize) = *value };
            }
        });
    }

    /// Permutes an array from tile order to the caller's order.
    pub(crate) fn unsort<T: Copy + Send + Sync>(
        &self,
        sorted: &[T],
        given: &mut [T],
        workers: Workers,
    ) {
        assert_eq!(given.len(), self.slots.len());
        assert_eq!(sorted.len(), self.slots.len());
        let count = given.len();
        let given = Shared::new(given);
        self.tasks(workers, |task| {
            let range = task * TASK..count.min((task + 1) * TASK);
            // SAFETY: the index ranges of the tasks are disjoint.
            let given = unsafe { given.part(range.clone()) };
            for (value, &slot) in given.iter_mut().zip(&self.slots[range]) {
                // SAFETY: a permutation: the index is inside the array.
                *value = unsafe { *sorted.get_unchecked(slot as usize) };
            }
        });
    }

    fn tasks(&self, workers: Workers, work: impl Fn(usize) + Sync + Send) {
        let tasks = self.slots.len().div_ceil(TASK);
        workers.for_each(tasks, || (), |(), task| work(task));
    }
}
