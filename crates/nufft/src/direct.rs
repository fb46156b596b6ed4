//! Direct summation in f64: the reference implementation of the fast transforms.
//!
//! Type 1: f_k = Σ_j c_j e^{±i k·x_j}. Type 2: c_j = Σ_k f_k e^{±i k·x_j}. Type 3: v_k = Σ_j c_j
//! e^{±i s_k·x_j}. Modes run over −⌊N/2⌋ … ⌈N/2⌉ − 1 on every axis, the last axis fastest.

use num_complex::Complex64;

use crate::Sign;

/// Returns the first mode of an axis with n modes.
pub fn first_mode(modes: usize) -> i64 {
    -((modes / 2) as i64)
}

/// Returns e^{±i k x} for every mode of an axis, with one sine and cosine each. What rounding drops of the phase kx is added to
/// first order, because it grows with k.
fn waves(modes: usize, x: f64, sign: Sign) -> Vec<Complex64> {
    let first = first_mode(modes);
    (0..modes as i64)
        .map(|index| {
            let k = sign.factor() * (first + index) as f64;
            let phase = k * x;
            Complex64::cis(phase) * Complex64::new(1.0, k.mul_add(x, -phase))
        })
        .collect()
}

/// Returns the exponentials of all modes at point j: the products of those of the axes, the last
/// axis fastest.
fn waves_at(modes: &[usize], points: &[&[f64]], j: usize, sign: Sign) -> Vec<Complex64> {
    let mut all = vec![Complex64::new(1.0, 0.0)];
    for (&count, axis) in modes.iter().zip(points) {
        let own = waves(count, axis[j], sign);
        all = all
            .iter()
            .flat_map(|slow| own.iter().map(move |fast| slow * fast))
            .collect();
    }
    all
}

/// Computes type 1 by direct summation.
pub fn type1(
    modes: &[usize],
    points: &[&[f64]],
    strengths: &[Complex64],
    sign: Sign,
) -> Vec<Complex64> {
    let mut result = vec![Complex64::new(0.0, 0.0); modes.iter().product()];
    for (j, strength) in strengths.iter().enumerate() {
        for (sum, wave) in result.iter_mut().zip(waves_at(modes, points, j, sign)) {
            *sum += strength * wave;
        }
    }
    result
}

/// Computes type 2 by direct summation.
pub fn type2(
    modes: &[usize],
    points: &[&[f64]],
    coefficients: &[Complex64],
    sign: Sign,
) -> Vec<Complex64> {
    let count = points.first().map_or(0, |axis| axis.len());
    (0..count)
        .map(|j| {
            let waves = waves_at(modes, points, j, sign);
            coefficients
                .iter()
                .zip(waves)
                .map(|(coefficient, wave)| coefficient * wave)
                .sum()
        })
        .collect()
}

/// Computes type 2 with the derivatives of the values with respect to the coordinates, axis by
/// axis.
pub fn type2_gradient(
    modes: &[usize],
    points: &[&[f64]],
    coefficients: &[Complex64],
    sign: Sign,
) -> (Vec<Complex64>, Vec<Complex64>) {
    let values = type2(modes, points, coefficients, sign);
    let gradient = (0..modes.len())
        .flat_map(|axis| {
            type2(
                modes,
                points,
                &derived(modes, axis, coefficients, sign),
                sign,
            )
        })
        .collect();
    (values, gradient)
}

/// Computes type 1 of monopole strengths and of dipole strengths axis by axis.
pub fn type1_gradient(
    modes: &[usize],
    points: &[&[f64]],
    strengths: &[Complex64],
    along: &[Complex64],
    sign: Sign,
) -> Vec<Complex64> {
    let count = strengths.len();
    let mut result = type1(modes, points, strengths, sign);
    for axis in 0..modes.len() {
        let own = type1(
            modes,
            points,
            &along[axis * count..(axis + 1) * count],
            sign,
        );
        for (sum, term) in result.iter_mut().zip(derived(modes, axis, &own, sign)) {
            *sum += term;
        }
    }
    result
}

/// Returns the coefficients times ±ik along an axis: ∂/∂x of e^{±ikx} is ±ik e^{±ikx}.
fn derived(modes: &[usize], axis: usize, coefficients: &[Complex64], sign: Sign) -> Vec<Complex64> {
    let inner: usize = modes[axis + 1..].iter().product();
    coefficients
        .iter()
        .enumerate()
        .map(|(index, &coefficient)| {
            let k = first_mode(modes[axis]) + (index / inner % modes[axis]) as i64;
            coefficient * Complex64::new(0.0, sign.factor() * k as f64)
        })
        .collect()
}

/// Computes type 3 by direct summation: v_k = Σ_j c_j e^{±i s_k·x_j}.
pub fn type3(
    points: &[&[f64]],
    frequencies: &[&[f64]],
    strengths: &[Complex64],
    sign: Sign,
) -> Vec<Complex64> {
    let count = frequencies.first().map_or(0, |axis| axis.len());
    (0..count)
        .map(|k| {
            strengths
                .iter()
                .enumerate()
                .map(|(j, strength)| {
                    let phase: f64 = points
                        .iter()
                        .zip(frequencies)
                        .map(|(x, s)| x[j] * s[k])
                        .sum();
                    strength * Complex64::cis(sign.factor() * phase)
                })
                .sum()
        })
        .collect()
}
