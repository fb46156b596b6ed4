//! Between the caller's order of the points and that of the tiles. Walked in the caller's order: what
//! lies in one tile is met one after the other there as well, so that each tile is a stream of its own,
//! while a walk in tile order would jump through the caller's array at every point.

use super::shared::Shared;
use crate::workers::Workers;

/// Points of one task.
const TASK: usize = 1 << 14;

/// Points whose place is brought near ahead of being written to.
const AHEAD: usize = 24;

/// For every point in the caller's order, its place among the sorted ones: a permutation.
#[derive(Debug, Default)]
pub(crate) struct Order {
    slots: Vec<u32>,
}

impl Order {
    /// # Safety
    /// The slots must be a permutation of 0, 1, ….
    pub(crate) unsafe fn new(slots: Vec<u32>) -> Order {
        Order { slots }
    }

    /// The memory, to be used again.
    pub(crate) fn into_slots(self) -> Vec<u32> {
        self.slots
    }

    /// Brings an array into the order of the tiles.
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
                // SAFETY: a permutation: inside the array, and nobody else writes there.
                unsafe { *sorted.at(slot as usize) = *value };
            }
        });
    }

    /// Brings a sorted array into the caller's order.
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
            // SAFETY: every task has its own part.
            let given = unsafe { given.part(range.clone()) };
            for (value, &slot) in given.iter_mut().zip(&self.slots[range]) {
                // SAFETY: a permutation: inside the array.
                *value = unsafe { *sorted.get_unchecked(slot as usize) };
            }
        });
    }

    fn tasks(&self, workers: Workers, work: impl Fn(usize) + Sync + Send) {
        let tasks = self.slots.len().div_ceil(TASK);
        workers.for_each(tasks, || (), |(), task| work(task));
    }
}
