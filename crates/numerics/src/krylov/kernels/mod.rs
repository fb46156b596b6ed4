//! Inner products and linear combinations of long vectors.
//!
//! Complex numbers are interleaved: sums of real products yield both parts, and the loops need no shuffles.

#![allow(unsafe_code)]

use num_complex::Complex64;
use std::ops::Range;

use crate::dispatch;
use crate::simd::{Accumulate, LANES, lane_sums};

/// Numbers of a block of vectors that stays in cache while all inner products are accumulated over it.
const STRETCH: usize = 256;
/// Numbers of a block that stays in cache while all linear combinations are added to it.
const COMBINED: usize = 128;
/// Vectors combined per pass.
const TOGETHER: usize = 4;

/// Computes Σ a*·b of every a with every b, all of the same length, ordered by a first.
pub(super) fn inner_products(a: &[&[Complex64]], b: &[&[Complex64]], products: &mut [Complex64]) {
    let size = b.first().map_or(0, |b| b.len());
    // Re a*·b = a·b and Im a*·b = a·(−jb), as sums over the interleaved parts.
    let turned: Vec<Vec<Complex64>> = (b.iter())
        .map(|b| b.iter().map(|z| Complex64::new(z.im, -z.re)).collect())
        .collect();
    let both: Vec<&[Complex64]> = (b.iter().zip(&turned))
        .flat_map(|(b, turned)| [b, &turned[..]])
        .collect();
    let mut sums = vec![[0.0; LANES]; a.len() * both.len()];
    for start in (0..size).step_by(STRETCH) {
        let range = start..size.min(start + STRETCH);
        lane_sums(&parts(a, &range), &parts(&both, &range), &mut sums);
    }
    let rest = size - size % (LANES / 2)..size;
    let pairs = a.iter().flat_map(|a| b.iter().map(move |b| (a, b)));
    for ((product, [re, im]), (a, b)) in products.iter_mut().zip(sums.as_chunks().0).zip(pairs) {
        let (a, b) = (&a[rest.clone()], &b[rest.clone()]);
        let last: Complex64 = a.iter().zip(b).map(|(a, b)| a.conj() * b).sum();
        *product = Complex64::new(re.iter().sum(), im.iter().sum()) + last;
    }
}

/// Returns the interleaved parts of a range of every vector.
fn parts<'a>(vectors: &[&'a [Complex64]], range: &Range<usize>) -> Vec<&'a [f64]> {
    (vectors.iter())
        .map(|vector| bytemuck::cast_slice(&vector[range.clone()]))
        .collect()
}

dispatch! {
    /// Adds Σ factor·a to every sum, all of the same length; `factors` holds one slice per sum.
    pub(super) fn add_combinations(
        a: &[&[Complex64]],
        factors: &[&[Complex64]],
        sums: &mut [&mut [Complex64]],
    ) = add_combinations_either
}

#[inline(always)]
fn add_combinations_either<const FUSED: bool>(
    a: &[&[Complex64]],
    factors: &[&[Complex64]],
    sums: &mut [&mut [Complex64]],
) {
    let size = sums.first().map_or(0, |sum| sum.len());
    // Σ Re factor·a and Σ Im factor·a of every sum.
    let mut parts = vec![[[0.0; 2 * COMBINED]; 2]; sums.len()];
    for start in (0..size).step_by(COMBINED) {
        let range = start..size.min(start + COMBINED);
        parts.fill([[0.0; 2 * COMBINED]; 2]);
        for first in (0..a.len()).step_by(TOGETHER) {
            for (factors, parts) in factors.iter().zip(&mut parts) {
                let count = TOGETHER.min(a.len() - first);
                let (factors, some) = (&factors[first..], &a[first..first + count]);
                let part = |number: usize| -> &[f64] {
                    bytemuck::cast_slice(&some[number][range.clone()])
                };
                if count == TOGETHER {
                    let some = [part(0), part(1), part(2), part(3)];
                    let factors = [factors[0], factors[1], factors[2], factors[3]];
                    combine::<FUSED, TOGETHER>(some, factors, parts);
                } else {
                    for number in 0..count {
                        combine::<FUSED, 1>([part(number)], [factors[number]], parts);
                    }
                }
            }
        }
        for (sum, [along, across]) in sums.iter_mut().zip(&parts) {
            let sum: &mut [f64] = bytemuck::cast_slice_mut(&mut sum[range.clone()]);
            let (along, across) = (along.as_chunks::<2>().0, across.as_chunks::<2>().0);
            for ((sum, along), across) in
                sum.as_chunks_mut::<2>().0.iter_mut().zip(along).zip(across)
            {
                sum[0] += along[0] - across[1];
                sum[1] += along[1] + across[0];
            }
        }
    }
}

/// Adds Σ Re factor·a and Σ Im factor·a of a few vectors.
#[inline(always)]
fn combine<const FUSED: bool, const N: usize>(
    a: [&[f64]; N],
    factors: [Complex64; N],
    [along, across]: &mut [[f64; 2 * COMBINED]; 2],
) {
    let size = a[0].len();
    let a = a.map(|a| &a[..size]);
    let (along, across) = (&mut along[..size], &mut across[..size]);
    for at in 0..size {
        let (mut re, mut im) = (along[at], across[at]);
        for n in 0..N {
            re = re.plus::<FUSED>(factors[n].re, a[n][at]);
            im = im.plus::<FUSED>(factors[n].im, a[n][at]);
        }
        along[at] = re;
        across[at] = im;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(size: usize, seed: f64) -> Vec<Complex64> {
        (0..size)
            .map(|at| Complex64::from_polar(1.0 + (at as f64 * seed).sin(), at as f64 * seed))
            .collect()
    }

    #[test]
    fn sums_are_those_written_out_at_any_length() {
        for size in [0, 1, 3, 4, 5, 127, 128, 131, 300] {
            for (count, sums) in [(1, 1), (3, 5), (4, 4), (9, 2), (0, 2)] {
                let a: Vec<_> = (0..count).map(|n| vector(size, 0.3 + n as f64)).collect();
                let b: Vec<_> = (0..sums).map(|n| vector(size, 0.7 - n as f64)).collect();
                let a: Vec<&[Complex64]> = a.iter().map(|a| &a[..]).collect();
                let others: Vec<&[Complex64]> = b.iter().map(|b| &b[..]).collect();
                let mut products = vec![Complex64::new(7.0, 7.0); count * sums];
                inner_products(&a, &others, &mut products);
                for (i, a) in a.iter().enumerate() {
                    for (j, b) in b.iter().enumerate() {
                        let plain: Complex64 = a.iter().zip(b).map(|(a, b)| a.conj() * b).sum();
                        let apart = (products[i * sums + j] - plain).norm();
                        assert!(apart <= 1e-14 * size as f64, "{size} {count} {apart}");
                    }
                }

                let factors: Vec<_> = (0..sums).map(|n| vector(count, 1.1 + n as f64)).collect();
                let of_sums: Vec<&[Complex64]> = factors.iter().map(|f| &f[..]).collect();
                let mut found = b.clone();
                let mut places: Vec<&mut [Complex64]> =
                    found.iter_mut().map(|sum| &mut sum[..]).collect();
                add_combinations(&a, &of_sums, &mut places);
                for (j, found) in found.iter().enumerate() {
                    for (at, found) in found.iter().enumerate() {
                        let parts = a.iter().zip(&factors[j]).map(|(a, factor)| factor * a[at]);
                        let plain = b[j][at] + parts.sum::<Complex64>();
                        assert!((found - plain).norm() <= 1e-14 * (1 + count) as f64);
                    }
                }
            }
        }
    }
}
