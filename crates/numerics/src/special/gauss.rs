//! Gauss–Legendre quadrature.

use std::f64::consts::PI;

/// Returns the nodes and weights of the n-point Gauss–Legendre rule on [−1, 1], by Newton's method
/// from the asymptotic zeros of Pₙ.
pub fn gauss_legendre(n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut nodes = vec![0.0; n];
    let mut weights = vec![0.0; n];
    for i in 0..n.div_ceil(2) {
        let mut x = (PI * (i as f64 + 0.75) / (n as f64 + 0.5)).cos();
        let mut slope = 0.0;
        for _ in 0..100 {
            let (mut below, mut here) = (0.0, 1.0);
            for k in 0..n {
                let above = ((2 * k + 1) as f64 * x * here - k as f64 * below) / (k + 1) as f64;
                (below, here) = (here, above);
            }
            slope = n as f64 * (x * here - below) / (x * x - 1.0);
            let step = here / slope;
            x -= step;
            if step.abs() <= 1e-16 {
                break;
            }
        }
        if n % 2 == 1 && i == n / 2 {
            x = 0.0;
        }
        nodes[i] = -x;
        nodes[n - 1 - i] = x;
        let weight = 2.0 / ((1.0 - x * x) * slope * slope);
        weights[i] = weight;
        weights[n - 1 - i] = weight;
    }
    (nodes, weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_up_to_degree_2n_minus_1_are_exact() {
        for n in [1, 2, 5, 16, 64] {
            let (x, w) = gauss_legendre(n);
            for degree in 0..2 * n {
                let sum: f64 = x
                    .iter()
                    .zip(&w)
                    .map(|(x, w)| w * x.powi(degree as i32))
                    .sum();
                let exact = if degree % 2 == 0 {
                    2.0 / (degree + 1) as f64
                } else {
                    0.0
                };
                // n roundings of terms of size one.
                assert!((sum - exact).abs() < 1e-14, "{n} {degree} {sum} {exact}");
            }
        }
    }
}
