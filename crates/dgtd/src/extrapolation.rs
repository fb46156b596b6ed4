//! What the spectrum of a run would be if it had not ended while resonances still rang.
//!
//! Once sources are silent, what has been summed up to the time T is S(T) = S(∞) + Σ c_k e^{(s_k − jω)T} with the
//! resonances s_k. Taken at even times it is a sequence of vectors whose limit S(∞) is Σ γ_j S(T_j) where Σ γ_j = 1 and
//! |Σ γ_j (S(T_j) − S(T_{j−1}))| is least: reduced rank extrapolation. No resonance has to be known.
//! A. Sidi, W. F. Ford, D. A. Smith, "Acceleration of convergence of vector sequences", SIAM Journal on Numerical
//! Analysis 23 (1986), 178–196.

use num_complex::Complex64;
use wavefield_numerics::dense::{Lu, Matrix};
use wavefield_numerics::observe::Silent;

/// Samples of a spectrum that are taken on the way to the end.
pub(crate) const SAMPLES: usize = 16;
/// Part of the whole time that is over before the first sample is taken.
const FIRST: f64 = 0.3;
/// Differences below this part of the mean one, squared, are noise.
const NOISE: f64 = 1e-9;

/// The steps after which samples are taken: evenly spaced multiples of a number of steps, up to the last step, from when
/// sources are silent. None if there is no time for that.
pub(crate) fn sampled_steps(silent: u64, last: u64, multiple: u64) -> Option<Vec<u64>> {
    let last = last / multiple * multiple;
    let first = silent.max((FIRST * last as f64) as u64);
    let spacing = last.checked_sub(first)? / (SAMPLES as u64 - 1) / multiple * multiple;
    let back = |j: usize| last - (SAMPLES - 1 - j) as u64 * spacing;
    (spacing > 0).then(|| (0..SAMPLES).map(back).collect())
}

/// The shares γ of every vector but the first in the limit of a sequence. All are those of the last where the sequence
/// stands still.
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

/// The limit of a sequence of at least three vectors, and by which part of itself it changes if the last is left out.
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

    /// Four resonances of different strength in each of six places, and what is left when they have gone.
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
