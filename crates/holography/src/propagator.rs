//! Propagation of an angular spectrum between parallel planes.
//!
//! With e^{+jωt} a plane wave propagates away from the sources as e^{−jk_z z}. Back-propagation by d multiplies its
//! amplitude P by e^{jk_z d}, which amplifies evanescent waves; forward propagation multiplies by e^{−jk_z d}, which
//! attenuates them. Only back-propagation needs a regularization filter.

use num_complex::Complex64;

use crate::angular_spectrum::AngularSpectrum;
use crate::error::{Error, within};
use crate::filter::{Filter, decay};
use crate::wavenumber::Wavenumbers;

/// Maximum exponent of the amplification of evanescent waves; the square of the amplification remains finite.
const MAX_GROWTH: f64 = 300.0;

/// Transfer function from the plane of a spectrum to a parallel plane.
#[derive(Clone, Debug, PartialEq)]
pub struct Propagator {
    factors: Vec<Complex64>,
}

impl Propagator {
    /// Creates the propagator to a plane `distance` nearer to the sources, m, including a regularization filter.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] for a negative distance, or one at which the amplification of evanescent waves
    /// overflows.
    pub fn back_propagate(
        wavenumbers: &Wavenumbers,
        distance: f64,
        filter: &Filter,
    ) -> Result<Self, Error> {
        let steepest = (0..wavenumbers.len())
            .map(|i| -wavenumbers.along_z(i).im)
            .fold(f64::MIN_POSITIVE, f64::max);
        let most = MAX_GROWTH / steepest;
        within("the back-propagation distance", distance, 0.0, most)?;
        let gains = filter.gains(wavenumbers, distance);
        let factors = gains.iter().enumerate().map(|(i, gain)| {
            let kz = wavenumbers.along_z(i);
            Complex64::from_polar(gain / decay(kz, distance), kz.re * distance)
        });
        Ok(Self {
            factors: factors.collect(),
        })
    }

    /// Creates the propagator to a plane `distance` farther from the sources, m.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] for a distance that is negative or not finite.
    pub fn forward_propagate(wavenumbers: &Wavenumbers, distance: f64) -> Result<Self, Error> {
        within("the propagation distance", distance, 0.0, f64::MAX)?;
        let factors = (0..wavenumbers.len()).map(|i| {
            let kz = wavenumbers.along_z(i);
            Complex64::from_polar(decay(kz, distance), -kz.re * distance)
        });
        Ok(Self {
            factors: factors.collect(),
        })
    }

    /// Returns the factor of each plane wave.
    pub fn factors(&self) -> &[Complex64] {
        &self.factors
    }

    /// Propagates a spectrum to the other plane.
    ///
    /// # Errors
    /// Returns [`Error::Length`] for a spectrum on another grid.
    pub fn apply(&self, spectrum: &AngularSpectrum) -> Result<AngularSpectrum, Error> {
        crate::error::long_as("a spectrum", self.factors.len(), spectrum.values().len())?;
        Ok(spectrum.mapped(|i, value| value * self.factors[i]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn away_and_back_is_the_identity() {
        let wavenumbers = Wavenumbers::new(32, 48, 0.02, 40.0);
        let away = Propagator::forward_propagate(&wavenumbers, 0.07).unwrap();
        let back = Propagator::back_propagate(&wavenumbers, 0.07, &Filter::None).unwrap();
        for (a, b) in away.factors().iter().zip(back.factors()) {
            assert!((a * b - 1.0).norm() < 1e-12);
            assert!(a.norm() <= 1.0 && b.norm() >= 1.0 - 1e-15);
        }
    }

    #[test]
    fn distances_that_make_no_sense_are_refused() {
        let wavenumbers = Wavenumbers::new(32, 32, 0.02, 40.0);
        for distance in [-0.01, f64::NAN, 10.0] {
            assert!(
                Propagator::back_propagate(&wavenumbers, distance, &Filter::None).is_err(),
                "{distance}"
            );
        }
        assert!(Propagator::forward_propagate(&wavenumbers, -1.0).is_err());
        assert!(Propagator::forward_propagate(&wavenumbers, 1e3).is_ok());
    }
}
