//! Sigma–delta modulators of orders 2 to 5, which convert pressure into a PDM bitstream.
//!
//! The bit is v = sgn(u + d) with dither d, its quantization error e = v − u. The modulator adds filtered past errors
//! to its input, u = x + (NTF − 1) e, so that v = x + NTF·e: the signal transfer function is one, and the error is
//! shaped by the noise transfer function NTF(z) = (1 − z⁻¹)ⁿ / A(z), which has n zeros at zero frequency.
//!
//! Order 2 has A = 1. From order 3 on, a single-bit quantizer is unstable with A = 1; A is the Butterworth denominator
//! for which |NTF| does not exceed 3/2 (Lee's rule; K. C. H. Chao et al., IEEE Trans. Circuits Syst. 37 (1990)
//! 309–318).

use std::f64::consts::PI;

use num_complex::Complex64;

use crate::error::{Error, within};
use wavefield_numerics::random::Random;

/// Minimum and maximum order.
const ORDERS: [usize; 2] = [2, 5];

/// Maximum gain of the noise transfer function from order 3 on.
const MAX_GAIN: f64 = 1.5;

/// Limit above which the filter state is reset: no stable modulator reaches it, and an overloaded one restarts.
const MAX_FEEDBACK: f64 = 6.0;

/// Noise transfer function of a modulator, as coefficients of powers of z⁻¹.
#[derive(Clone, Debug, PartialEq)]
pub struct NoiseTransfer {
    zeros: Vec<f64>,
    poles: Vec<f64>,
}

impl NoiseTransfer {
    /// Creates the noise transfer function of an order from 2 to 5.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] for any other order.
    pub fn new(order: usize) -> Result<Self, Error> {
        let [least, most] = ORDERS.map(|order| order as f64);
        within(
            "the order of the sigma–delta modulator",
            order as f64,
            least,
            most,
        )?;
        let zeros = polynomial(&vec![Complex64::new(1.0, 0.0); order]);
        let poles = if order == 2 {
            polynomial(&[Complex64::new(0.0, 0.0); 2])
        } else {
            polynomial(&butterworth_poles(order))
        };
        Ok(Self { zeros, poles })
    }

    /// Returns NTF at a frequency relative to the clock rate.
    pub fn response(&self, frequency: f64) -> Complex64 {
        let delay = Complex64::cis(-2.0 * PI * frequency);
        let at = |coefficients: &[f64]| {
            coefficients
                .iter()
                .rev()
                .fold(Complex64::new(0.0, 0.0), |sum, c| sum * delay + c)
        };
        at(&self.zeros) / at(&self.poles)
    }
}

/// Returns the coefficients of Π(1 − r z⁻¹) for roots in conjugate pairs.
fn polynomial(roots: &[Complex64]) -> Vec<f64> {
    let mut coefficients = vec![Complex64::new(1.0, 0.0)];
    for root in roots {
        coefficients.push(Complex64::new(0.0, 0.0));
        for i in (1..coefficients.len()).rev() {
            let before = coefficients[i - 1];
            coefficients[i] -= root * before;
        }
    }
    coefficients.iter().map(|c| c.re).collect()
}

/// Returns the poles of the Butterworth high-pass filter whose gain at half the clock rate, its maximum, is
/// [`MAX_GAIN`].
fn butterworth_poles(order: usize) -> Vec<Complex64> {
    let poles = |edge: f64| -> Vec<Complex64> {
        (0..order)
            .map(|i| {
                let angle = PI * (2 * i + order + 1) as f64 / (2 * order) as f64;
                // The pole of the low-pass prototype is inverted for the high-pass filter, then mapped by z = (1 +
                // s)/(1 − s).
                let s = edge / Complex64::cis(angle);
                (1.0 + s) / (1.0 - s)
            })
            .collect()
    };
    let gain = |edge: f64| {
        2_f64.powi(order as i32)
            / poles(edge)
                .iter()
                .map(|p| (1.0 + p).norm())
                .product::<f64>()
    };
    // The gain increases with the edge, from 1; the edge is tan(πf) of a frequency below a quarter of the clock rate.
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if gain(middle) < MAX_GAIN {
            low = middle;
        } else {
            high = middle;
        }
    }
    poles(0.5 * (low + high))
}

