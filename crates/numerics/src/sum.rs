//! Sums that are bitwise identical for any number of threads.
//!
//! Floating-point addition is not associative, so a sum must fix its order. The terms are divided into blocks
//! of [`BLOCK`]; a block is added in eight interleaved lanes (which vectorizes), and the block sums are added
//! pairwise in a binary tree that depends on their number alone. The error grows with the depth of the tree,
//! not with the number of terms: for n terms of one sign it is below (`BLOCK`/8 + 3 + log₂(n/`BLOCK`))
//! rounding errors, and usually one or two.

use std::ops::{Add, Mul, Range};

use num_complex::Complex;
use rayon::prelude::*;

/// Terms per block; part of the definition of the sum, since a change affects the last bits.
pub const BLOCK: usize = 1024;

const LANES: usize = 8;

/// A number that can be summed: `f32`, `f64`, and complex numbers of them.
pub trait Summand: Copy + Send + Sync + Add<Output = Self> + Mul<Output = Self> {
    /// Value of the empty sum.
    const ZERO: Self;

    /// Returns the complex conjugate; a real number itself.
    #[must_use]
    fn conjugate(self) -> Self;
}

impl Summand for f32 {
    const ZERO: Self = 0.0;
    fn conjugate(self) -> Self {
        self
    }
}

impl Summand for f64 {
    const ZERO: Self = 0.0;
    fn conjugate(self) -> Self {
        self
    }
}

impl Summand for Complex<f32> {
    const ZERO: Self = Complex { re: 0.0, im: 0.0 };
    fn conjugate(self) -> Self {
        self.conj()
    }
}

impl Summand for Complex<f64> {
    const ZERO: Self = Complex { re: 0.0, im: 0.0 };
    fn conjugate(self) -> Self {
        self.conj()
    }
}

/// Returns Σ `values[i]`.
pub fn sum<T: Summand>(values: &[T]) -> T {
    sum_blocks(values.len(), |range| block_sum(&values[range]))
}

/// Returns Σ conj(`left[i]`)·`right[i]`, the inner product with the first argument conjugated.
///
/// # Panics
/// Panics if the lengths differ.
pub fn dot<T: Summand>(left: &[T], right: &[T]) -> T {
    assert_eq!(
        left.len(),
        right.len(),
        "an inner product needs vectors of equal length"
    );
    sum_by(left.len(), |index| left[index].conjugate() * right[index])
}

/// Returns Σ `term(i)` for i from 0 to `count` − 1, with the terms computed on the fly.
pub fn sum_by<T: Summand>(count: usize, term: impl Fn(usize) -> T + Sync) -> T {
    sum_blocks(count, |range| {
        let mut lanes = [T::ZERO; LANES];
        for (offset, index) in range.enumerate() {
            lanes[offset % LANES] = lanes[offset % LANES] + term(index);
        }
        tree(&lanes)
    })
}

/// Returns the sum of one value per block of [`BLOCK`] indices, for solvers that compute the contribution of a
/// whole block.
///
/// `block` receives the indices of its block and must depend on nothing else.
pub fn sum_blocks<T: Summand>(count: usize, block: impl Fn(Range<usize>) -> T + Sync) -> T {
    reduce_blocks(count, BLOCK, T::ZERO, block, |left, right| left + right)
}

/// Maps fixed blocks of indices in parallel and combines the results in the fixed binary tree: the general
/// form.
///
/// `block_size` is part of the definition of the result. `empty` is returned if there is no block.
pub fn reduce_blocks<V: Send>(
    count: usize,
    block_size: usize,
    empty: V,
    block: impl Fn(Range<usize>) -> V + Sync,
    combine: impl Fn(V, V) -> V,
) -> V {
    let block_size = block_size.max(1);
    let mut level: Vec<V> = (0..count.div_ceil(block_size))
        .into_par_iter()
        .map(|index| block(index * block_size..count.min((index + 1) * block_size)))
        .collect();
    while level.len() > 1 {
        let mut next = Vec::with_capacity(level.len().div_ceil(2));
        let mut pairs = level.into_iter();
        while let Some(left) = pairs.next() {
            next.push(match pairs.next() {
                Some(right) => combine(left, right),
                None => left,
            });
        }
        level = next;
    }
    level.pop().unwrap_or(empty)
}

fn block_sum<T: Summand>(values: &[T]) -> T {
    let mut lanes = [T::ZERO; LANES];
    let mut groups = values.chunks_exact(LANES);
    for group in &mut groups {
        for (lane, &value) in lanes.iter_mut().zip(group) {
            *lane = *lane + value;
        }
    }
    for (lane, &value) in lanes.iter_mut().zip(groups.remainder()) {
        *lane = *lane + value;
    }
    tree(&lanes)
}

fn tree<T: Summand>(lanes: &[T; LANES]) -> T {
    let [a, b, c, d, e, f, g, h] = *lanes;
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}
