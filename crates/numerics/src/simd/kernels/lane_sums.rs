//! Inner products of several vectors with several others, as partial sums per lane.
//!
//! The caller adds the lanes: compilers do not vectorize loops that end in a horizontal sum, nor loops of known
//! length.

use super::sine::mul_add;
use crate::dispatch;
use crate::simd::LANES;

/// Accumulator of products in single or double precision; the factors are in the same precision or in single
/// precision.
pub trait Accumulate<Factor>: Copy {
    /// Returns self + a·b, rounded once if `FUSED`.
    fn plus<const FUSED: bool>(self, a: Factor, b: Factor) -> Self;
}

impl Accumulate<f64> for f64 {
    #[inline(always)]
    fn plus<const FUSED: bool>(self, a: f64, b: f64) -> f64 {
        mul_add::<FUSED>(a, b, self)
    }
}

impl Accumulate<f32> for f64 {
    #[inline(always)]
    fn plus<const FUSED: bool>(self, a: f32, b: f32) -> f64 {
        self.plus::<FUSED>(f64::from(a), f64::from(b))
    }
}

impl Accumulate<f32> for f32 {
    #[inline(always)]
    fn plus<const FUSED: bool>(self, a: f32, b: f32) -> f32 {
        if FUSED {
            a.mul_add(b, self)
        } else {
            self + a * b
        }
    }
}

dispatch! {
    /// Adds Σ a·b of every a with every b per lane, ordered by a first; numbers beyond the last complete group of
    /// lanes are excluded.
    pub fn lane_sums(a: &[&[f64]], b: &[&[f64]], sums: &mut [[f64; LANES]]) = sums_of_doubles
}

#[inline(always)]
fn sums_of_doubles<const FUSED: bool>(a: &[&[f64]], b: &[&[f64]], sums: &mut [[f64; LANES]]) {
    all::<f64, FUSED>(a, b, sums);
}

dispatch! {
    /// Adds the same sums for factors in single precision. The sums are in double precision, since GMRES with a
    /// tolerance of 1e-6 stagnates on sums in single precision.
    pub fn lane_sums_of_singles(
        a: &[&[f32]],
        b: &[&[f32]],
        sums: &mut [[f64; LANES]],
    ) = sums_of_singles
}

#[inline(always)]
fn sums_of_singles<const FUSED: bool>(a: &[&[f32]], b: &[&[f32]], sums: &mut [[f64; LANES]]) {
    all::<f32, FUSED>(a, b, sums);
}

#[inline(always)]
fn all<T: Copy, const FUSED: bool>(a: &[&[T]], b: &[&[T]], sums: &mut [[f64; LANES]])
where
    f64: Accumulate<T>,
{
    for (a, sums) in a.chunks(2).zip(sums.chunks_mut(2 * b.len().max(1))) {
        for (at, b) in b.iter().enumerate() {
            if let &[a0, a1] = a {
                let other = at + sums.len() / 2;
                let before = [sums[at], sums[other]];
                [sums[at], sums[other]] = by_lanes::<T, FUSED, 2>([a0, a1], b, before);
            } else {
                [sums[at]] = by_lanes::<T, FUSED, 1>([a[0]], b, [sums[at]]);
            }
        }
    }
}

/// Adds Σ a·b for one or two a: compilers do not vectorize more at a time.
#[inline(always)]
fn by_lanes<T: Copy, const FUSED: bool, const ROWS: usize>(
    a: [&[T]; ROWS],
    b: &[T],
    mut sums: [[f64; LANES]; ROWS],
) -> [[f64; LANES]; ROWS]
where
    f64: Accumulate<T>,
{
    let b = b.as_chunks::<LANES>().0;
    let a = a.map(|a| &a.as_chunks::<LANES>().0[..b.len()]);
    for (at, b) in b.iter().enumerate() {
        for row in 0..ROWS {
            for lane in 0..LANES {
                sums[row][lane] = sums[row][lane].plus::<FUSED>(a[row][at][lane], b[lane]);
            }
        }
    }
    sums
}
