//! The sums themselves, in f64, as the equations have them: the plain twin of the fast transforms.
//!
//! Type 1: f_k = Σ_j c_j e^{±i k·x_j}. Type 2: c_j = Σ_k f_k e^{±i k·x_j}. Modes run over
//! −⌊N/2⌋ … ⌈N/2⌉ − 1 on every axis, the last axis fastest.

use num_complex::Complex64;

use crate::Sign;

/// The first mode of an axis of n modes.
pub fn first_mode(modes: usize) -> i64 {
    -((modes / 2) as i64)
}

/// e^{±i k x} of every mode of an axis, by one sine and cosine each.
fn waves(modes: usize, x: f64, sign: Sign) -> Vec<Complex64> {
    let first = first_mode(modes);
    (0..modes as i64)
        .map(|index| Complex64::from_polar(1.0, sign.factor() * (first + index) as f64 * x))
        .collect()
}

/// Type 1 by direct summation.
pub fn type1(
    modes: &[usize],
    points: &[&[f64]],
    strengths: &[Complex64],
    sign: Sign,
) -> Vec<Complex64> {
    let mut result = vec![Complex64::new(0.0, 0.0); modes.iter().product()];
    for (j, strength) in strengths.iter().enumerate() {
        visit(modes, points, j, sign, |index, wave| {
            result[index] += strength * wave;
        });
    }
    result
}

/// Type 2 by direct summation.
pub fn type2(
    modes: &[usize],
    points: &[&[f64]],
    coefficients: &[Complex64],
    sign: Sign,
) -> Vec<Complex64> {
    let count = points.first().map_or(0, |axis| axis.len());
    (0..count)
        .map(|j| {
            let mut sum = Complex64::new(0.0, 0.0);
            visit(modes, points, j, sign, |index, wave| {
                sum += coefficients[index] * wave;
            });
            sum
        })
        .collect()
}

/// Calls `with` for every mode and its wave at point j.
fn visit(
    modes: &[usize],
    points: &[&[f64]],
    j: usize,
    sign: Sign,
    mut with: impl FnMut(usize, Complex64),
) {
    let axes: Vec<Vec<Complex64>> = modes
        .iter()
        .zip(points)
        .map(|(&count, axis)| waves(count, axis[j], sign))
        .collect();
    for index in 0..modes.iter().product() {
        let mut rest = index;
        let mut wave = Complex64::new(1.0, 0.0);
        for axis in axes.iter().rev() {
            wave *= axis[rest % axis.len()];
            rest /= axis.len();
        }
        with(index, wave);
    }
}
