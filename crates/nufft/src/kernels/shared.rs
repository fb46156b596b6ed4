//! A slice with disjoint elements written by several workers.

use std::marker::PhantomData;
use std::ops::Range;

/// A mutable slice whose disjoint parts are accessed by several threads.
#[derive(Debug)]
pub(crate) struct Shared<'a, T> {
    first: *mut T,
    length: usize,
    slice: PhantomData<&'a mut [T]>,
}

// SAFETY: access to elements is unsafe and requires that no two threads access the same one.
unsafe impl<T: Send> Sync for Shared<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Send> Send for Shared<'_, T> {}

impl<'a, T> Shared<'a, T> {
    pub(crate) fn new(slice: &'a mut [T]) -> Self {
        Shared {
            first: slice.as_mut_ptr(),
            length: slice.len(),
            slice: PhantomData,
        }
    }

    /// Returns a pointer to the first element.
    pub(crate) fn as_mut_ptr(&self) -> *mut T {
        self.first
    }

    /// Returns a part of the slice.
    ///
    /// # Safety
    /// No other reference to any of its elements may exist while it is in use.
    #[expect(
        clippy::mut_from_ref,
        reason = "the purpose of this type; the caller guarantees exclusive access"
    )]
    pub(crate) unsafe fn part(&self, range: Range<usize>) -> &mut [T] {
        assert!(range.start <= range.end && range.end <= self.length);
        // SAFETY: inside the slice by the assertion above; exclusive by the contract of this
        // function.
        unsafe { std::slice::from_raw_parts_mut(self.first.add(range.start), range.len()) }
    }

    /// Returns one element.
    ///
    /// # Safety
    /// As for [`Shared::part`], and the index must be inside the slice.
    #[expect(
        clippy::mut_from_ref,
        reason = "the purpose of this type; the caller guarantees exclusive access"
    )]
    #[inline(always)]
    pub(crate) unsafe fn at(&self, index: usize) -> &mut T {
        debug_assert!(index < self.length);
        // SAFETY: upheld by the caller.
        unsafe { &mut *self.first.add(index) }
    }
}

/// Elements that several threads read: those of a slice, or of a [`Shared`] that none of them modifies.
pub(crate) trait Source<T> {
    /// Returns a part of the elements.
    ///
    /// # Safety
    /// They must not be modified while it is in use.
    unsafe fn read(&self, range: Range<usize>) -> &[T];

    /// Prefetches an element, if the index is inside.
    fn prefetch(&self, index: usize);
}

impl<T> Source<T> for [T] {
    #[inline(always)]
    unsafe fn read(&self, range: Range<usize>) -> &[T] {
        &self[range]
    }

    #[inline(always)]
    fn prefetch(&self, index: usize) {
        if let Some(element) = self.get(index) {
            prefetch(element);
        }
    }
}

impl<T> Source<T> for Shared<'_, T> {
    #[inline(always)]
    unsafe fn read(&self, range: Range<usize>) -> &[T] {
        assert!(range.start <= range.end && range.end <= self.length);
        // SAFETY: inside the slice by the assertion above; not modified by the contract of this function.
        unsafe { std::slice::from_raw_parts(self.first.add(range.start), range.len()) }
    }

    #[inline(always)]
    fn prefetch(&self, index: usize) {
        if index < self.length {
            // SAFETY: inside the slice.
            prefetch(unsafe { self.first.add(index) });
        }
    }
}

/// Prefetches the cache line of an address, which has no architectural effect.
#[inline(always)]
fn prefetch<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch accesses no memory.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}
