//! Large arrays on huge pages, if the operating system offers them: access out of memory order misses the TLB with
//! small pages.

mod kernels;

/// Creates an empty vector with capacity for `count` elements, on huge pages if possible.
#[must_use]
pub fn with_capacity<T>(count: usize) -> Vec<T> {
    let vector = Vec::<T>::with_capacity(count);
    kernels::advise(vector.as_ptr().cast(), vector.capacity() * size_of::<T>());
    vector
}
