//! Prolate spheroidal wave function of order zero: the function on [−1, 1] whose spectrum is most
//! concentrated in |ξ| ≤ c, which makes it the optimal window of a given width.
//!
//! Its coefficients in normalized Legendre polynomials are the eigenvector of the smallest
//! eigenvalue of a symmetric tridiagonal matrix (even orders only). H. Xiao, V. Rokhlin, N. Yarvin,
//! Inverse Problems 17 (2001) 805–838, eqs. (46)–(48).

/// ψ₀ for a bandlimit, scaled to ψ(0) = 1.
#[derive(Clone, Debug)]
pub(crate) struct Prolate {
    /// Coefficients of P₀, P₂, P₄, ….
    even: Vec<f64>,
}

impl Prolate {
    pub(crate) fn new(bandlimit: f64) -> Prolate {
        // The coefficients decay beyond order c; forty more even orders reach rounding.
        let count = (bandlimit / 2.0) as usize + 40;
        let square = bandlimit * bandlimit;
        let diagonal: Vec<f64> = (0..count)
            .map(|index| {
                let k = (2 * index) as f64;
                k * (k + 1.0)
                    + (2.0 * k * (k + 1.0) - 1.0) / ((2.0 * k + 3.0) * (2.0 * k - 1.0)) * square
            })
            .collect();
        let beside: Vec<f64> = (0..count - 1)
            .map(|index| {
                let k = (2 * index) as f64;
                (k + 2.0) * (k + 1.0)
                    / ((2.0 * k + 3.0) * ((2.0 * k + 1.0) * (2.0 * k + 5.0)).sqrt())
                    * square
            })
            .collect();
        let mut vector = vec![0.0; count];
        vector[0] = 1.0;
        // Inverse iteration with zero shift: the matrix is positive definite and its second
        // eigenvalue is about five times the first, so that forty steps eliminate the other
        // eigenvectors.
        for _ in 0..40 {
            solve_tridiagonal(&diagonal, &beside, &mut vector);
            let size = vector.iter().map(|v| v * v).sum::<f64>().sqrt();
            vector.iter_mut().for_each(|v| *v /= size);
        }
        // From normalized polynomials √(k + ½) P_k to P_k.
        let mut even: Vec<f64> = vector
            .iter()
            .enumerate()
            .map(|(index, v)| v * ((2 * index) as f64 + 0.5).sqrt())
            .collect();
        let center = legendre_sum(&even, 0.0);
        even.iter_mut().for_each(|v| *v /= center);
        Prolate { even }
    }

    /// Returns ψ(z) for |z| ≤ 1.
    pub(crate) fn value(&self, z: f64) -> f64 {
        legendre_sum(&self.even, z)
    }
}

/// Returns Σ c_i P_{2i}(z).
fn legendre_sum(even: &[f64], z: f64) -> f64 {
    let (mut below, mut here) = (0.0, 1.0);
    let mut sum = 0.0;
    for k in 0..2 * even.len() {
        if k % 2 == 0 {
            sum += even[k / 2] * here;
        }
        let above = ((2 * k + 1) as f64 * z * here - k as f64 * below) / (k + 1) as f64;
        (below, here) = (here, above);
    }
    sum
}

/// Solves a symmetric positive definite tridiagonal system in place.
fn solve_tridiagonal(diagonal: &[f64], beside: &[f64], vector: &mut [f64]) {
    let count = diagonal.len();
    let mut pivot = vec![0.0; count];
    pivot[0] = diagonal[0];
    for i in 1..count {
        let factor = beside[i - 1] / pivot[i - 1];
        pivot[i] = diagonal[i] - factor * beside[i - 1];
        vector[i] -= factor * vector[i - 1];
    }
    vector[count - 1] /= pivot[count - 1];
    for i in (0..count - 1).rev() {
        vector[i] = (vector[i] - beside[i] * vector[i + 1]) / pivot[i];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_an_eigenfunction_of_the_finite_fourier_transform() {
        // ∫ ψ(t) e^{icst} dt = λψ(s): the ratio must not depend on s.
        for c in [3.0, 12.0, 35.0] {
            let psi = Prolate::new(c);
            let transform = |s: f64| {
                let n = 4000;
                (0..=n)
                    .map(|i| {
                        let t = -1.0 + 2.0 * f64::from(i) / f64::from(n);
                        let weight = match i {
                            0 => 1.0,
                            i if i == n => 1.0,
                            i if i % 2 == 1 => 4.0,
                            _ => 2.0,
                        };
                        weight * psi.value(t) * (c * s * t).cos()
                    })
                    .sum::<f64>()
                    * 2.0
                    / (3.0 * f64::from(n))
            };
            let ratio = transform(0.0) / psi.value(0.0);
            for s in [0.2, 0.5, 0.9] {
                // Simpson's rule with 4000 points has an error of 1e-11 of the integrand.
                assert!(
                    (transform(s) - ratio * psi.value(s)).abs() < 1e-9 * ratio,
                    "{c} {s}"
                );
            }
        }
    }
}
