//! Large arrays on large pages where the system offers them: what is walked in another order than it lies in memory
//! costs a page walk at every turn with small ones.

mod kernels;

/// An empty vector with room for `count` elements.
#[must_use]
pub fn with_capacity<T>(count: usize) -> Vec<T> {
    let vector = Vec::<T>::with_capacity(count);
    kernels::advise(vector.as_ptr().cast(), vector.capacity() * size_of::<T>());
    vector
}
