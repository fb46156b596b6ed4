//! Sums over plane waves for the MLFMA: radiation patterns of nodes (aggregation), fields at nodes (disaggregation), and
//! elementwise products.

use num_complex::Complex64;
use wavefield_numerics::simd::dispatch;

/// Directions of plane waves by their cosines and sines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compass<'a> {
    pub(crate) cos: &'a [f64],
    pub(crate) sin: &'a [f64],
}

dispatch! {
    /// Adds (m + d k̂·n)·e to `pattern` in every direction: the radiation pattern of a monopole m and a dipole d along n at a
    /// node with phase factors e.
    pub(crate) fn aggregate(
        compass: Compass<'_>,
        phases: &[Complex64],
        normal: [f64; 2],
        monopole: Complex64,
        dipole: Complex64,
        pattern: &mut [Complex64],
    ) = aggregate_either
}

#[inline(always)]
fn aggregate_either<const FUSED: bool>(
    compass: Compass<'_>,
    phases: &[Complex64],
    normal: [f64; 2],
    monopole: Complex64,
    dipole: Complex64,
    pattern: &mut [Complex64],
) {
    let along = compass.cos.iter().zip(compass.sin);
    for ((sum, e), (cos, sin)) in pattern.iter_mut().zip(phases).zip(along) {
        let along = cos * normal[0] + sin * normal[1];
        let re = monopole.re + dipole.re * along;
        let im = monopole.im + dipole.im * along;
        sum.re += re * e.re - im * e.im;
        sum.im += re * e.im + im * e.re;
    }
}

dispatch! {
    /// Adds Σ e*·b to the first and −Σ k̂·n e*·b to the second sum: the field of plane waves b at a node, and its derivative
    /// along n over jk.
    pub(crate) fn disaggregate(
        compass: Compass<'_>,
        phases: &[Complex64],
        normal: [f64; 2],
        waves: &[Complex64],
        sums: &mut [Complex64; 2],
    ) = disaggregate_either
}

/// Independent partial sums.
const SUMS: usize = 8;

#[inline(always)]
fn disaggregate_either<const FUSED: bool>(
    compass: Compass<'_>,
    phases: &[Complex64],
    normal: [f64; 2],
    waves: &[Complex64],
    sums: &mut [Complex64; 2],
) {
    let mut parts = [[0.0; SUMS]; 4];
    let count = waves.len();
    let mut start = 0;
    while start < count {
        let size = SUMS.min(count - start);
        for i in 0..size {
            let (e, b) = (phases[start + i], waves[start + i]);
            let along = compass.cos[start + i] * normal[0] + compass.sin[start + i] * normal[1];
            let re = e.re * b.re + e.im * b.im;
            let im = e.re * b.im - e.im * b.re;
            parts[0][i] += re;
            parts[1][i] += im;
            parts[2][i] -= along * re;
            parts[3][i] -= along * im;
        }
        start += size;
    }
    let [a, b, c, d] = parts.map(|part| part.iter().sum::<f64>());
    sums[0] += Complex64::new(a, b);
    sums[1] += Complex64::new(c, d);
}

dispatch! {
    /// Adds Σ a·b.
    pub(crate) fn add_sum_of_products(a: &[Complex64], b: &[Complex64], sum: &mut Complex64) = sum_either
}

#[inline(always)]
fn sum_either<const FUSED: bool>(a: &[Complex64], b: &[Complex64], sum: &mut Complex64) {
    let mut parts = [[0.0; SUMS]; 2];
    for (a, b) in a.chunks(SUMS).zip(b.chunks(SUMS)) {
        for (i, (a, b)) in a.iter().zip(b).enumerate() {
            parts[0][i] += a.re * b.re - a.im * b.im;
            parts[1][i] += a.re * b.im + a.im * b.re;
        }
    }
    let [re, im] = parts.map(|part| part.iter().sum::<f64>());
    *sum += Complex64::new(re, im);
}

dispatch! {
    /// Adds a·b elementwise.
    pub(crate) fn add_product(a: &[Complex64], b: &[Complex64], sum: &mut [Complex64]) = add_either
}

#[inline(always)]
fn add_either<const FUSED: bool>(a: &[Complex64], b: &[Complex64], sum: &mut [Complex64]) {
    for ((sum, a), b) in sum.iter_mut().zip(a).zip(b) {
        sum.re += a.re * b.re - a.im * b.im;
        sum.im += a.re * b.im + a.im * b.re;
    }
}

dispatch! {
    /// Returns a*·b elementwise in `product`.
    pub(crate) fn turn_back(a: &[Complex64], b: &[Complex64], product: &mut [Complex64]) = turn_either
}

#[inline(always)]
fn turn_either<const FUSED: bool>(a: &[Complex64], b: &[Complex64], product: &mut [Complex64]) {
    for ((product, a), b) in product.iter_mut().zip(a).zip(b) {
        product.re = a.re * b.re + a.im * b.im;
        product.im = a.re * b.im - a.im * b.re;
    }
}
