//! Extrapolation of the spectra of a truncated run to infinite time.
//!
//! During free decay, the Fourier integral up to the time T is S(T) = S(∞) + Σ c_k e^{(s_k − jω)T} with the complex
//! resonance frequencies s_k. Equidistant samples form a sequence of vectors whose limit S(∞) is Σ γ_j S(T_j), where Σ
//! γ_j = 1 and |Σ γ_j (S(T_j) − S(T_{j−1}))| is minimal: reduced rank extrapolation. No resonance frequency has to be
//! known. A. Sidi, W. F. Ford, D. A. Smith, "Acceleration of convergence of vector sequences", SIAM Journal on
//! Numerical Analysis 23 (1986), 178–196.

use num_complex::Complex64;
use wavefield_numerics::dense::{Lu, Matrix};
use wavefield_numerics::observe::Silent;

/// Number of samples of a spectrum for extrapolation.
pub(crate) const SAMPLES: usize = 16;
/// Time of the first sample relative to that of the last, at least.
const FIRST: f64 = 0.3;
/// Tikhonov regularization of the Gram matrix of differences, relative to its mean diagonal.
const NOISE: f64 = 1e-9;

/// Returns the time steps after which spectra are sampled: equidistant multiples of a number of steps, from the end of
/// the excitation to the last step. Returns `None` if there is not enough time.
pub(crate) fn sampled_steps(silent: u64, last: u64, multiple: u64) -> Option<Vec<u64>> {
    let last = last / multiple * multiple;
    let first = silent.max((FIRST * last as f64) as u64);
    let spacing = last.checked_sub(first)? / (SAMPLES as u64 - 1) / multiple * multiple;
    let back = |j: usize| last - (SAMPLES - 1 - j) as u64 * spacing;
    (spacing > 0).then(|| (0..SAMPLES).map(back).collect())
}

/// Returns the weights γ of every vector but the first in the limit of a sequence; the last vector alone if the
/// sequence is stationary.
fn shares(sequence: &[&[Complex64]]) -> Vec<Complex64> {
    let count = sequence.len() - 1;
    let mut last = vec![Complex64::ZERO; count];
    last[count - 1] = Complex64::ONE;
    let step = |j: usize, i: usize| sequence[j + 1][i] - sequence[j][i];
    // conj(d_j) · d_l
    let mut gram = Matrix::from_fn(count, count, |j, l| {
        (0..sequence[0].len())
            .map(|i| step(j, i).conj() * step(l, i))
            .sum()
    });
    let mean = (0..count).map(|j| gram.column(j)[j].re).sum::<f64>() / count as f64;
    for j in 0..count {
        gram.column_mut(j)[j] += NOISE * mean;
    }
    let Ok(factors) = Lu::factor(gram, &Silent) else {
        return last;
    };
    let mut shares = vec![Complex64::ONE; count];
    factors.solve_in_place(&mut shares);
    let sum: Complex64 = shares.iter().sum();
    if !sum.norm().is_normal() {
        return last;
    }
    shares.iter().map(|share| share / sum).collect()
}

fn combined(sequence: &[&[Complex64]], shares: &[Complex64]) -> Vec<Complex64> {
    let mut limit = vec![Complex64::ZERO; sequence[0].len()];
    for (vector, share) in sequence[1..].iter().zip(shares) {
        for (sum, value) in limit.iter_mut().zip(*vector) {
            *sum += share * value;
        }
    }
    limit
}

/// Returns the limit of a sequence of at least three vectors, and its relative change if the last one is omitted.
pub(crate) fn limit(sequence: &[&[Complex64]]) -> (Vec<Complex64>, f64) {
    let found = combined(sequence, &shares(sequence));
    let shorter = &sequence[..sequence.len() - 1];
    let before = combined(shorter, &shares(shorter));
    let norm = |values: &mut dyn Iterator<Item = Complex64>| -> f64 {
        values.map(|value| value.norm_sqr()).sum::<f64>().sqrt()
    };
    let change = norm(&mut found.iter().zip(&before).map(|(a, b)| a - b));
    let size = norm(&mut found.iter().copied());
    (found, change / size.max(f64::MIN_POSITIVE))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks a sequence of six components with four resonances of different amplitude each, and a known limit.
    #[test]
    fn what_rings_is_taken_out() {
        let resonances = [(-0.02, 0.05), (-0.05, 1.1), (-0.1, -0.7), (-0.04, 2.2)];
        let place =
            |i: usize, k: usize| Complex64::from_polar(1.0 + i as f64, (i * i * (k + 2)) as f64);
        let kept: Vec<Complex64> = (0..6).map(|i| place(i, 7)).collect();
        let sequence: Vec<Vec<Complex64>> = (0..SAMPLES)
            .map(|j| {
                (0..6)
                    .map(|i| {
                        let ringing = resonances.iter().enumerate().map(|(k, &(decay, turn))| {
                            place(i, k) * Complex64::new(decay, turn).scale(j as f64).exp()
                        });
                        kept[i] + ringing.sum::<Complex64>()
                    })
                    .collect()
            })
            .collect();
        let views: Vec<&[Complex64]> = sequence.iter().map(Vec::as_slice).collect();
        let (found, change) = limit(&views);
        let worst = |values: &[Complex64]| {
            (values.iter().zip(&kept))
                .fold(0.0f64, |worst, (a, b)| worst.max((a - b).norm() / b.norm()))
        };
        assert!(worst(&sequence[SAMPLES - 1]) > 0.5);
        assert!(worst(&found) < 1e-3, "{}", worst(&found));
        assert!(change < 1e-3, "{change}");
    }

    #[test]
    fn what_stands_still_stays() {
        let still = [Complex64::new(1.0, 2.0), Complex64::ZERO];
        assert_eq!(limit(&[still.as_slice(); 5]), (still.to_vec(), 0.0));
        let nothing = [Complex64::ZERO; 2];
        assert_eq!(limit(&[nothing.as_slice(); 5]).1, 0.0);
    }

    #[test]
    fn samples_end_with_the_run_and_begin_after_the_sources() {
        let steps = sampled_steps(500, 1003, 2).unwrap();
        assert_eq!(steps.len(), SAMPLES);
        assert_eq!(steps[SAMPLES - 1], 1002);
        assert!(steps[0] >= 500 && steps.windows(2).all(|w| w[1] - w[0] == steps[1] - steps[0]));
        assert!(steps.iter().all(|step| step % 2 == 0));
        assert_eq!(sampled_steps(990, 1000, 1), None);
        assert_eq!(sampled_steps(1200, 1000, 1), None);
    }
}
