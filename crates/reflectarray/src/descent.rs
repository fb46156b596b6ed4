//! Limited-memory quasi-Newton method (L-BFGS) with a diagonal initial Hessian and step limits of one radian.
//!
//! J. Nocedal, S. J. Wright, Numerical Optimization, 2nd ed., algorithms 7.4 and 7.5; the line search bisects
//! until the weak Wolfe conditions hold.

use std::collections::VecDeque;

/// Number of correction pairs.
pub(crate) const MEMORY: usize = 6;
/// Maximum change of a variable in the first and in later steps.
const FIRST_STEP: f64 = 0.3;
const LONGEST_STEP: f64 = 1.0;
/// Constants of the sufficient decrease and curvature conditions.
const DECREASE: f64 = 1e-4;
const CURVATURE: f64 = 0.9;
const TRIALS: usize = 20;

struct Pair {
    step: Vec<f64>,
    change: Vec<f64>,
    product: f64,
}

/// Minimizes from `at` with at most `iterations` iterations; returns the final value.
pub(crate) fn descend(
    mut value_and_slope: impl FnMut(&[f64], &mut [f64]) -> f64,
    at: &mut Vec<f64>,
    iterations: usize,
    memory: usize,
    diagonal: &[f64],
) -> f64 {
    let n = at.len();
    let mut gradient = vec![0.0; n];
    let mut value = value_and_slope(at, &mut gradient);
    let mut pairs: VecDeque<Pair> = VecDeque::new();
    let (mut trial, mut trial_slope) = (vec![0.0; n], vec![0.0; n]);
    for _ in 0..iterations {
        let mut direction = newton_like(&gradient, &pairs, diagonal);
        let mut along = dot(&gradient, &direction);
        if along.is_nan() || along >= 0.0 {
            pairs.clear();
            let factor = -0.1 / largest(&gradient);
            direction = gradient.iter().map(|g| factor * g).collect();
            along = dot(&gradient, &direction);
            if along.is_nan() || along >= 0.0 {
                break;
            }
        }
        let mut length = (LONGEST_STEP / largest(&direction)).min(1.0);
        let (mut short, mut long) = (0.0, f64::INFINITY);
        let mut found = f64::INFINITY;
        let mut done = false;
        for _ in 0..TRIALS {
            for ((trial, x), d) in trial.iter_mut().zip(at.iter()).zip(&direction) {
                *trial = x + length * d;
            }
            found = value_and_slope(&trial, &mut trial_slope);
            if found.is_nan() || found > value + DECREASE * length * along {
                long = length;
            } else if dot(&trial_slope, &direction) < CURVATURE * along {
                short = length;
            } else {
                done = true;
                break;
            }
            length = if long.is_finite() {
                0.5 * (short + long)
            } else {
                2.0 * short
            };
        }
        if !done && (found.is_nan() || found >= value) {
            break;
        }
        let pair = Pair {
            step: trial.iter().zip(at.iter()).map(|(a, b)| a - b).collect(),
            change: trial_slope
                .iter()
                .zip(&gradient)
                .map(|(a, b)| a - b)
                .collect(),
            product: 0.0,
        };
        let product = dot(&pair.step, &pair.change);
        let sizes = dot(&pair.step, &pair.step) * dot(&pair.change, &pair.change);
        if product > 1e-14 * sizes.sqrt() {
            if pairs.len() == memory {
                pairs.pop_front();
            }
            pairs.push_back(Pair { product, ..pair });
        }
        std::mem::swap(at, &mut trial);
        std::mem::swap(&mut gradient, &mut trial_slope);
        value = found;
    }
    value
}

/// Computes −H·gradient by the two-loop recursion.
fn newton_like(gradient: &[f64], pairs: &VecDeque<Pair>, diagonal: &[f64]) -> Vec<f64> {
    let mut q = gradient.to_vec();
    let mut factors = Vec::with_capacity(pairs.len());
    for pair in pairs.iter().rev() {
        let factor = dot(&pair.step, &q) / pair.product;
        add(&mut q, -factor, &pair.change);
        factors.push(factor);
    }
    for (q, h) in q.iter_mut().zip(diagonal) {
        *q *= h;
    }
    let scale = match pairs.back() {
        Some(pair) => {
            let weighted: f64 = pair
                .change
                .iter()
                .zip(diagonal)
                .map(|(y, h)| y * y * h)
                .sum();
            pair.product / weighted
        }
        None => FIRST_STEP / largest(&q),
    };
    for q in &mut q {
        *q *= scale;
    }
    for (pair, factor) in pairs.iter().zip(factors.into_iter().rev()) {
        let back = dot(&pair.change, &q) / pair.product;
        add(&mut q, factor - back, &pair.step);
    }
    for q in &mut q {
        *q = -*q;
    }
    q
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(to: &mut [f64], factor: f64, from: &[f64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += factor * from;
    }
}

fn largest(values: &[f64]) -> f64 {
    values
        .iter()
        .fold(f64::MIN_POSITIVE, |most, v| most.max(v.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_valley_is_walked_to_its_end() {
        // Rosenbrock function.
        let valley = |x: &[f64], g: &mut [f64]| {
            let (a, b) = (1.0 - x[0], x[1] - x[0] * x[0]);
            g[0] = -2.0 * a - 400.0 * x[0] * b;
            g[1] = 200.0 * b;
            a * a + 100.0 * b * b
        };
        let mut at = vec![-1.2, 1.0];
        let value = descend(valley, &mut at, 200, MEMORY, &[1.0, 1.0]);
        assert!(value < 1e-20, "{value:e}");
        assert!((at[0] - 1.0).abs() < 1e-9 && (at[1] - 1.0).abs() < 1e-9);
    }
}