/// A modulator with its state.
#[derive(Clone, Debug)]
pub struct Modulator {
    /// Coefficients b_k − a_k and a_k of the noise transfer function, k = 1 … n.
    taps: Vec<[f64; 2]>,
    /// Past errors and filtered errors, the latest first.
    past: Vec<[f64; 2]>,
    dither: f64,
}

impl Modulator {
    /// Creates a modulator with zero state. Dither is uniformly distributed between ± `dither`; more than ½ for order 2
    /// or ¼ for higher orders would overload the modulator. Bits stand for ±1.
    pub fn new(transfer: &NoiseTransfer, dither: f64) -> Self {
        let taps: Vec<[f64; 2]> = transfer.zeros[1..]
            .iter()
            .zip(&transfer.poles[1..])
            .map(|(zero, pole)| [zero - pole, *pole])
            .collect();
        let past = vec![[0.0; 2]; taps.len()];
        Self { taps, past, dither }
    }

    /// Returns the bit of the next sample; `true` stands for +1.
    pub fn modulate(&mut self, sample: f64, random: &mut Random) -> bool {
        let feedback: f64 = self
            .taps
            .iter()
            .zip(&self.past)
            .map(|([error, filtered], [e, w])| error * e - filtered * w)
            .sum();
        let feedback = if feedback.abs() < MAX_FEEDBACK {
            feedback
        } else {
            self.past.fill([0.0; 2]);
            0.0
        };
        let input = sample + feedback;
        let bit = input + self.dither * (2.0 * random.uniform() - 1.0) >= 0.0;
        let error = if bit { 1.0 } else { -1.0 } - input;
        self.past.rotate_right(1);
        self.past[0] = [error, feedback];
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_pushed_away_from_low_frequencies_by_the_order() {
        for order in 2..=5 {
            let transfer = NoiseTransfer::new(order).unwrap();
            let octave = transfer.response(0.002).norm() / transfer.response(0.001).norm();
            // Per octave the NTF changes by 2ⁿ, except for the curvature of sine and denominator.
            let expected = 2_f64.powi(order as i32);
            assert!((octave / expected - 1.0).abs() < 0.01, "{order} {octave}");
        }
    }

    #[test]
    fn high_orders_keep_lees_rule_at_every_frequency() {
        for order in 3..=5 {
            let transfer = NoiseTransfer::new(order).unwrap();
            let largest = (0..=500)
                .map(|i| transfer.response(f64::from(i) / 1000.0).norm())
                .fold(0.0, f64::max);
            assert!((largest - 1.5).abs() < 1e-9, "{order} {largest}");
        }
    }

    #[test]
    fn the_mean_of_the_bits_is_the_input() {
        for order in 2..=5 {
            let transfer = NoiseTransfer::new(order).unwrap();
            for input in [-0.3, -0.1, 0.0, 0.2, 0.3] {
                let mut modulator = Modulator::new(&transfer, 0.25);
                let mut random = Random::stream(3, order as u64);
                let clocks = 20_000;
                let sum: f64 = (0..clocks)
                    .map(|_| {
                        if modulator.modulate(input, &mut random) {
                            1.0
                        } else {
                            -1.0
                        }
                    })
                    .sum();
                // The sum of shaped errors is bounded by a few bits for any length.
                let mean = sum / f64::from(clocks);
                assert!((mean - input).abs() < 2e-3, "{order} {input} {mean}");
            }
        }
    }

    #[test]
    fn a_modulator_recovers_from_overload() {
        for order in 2..=5 {
            let mut modulator = Modulator::new(&NoiseTransfer::new(order).unwrap(), 0.25);
            let mut random = Random::stream(5, 0);
            for _ in 0..1000 {
                modulator.modulate(3.0, &mut random);
            }
            for _ in 0..2000 {
                modulator.modulate(0.1, &mut random);
            }
            let clocks = 20_000;
            let sum: f64 = (0..clocks)
                .map(|_| {
                    if modulator.modulate(0.1, &mut random) {
                        1.0
                    } else {
                        -1.0
                    }
                })
                .sum();
            let mean = sum / f64::from(clocks);
            assert!((mean - 0.1).abs() < 2e-3, "{order} {mean}");
        }
    }

    #[test]
    fn orders_that_do_not_exist_are_refused() {
        assert!(NoiseTransfer::new(1).is_err());
        assert!(NoiseTransfer::new(6).is_err());
    }
}
