//! From one plane to another: each plane wave turns its phase or changes its size.
//!
//! With e^{+jωt} a wave travels away from the sources as e^{−jk_z z}. A plane d nearer to them has P e^{jk_z d}; a plane d
//! farther away P e^{−jk_z d}, where decaying waves decay. Only the first needs a filter.

use num_complex::Complex64;

use crate::angular_spectrum::AngularSpectrum;
use crate::error::{Error, within};
use crate::filter::{Filter, decay};
use crate::wavenumber::Wavenumbers;

/// Largest exponent of a wave's growth: its square is still a number.
const MOST_GROWTH: f64 = 300.0;

/// The way from the plane of a spectrum to a parallel plane.
#[derive(Clone, Debug, PartialEq)]
pub struct Propagator {
    factors: Vec<Complex64>,
}

impl Propagator {
    /// The way to a plane `distance` nearer to the sources, through a filter.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a distance that is negative, or so large that waves would outgrow all numbers.
    pub fn towards_sources(
        wavenumbers: &Wavenumbers,
        distance: f64,
        filter: &Filter,
    ) -> Result<Self, Error> {
        let steepest = (0..wavenumbers.len())
            .map(|i| -wavenumbers.along_z(i).im)
            .fold(f64::MIN_POSITIVE, f64::max);
        let most = MOST_GROWTH / steepest;
        within("the distance towards the sources", distance, 0.0, most)?;
        let gains = filter.gains(wavenumbers, distance);
        let factors = gains.iter().enumerate().map(|(i, gain)| {
            let kz = wavenumbers.along_z(i);
            Complex64::from_polar(gain / decay(kz, distance), kz.re * distance)
        });
        Ok(Self {
            factors: factors.collect(),
        })
    }

    /// The way to a plane `distance` farther from the sources.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a distance that is negative or no number.
    pub fn away_from_sources(wavenumbers: &Wavenumbers, distance: f64) -> Result<Self, Error> {
        within("the distance from the sources", distance, 0.0, f64::MAX)?;
        let factors = (0..wavenumbers.len()).map(|i| {
            let kz = wavenumbers.along_z(i);
            Complex64::from_polar(decay(kz, distance), -kz.re * distance)
        });
        Ok(Self {
            factors: factors.collect(),
        })
    }

    /// What each wave is multiplied by.
    pub fn factors(&self) -> &[Complex64] {
        &self.factors
    }

    /// The spectrum in the other plane.
    ///
    /// # Errors
    /// [`Error::Length`] for a spectrum on another grid.
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
        let away = Propagator::away_from_sources(&wavenumbers, 0.07).unwrap();
        let back = Propagator::towards_sources(&wavenumbers, 0.07, &Filter::None).unwrap();
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
                Propagator::towards_sources(&wavenumbers, distance, &Filter::None).is_err(),
                "{distance}"
            );
        }
        assert!(Propagator::away_from_sources(&wavenumbers, -1.0).is_err());
        assert!(Propagator::away_from_sources(&wavenumbers, 1e3).is_ok());
    }
}
