//! Frequency band with uniform steps.

use wavefield_physics::constants::{SPEED_OF_LIGHT, vacuum_wavenumber};

use super::error::ProductError;

/// Maximum deviation from a uniform step, in steps, attributed to rounding.
pub(super) const EVEN: f64 = 1e-4;

/// Frequency band with uniform steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    /// Lowest frequency, Hz.
    pub first: f64,
    /// Step, Hz.
    pub step: f64,
    /// Number of frequencies.
    pub count: usize,
}

impl Band {
    /// Creates the band from the frequencies of a sweep, Hz.
    ///
    /// # Errors
    /// Returns an error for fewer than two frequencies, or for nonuniform or descending steps.
    pub fn new(frequencies: &[f64]) -> Result<Band, ProductError> {
        let (&[first, ..], &[.., last]) = (frequencies, frequencies) else {
            return Err(ProductError::FewFrequencies { found: 0 });
        };
        let count = frequencies.len();
        if count < 2 {
            return Err(ProductError::FewFrequencies { found: count });
        }
        let step = (last - first) / (count - 1) as f64;
        for pair in frequencies.windows(2) {
            let found = pair[1] - pair[0];
            if !(found > 0.0 && (found - step).abs() <= EVEN * step) {
                return Err(ProductError::UnevenFrequencies {
                    after: pair[0],
                    found,
                    step,
                });
            }
        }
        Ok(Band { first, step, count })
    }

    /// Returns the bandwidth B, the step times the number of frequencies, Hz.
    pub fn width(&self) -> f64 {
        self.step * self.count as f64
    }

    /// Returns the center frequency, Hz.
    pub fn middle(&self) -> f64 {
        self.first + 0.5 * self.step * (self.count - 1) as f64
    }

    /// Returns the highest frequency, Hz.
    pub fn highest(&self) -> f64 {
        self.first + self.step * (self.count - 1) as f64
    }

    /// Returns the down-range resolution c/2B, m.
    pub fn resolution(&self) -> f64 {
        0.5 * SPEED_OF_LIGHT / self.width()
    }

    /// Returns the unambiguous down-range extent c/2δf, m; farther targets alias.
    pub fn unambiguous(&self) -> f64 {
        0.5 * SPEED_OF_LIGHT / self.step
    }

    /// Returns the wavenumbers, rad/m.
    pub fn wavenumbers(&self) -> impl Iterator<Item = f64> + use<> {
        let Band { first, step, count } = *self;
        (0..count).map(move |number| vacuum_wavenumber(first + step * number as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uneven_falling_and_lonely_frequencies_are_refused() {
        assert!(Band::new(&[1e9, 1.1e9, 1.2e9]).is_ok());
        for bad in [&[][..], &[1e9]] {
            assert!(matches!(
                Band::new(bad),
                Err(ProductError::FewFrequencies { .. })
            ));
        }
        for bad in [&[1e9, 1.1e9, 1.21e9][..], &[1.2e9, 1.1e9, 1e9], &[1e9, 1e9]] {
            assert!(matches!(
                Band::new(bad),
                Err(ProductError::UnevenFrequencies { .. })
            ));
        }
    }

    #[test]
    fn a_band_of_one_and_a_half_gigahertz_resolves_ten_centimeters() {
        let frequencies: Vec<f64> = (0..150).map(|n| 9e9 + 1e7 * f64::from(n)).collect();
        let band = Band::new(&frequencies).unwrap();
        assert!((band.resolution() - 0.099_930_819).abs() < 1e-9);
        assert!((band.unambiguous() - 14.989_622_9).abs() < 1e-7);
    }
}
