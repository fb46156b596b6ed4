//! Large arrays on large pages where the system offers them: points and grid are walked in tile order,
//! which with small pages costs a page walk at every turn.

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
