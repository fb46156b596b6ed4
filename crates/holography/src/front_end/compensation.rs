//! Compensation filter after the CIC filter: it equalizes the passband droop, rejects aliases, and decimates by two.
//!
//! Its coefficients are the Fourier coefficients of 1/H(f) up to half the output Nyquist band, with the CIC response H,
//! weighted by a Kaiser window (J. F. Kaiser and R. W. Schafer, IEEE Trans. ASSP 28 (1980) 105–107).

use std::f64::consts::{PI, TAU};

use super::cic::CicDecimator;

/// Decimation factor.
pub(super) const HALVING: usize = 2;

/// Number of coefficients, odd for a linear-phase filter with a center tap.
const TAPS: usize = 97;

/// Kaiser parameter β for a ripple of −80 dB.
const KAISER: f64 = 7.857;

/// Points of the quadrature over the passband; the integrand is smooth and has at most a few dozen periods.
const QUADRATURE: usize = 2048;

/// Linear-phase FIR filter that compensates a [`CicDecimator`].
#[derive(Clone, Debug, PartialEq)]
pub struct Compensation {
    taps: Vec<f64>,
}

impl Compensation {
    /// Designs the compensation of a CIC filter.
    pub fn new(combs: &CicDecimator) -> Self {
        let edge = 0.5 / HALVING as f64;
        let middle = (TAPS / 2) as f64;
        let taps = (0..TAPS)
            .map(|tap| {
                let n = tap as f64 - middle;
                // Frequencies are relative to the CIC output rate; midpoint rule from 0 to the band edge, doubled by
                // symmetry.
                let mean = (0..QUADRATURE)
                    .map(|i| {
                        let f = edge * (i as f64 + 0.5) / QUADRATURE as f64;
                        (TAU * f * n).cos() / combs.response(f / combs.decimation() as f64)
                    })
                    .sum::<f64>()
                    / QUADRATURE as f64;
                2.0 * edge * mean * kaiser(n / (middle + 1.0))
            })
            .collect();
        Self { taps }
    }

    /// Returns the filter coefficients, symmetric about the center.
    pub fn taps(&self) -> &[f64] {
        &self.taps
    }

    /// Returns the gain at a frequency relative to the CIC output rate.
    pub fn response(&self, frequency: f64) -> f64 {
        let middle = TAPS as f64 / 2.0 - 0.5;
        self.taps
            .iter()
            .enumerate()
            .map(|(tap, h)| h * (TAU * frequency * (tap as f64 - middle)).cos())
            .sum()
    }
}

/// Evaluates the Kaiser window I₀(β√(1 − x²))/I₀(β).
fn kaiser(x: f64) -> f64 {
    bessel_i0(KAISER * (1.0 - x * x).max(0.0).sqrt()) / bessel_i0(KAISER)
}

/// Evaluates I₀(x) = (1/π) ∫₀^π e^{x cos t} dt; the trapezoidal rule converges exponentially.
fn bessel_i0(x: f64) -> f64 {
    let points = 64;
    (0..points)
        .map(|i| (x * (PI * (f64::from(i) + 0.5) / f64::from(points)).cos()).exp())
        .sum::<f64>()
        / f64::from(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pass_band_is_flat_and_aliases_are_kept_out() {
        let combs = CicDecimator::new(4, 16).unwrap();
        let filter = Compensation::new(&combs);
        // The CIC output rate is 93.75 kHz: 20 kHz must pass, its alias must be rejected.
        let rate = 93_750.0;
        let total =
            |hertz: f64| filter.response(hertz / rate) * combs.response(hertz / rate / 16.0);
        for i in 0..=200 {
            let pass = 100.0 * f64::from(i);
            // The window smooths 1/H, whose curvature causes a relative error of 1e-3; amplitudes are corrected for it.
            assert!(
                (total(pass) - 1.0).abs() < 2e-3,
                "{pass} Hz: {}",
                total(pass)
            );
            let alias = rate / 2.0 - pass;
            assert!(total(alias).abs() < 5e-4, "{alias} Hz: {}", total(alias));
        }
    }
}
