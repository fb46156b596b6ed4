//! A slice that several workers write to, each its own elements.

use std::marker::PhantomData;
use std::ops::Range;

/// A mutable slice whose elements are handed out by several threads.
#[derive(Debug)]
pub(crate) struct Shared<'a, T> {
    first: *mut T,
    length: usize,
    slice: PhantomData<&'a mut [T]>,
}

// SAFETY: handing out elements is unsafe and demands that no two threads ask for the same one.
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

    /// A slice that is only read: [`Shared::read`] is all that may be asked of it.
    pub(crate) fn to_read(slice: &'a [T]) -> Self {
        Shared {
            first: slice.as_ptr().cast_mut(),
            length: slice.len(),
            slice: PhantomData,
        }
    }

    /// The first element, to count from.
    pub(crate) fn as_mut_ptr(&self) -> *mut T {
        self.first
    }

    /// A part of the slice.
    ///
    /// # Safety
    /// Nobody else may hold any of its elements while it is held.
    #[expect(
        clippy::mut_from_ref,
        reason = "the point of this type; the caller vouches"
    )]
    pub(crate) unsafe fn part(&self, range: Range<usize>) -> &mut [T] {
        assert!(range.start <= range.end && range.end <= self.length);
        // SAFETY: inside the slice by the line above, alone by the caller's word.
        unsafe { std::slice::from_raw_parts_mut(self.first.add(range.start), range.len()) }
    }

    /// Brings an element near, if there is one at the index.
    #[inline(always)]
    pub(crate) fn prefetch(&self, index: usize) {
        #[cfg(target_arch = "x86_64")]
        if index < self.length {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: inside the slice; a prefetch reads nothing.
            unsafe {
                let at = self.first.add(index).cast::<i8>();
                _mm_prefetch::<_MM_HINT_T0>(at);
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = index;
    }

    /// A part of the slice, to read.
    ///
    /// # Safety
    /// Nobody may change its elements while it is held.
    pub(crate) unsafe fn read(&self, range: Range<usize>) -> &[T] {
        assert!(range.start <= range.end && range.end <= self.length);
        // SAFETY: inside the slice by the line above, unchanged by the caller's word.
        unsafe { std::slice::from_raw_parts(self.first.add(range.start), range.len()) }
    }

    /// One element.
    ///
    /// # Safety
    /// As for [`Shared::part`], and the index must lie inside the slice.
    #[expect(
        clippy::mut_from_ref,
        reason = "the point of this type; the caller vouches"
    )]
    #[inline(always)]
    pub(crate) unsafe fn at(&self, index: usize) -> &mut T {
        debug_assert!(index < self.length);
        // SAFETY: the caller's word.
        unsafe { &mut *self.first.add(index) }
    }
}
