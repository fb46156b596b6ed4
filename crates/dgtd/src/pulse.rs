//! Excitation pulses.

use num_complex::Complex64;

/// Half the duration of a pulse in standard deviations τ; at its ends the pulse is 2·10⁻⁹ of its peak.
const REACH: f64 = 6.4;

/// Cosine-modulated Gaussian pulse s(t) = cos ω₀(t − t₀) exp(−(t − t₀)²/2τ²); times are lengths (c = 1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pulse {
    /// Carrier wavenumber ω₀, rad/m.
    pub carrier: f64,
    /// Standard deviation τ, m.
    pub width: f64,
}

impl Pulse {
    /// Creates a pulse whose spectrum falls to `edge` of its peak at both ends of a band of wavenumbers (rad/m).
    pub fn of_band(low: f64, high: f64, edge: f64) -> Pulse {
        Pulse {
            carrier: 0.5 * (low + high),
            width: (-2.0 * edge.ln()).sqrt() / (0.5 * (high - low)),
        }
    }

    /// Returns the delay t₀ of the pulse's center, m; the pulse begins at zero.
    pub fn delay(&self) -> f64 {
        REACH * self.width
    }

    /// Returns the duration of the pulse, m.
    pub fn duration(&self) -> f64 {
        2.0 * self.delay()
    }

    /// Returns the wavenumber above which the spectrum is below 10⁻⁶ of its peak, rad/m.
    pub fn highest(&self) -> f64 {
        self.carrier + (2.0 * 1e6f64.ln()).sqrt() / self.width
    }

    /// Returns the value s(t) at a time (m).
    pub fn value(&self, time: f64) -> f64 {
        let from_middle = time - self.delay();
        if from_middle.abs() > self.delay() {
            return 0.0;
        }
        let bell = (-0.5 * (from_middle / self.width).powi(2)).exp();
        bell * (self.carrier * from_middle).cos()
    }

    /// Returns the spectrum ∫ s(t) e^{−jkt} dt, m.
    pub fn spectrum(&self, k: f64) -> Complex64 {
        let bell = |offset: f64| (-0.5 * (self.width * offset).powi(2)).exp();
        let size = 0.5
            * self.width
            * std::f64::consts::TAU.sqrt()
            * (bell(k - self.carrier) + bell(k + self.carrier));
        Complex64::from_polar(size, -k * self.delay())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spectrum_is_that_of_samples() {
        let pulse = Pulse::of_band(10.0, 30.0, 0.1);
        let step = 0.3 / pulse.highest();
        let samples = (pulse.duration() / step) as usize + 1;
        for k in [10.0, 20.0, 28.0] {
            let sum: Complex64 = (0..samples)
                .map(|i| i as f64 * step)
                .map(|t| pulse.value(t) * step * Complex64::from_polar(1.0, -k * t))
                .sum();
            assert!((sum - pulse.spectrum(k)).norm() < 1e-8 * pulse.spectrum(20.0).norm());
        }
        let ratio = pulse.spectrum(30.0).norm() / pulse.spectrum(20.0).norm();
        assert!((ratio - 0.1).abs() < 1e-3);
    }
}
