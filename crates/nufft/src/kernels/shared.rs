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

    /// Creates a read-only slice: only [`Shared::read`] may be called.
    pub(crate) fn to_read(slice: &'a [T]) -> Self {
        Shared {
            first: slice.as_ptr().cast_mut(),
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

    /// Prefetches an element, if the index is inside the slice.
    #[inline(always)]
    pub(crate) fn prefetch(&self, index: usize) {
        #[cfg(target_arch = "x86_64")]
        if index < self.length {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: inside the slice; a prefetch has no architectural effect.
            unsafe {
                let at = self.first.add(index).cast::<i8>();
                _mm_prefetch::<_MM_HINT_T0>(at);
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = index;
    }

    /// Returns a part of the slice, read-only.
    ///
    /// # Safety
    /// Its elements must not be modified while it is in use.
    pub(crate) unsafe fn read(&self, range: Range<usize>) -> &[T] {
        assert!(range.start <= range.end && range.end <= self.length);
        // SAFETY: inside the slice by the assertion above; not modified by the contract of this
        // function.
        unsafe { std::slice::from_raw_parts(self.first.add(range.start), range.len()) }
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
