//! Linear prediction by Burg's method (J. P. Burg, 37th Meeting of the SEG, 1967).
//!
//! A series is modeled as x(t) = −Σ aₖ x(t−k). Each step of the recursion chooses the reflection coefficient r = −2 Σ f
//! b* / Σ(|f|² + |b|²), which minimizes the energy of the forward and backward prediction errors f and b. Since |r| ≤
//! 1, the model is stable and its prediction does not grow.

use num_complex::Complex64;

/// Autoregressive model with the coefficients a₁, a₂, ….
#[derive(Clone, Debug, PartialEq)]
pub struct LinearPrediction {
    coefficients: Vec<Complex64>,
}

impl LinearPrediction {
    /// Fits one model of the given order to several series of equal length; the order is less than their length.
    pub fn fit(series: &[&[Complex64]], order: usize) -> Self {
        let mut forward: Vec<Vec<Complex64>> = series.iter().map(|line| line.to_vec()).collect();
        let mut backward = forward.clone();
        let shortest = series.iter().map(|line| line.len()).min().unwrap_or(0);
        let mut a = vec![Complex64::new(1.0, 0.0)];
        for _ in 0..order.min(shortest.saturating_sub(1)) {
            let (mut cross, mut energy) = (Complex64::new(0.0, 0.0), 0.0);
            for (f, b) in forward.iter().zip(&backward) {
                for (f, b) in f[1..].iter().zip(b) {
                    cross += f * b.conj();
                    energy += f.norm_sqr() + b.norm_sqr();
                }
            }
            let reflection = if energy > f64::MIN_POSITIVE {
                -2.0 * cross / energy
            } else {
                Complex64::new(0.0, 0.0)
            };
            for (f, b) in forward.iter_mut().zip(&mut backward) {
                let last = b.len() - 1;
                for t in 0..last {
                    let (ahead, behind) = (f[t + 1], b[t]);
                    f[t] = ahead + reflection * behind;
                    b[t] = behind + reflection.conj() * ahead;
                }
                f.truncate(last);
                b.truncate(last);
            }
            a.push(Complex64::new(0.0, 0.0));
            let reversed: Vec<Complex64> = a.iter().rev().map(Complex64::conj).collect();
            for (a, other) in a.iter_mut().zip(reversed) {
                *a += reflection * other;
            }
        }
        Self {
            coefficients: a[1..].to_vec(),
        }
    }

    /// Extrapolates a line before `first` and from `end` on from the values in between.
    pub fn extend(&self, line: &mut [Complex64], first: usize, end: usize) {
        for t in end..line.len() {
            line[t] = -self
                .coefficients
                .iter()
                .enumerate()
                .map(|(k, a)| a * line[t - 1 - k])
                .sum::<Complex64>();
        }
        // The time-reversed series has the conjugate model.
        for t in (0..first).rev() {
            line[t] = -self
                .coefficients
                .iter()
                .enumerate()
                .map(|(k, a)| a.conj() * line[t + 1 + k])
                .sum::<Complex64>();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waves(t: f64) -> Complex64 {
        Complex64::cis(0.4 * t) + 0.5 * Complex64::cis(-0.9 * t + 1.0)
    }

    #[test]
    fn waves_go_on_beyond_both_ends() {
        let mut line = vec![Complex64::new(0.0, 0.0); 72];
        for (t, value) in line.iter_mut().enumerate().skip(20).take(32) {
            *value = waves(t as f64);
        }
        let model = LinearPrediction::fit(&[&line[20..52]], 12);
        model.extend(&mut line, 20, 52);
        for (t, value) in line.iter().enumerate().take(60).skip(12) {
            // Burg's poles lie slightly inside the unit circle, which costs a few percent after eight points.
            assert!((value - waves(t as f64)).norm() < 0.05, "{t}: {value}");
        }
    }

    #[test]
    fn predictions_do_not_grow() {
        let mut random = wavefield_numerics::random::Random::stream(2, 0);
        for trial in 0..50 {
            let series: Vec<Complex64> = (0..32)
                .map(|t| random.gaussian() * (0.2 * f64::from(t)).exp())
                .collect();
            let model = LinearPrediction::fit(&[&series], 24);
            let mut line = series.clone();
            line.resize(2000, Complex64::new(0.0, 0.0));
            model.extend(&mut line, 0, 32);
            let largest = series.iter().map(|x| x.norm()).fold(0.0, f64::max);
            let late = line[1000..].iter().map(|x| x.norm()).fold(0.0, f64::max);
            assert!(late < 10.0 * largest, "{trial}: {late} {largest}");
        }
    }

    #[test]
    fn nothing_is_predicted_from_nothing() {
        let mut line = vec![Complex64::new(0.0, 0.0); 40];
        let model = LinearPrediction::fit(&[&line[4..36]], 8);
        model.extend(&mut line, 4, 36);
        assert!(line.iter().all(|x| x.norm() == 0.0));
    }
}
