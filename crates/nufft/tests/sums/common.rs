//! Helpers shared by the tests of this crate.

use num_complex::{Complex, Complex64};
use wavefield_gpu::{Device, DeviceChoice};
use wavefield_nufft::Precision;

pub(crate) fn cpu(threads: usize) -> Device {
    Device::open(&DeviceChoice::Cpu, Some(threads)).unwrap()
}

/// Returns reproducible numbers in [0, 1) from a multiplicative hash.
pub(crate) fn uniform(seed: u64, index: usize) -> f64 {
    let bits = (index as u64 + 1 + (seed << 40)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (bits ^ (bits >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    ((mixed ^ (mixed >> 32)) >> 11) as f64 / (1u64 << 53) as f64
}

pub(crate) fn noise(seed: u64, count: usize) -> Vec<Complex64> {
    (0..count)
        .map(|i| Complex64::new(uniform(seed, 2 * i) - 0.5, uniform(seed, 2 * i + 1) - 0.5))
        .collect()
}

/// Returns ‖got − want‖/‖want‖.
pub(crate) fn relative<R: Precision>(got: &[Complex<R>], want: &[Complex64]) -> f64 {
    let difference: f64 = got
        .iter()
        .zip(want)
        .map(|(g, w)| (Complex64::new(g.re.wide(), g.im.wide()) - w).norm_sqr())
        .sum();
    let size: f64 = want.iter().map(Complex64::norm_sqr).sum();
    (difference / size).sqrt()
}

/// Returns √Σ|z|².
pub(crate) fn norm(values: &[Complex64]) -> f64 {
    values.iter().map(Complex64::norm_sqr).sum::<f64>().sqrt()
}

pub(crate) fn narrowed<R: Precision>(values: &[Complex64]) -> Vec<Complex<R>> {
    values
        .iter()
        .map(|z| Complex::new(R::narrow(z.re), R::narrow(z.im)))
        .collect()
}

pub(crate) fn widened<R: Precision>(values: &[Complex<R>]) -> Vec<Complex64> {
    values
        .iter()
        .map(|z| Complex64::new(z.re.wide(), z.im.wide()))
        .collect()
}
