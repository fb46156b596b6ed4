//! Weighted sums of complex numbers.

use std::ops::Range;

use num_complex::Complex64;
use wavefield_numerics::simd::{LANES, dispatch};

/// Complex weights of a list of values.
///
/// Real and imaginary parts are stored separately, each twice, so that both parts of a value meet the same weight and a
/// product needs no lane shuffles.
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    real: Vec<[f64; 2]>,
    imaginary: Vec<[f64; 2]>,
}

impl Weights {
    pub(crate) fn new(weights: &[Complex64]) -> Weights {
        Weights {
            real: weights.iter().map(|w| [w.re; 2]).collect(),
            imaginary: weights.iter().map(|w| [w.im; 2]).collect(),
        }
    }

    /// Adds the sum of weight times value over a range of the list.
    pub(crate) fn add_sum(&self, range: Range<usize>, values: &[Complex64], sum: &mut Complex64) {
        weighted_sum(
            self.real[range.clone()].as_flattened(),
            self.imaginary[range.clone()].as_flattened(),
            bytemuck::cast_slice(&values[range]),
            sum,
        );
    }
}

/// Independent partial sums.
const SUMS: usize = 2 * LANES;

dispatch! {
    /// Adds Σ w·v to `sum`; all lists have two numbers per term.
    fn weighted_sum(real: &[f64], imaginary: &[f64], values: &[f64], sum: &mut Complex64) = add
}

#[inline(always)]
fn add<const FUSED: bool>(real: &[f64], imaginary: &[f64], values: &[f64], sum: &mut Complex64) {
    // Sums of both parts times the real and times the imaginary part of the weight.
    let mut by_real = [0.0; SUMS];
    let mut by_imaginary = [0.0; SUMS];
    let plus = |a: f64, b: f64, sum: f64| {
        if FUSED {
            a.mul_add(b, sum)
        } else {
            a * b + sum
        }
    };
    let (real, last_real) = real.as_chunks::<SUMS>();
    let (imaginary, last_imaginary) = imaginary.as_chunks::<SUMS>();
    let (values, last_values) = values.as_chunks::<SUMS>();
    for ((real, imaginary), value) in real.iter().zip(imaginary).zip(values) {
        for i in 0..SUMS {
            by_real[i] = plus(real[i], value[i], by_real[i]);
            by_imaginary[i] = plus(imaginary[i], value[i], by_imaginary[i]);
        }
    }
    close(&by_real, &by_imaginary, sum);
    close(
        &std::array::from_fn(|i| product(last_real, last_values, i)),
        &std::array::from_fn(|i| product(last_imaginary, last_values, i)),
        sum,
    );
}

/// Returns the product of two list elements, zero beyond their end.
fn product(a: &[f64], b: &[f64], i: usize) -> f64 {
    match (a.get(i), b.get(i)) {
        (Some(a), Some(b)) => a * b,
        _ => 0.0,
    }
}

/// Combines the partial sums. Not inlined, so that the compiler keeps them in full vectors until here.
#[inline(never)]
fn close(by_real: &[f64; SUMS], by_imaginary: &[f64; SUMS], sum: &mut Complex64) {
    for i in (0..SUMS).step_by(2) {
        sum.re += by_real[i] - by_imaginary[i + 1];
        sum.im += by_real[i + 1] + by_imaginary[i];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_agree_with_the_plain_formula_at_every_length() {
        let number =
            |i: usize, f: f64| Complex64::new((f * i as f64).sin(), (1.7 * f * i as f64).cos());
        let weights: Vec<Complex64> = (0..40).map(|i| number(i, 0.3)).collect();
        let values: Vec<Complex64> = (0..40).map(|i| number(i, 1.1)).collect();
        let kept = Weights::new(&weights);
        let start = Complex64::new(0.25, -3.0);
        for first in [0, 3] {
            for last in first..40 {
                let products = weights[first..last].iter().zip(&values[first..last]);
                let plain = start + products.map(|(w, v)| w * v).sum::<Complex64>();
                let mut fast = start;
                kept.add_sum(first..last, &values, &mut fast);
                // Forty terms of magnitude one.
                assert!((fast - plain).norm() < 1e-14, "{first}..{last}");
                let parts =
                    |part: fn(&Weights) -> &Vec<[f64; 2]>| part(&kept)[first..last].as_flattened();
                let mut apart = start;
                add::<false>(
                    parts(|w| &w.real),
                    parts(|w| &w.imaginary),
                    bytemuck::cast_slice(&values[first..last]),
                    &mut apart,
                );
                assert!((apart - plain).norm() < 1e-14, "{first}..{last}");
            }
        }
    }
}
