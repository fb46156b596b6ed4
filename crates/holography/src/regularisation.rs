//! Which filter: its parameter is chosen from the hologram itself.
//!
//! For each parameter of a family, the filter takes the residual (1 − F)P away from the measured field. Both rules look
//! at it where the microphones are; over the whole grid, border included, they fail, for nothing was measured there.
//!
//! - Generalised cross-validation (G. H. Golub, M. Heath and G. Wahba, Technometrics 21 (1979) 215–223): the least
//!   ‖r‖²/(mean(1 − F))².
//! - Morozov's discrepancy principle: ‖r‖² equal to the power of the noise. It needs to know that power well: found three
//!   percent too large in a field with few details, it has cost more than twice the least error, where cross-validation
//!   stayed within a fifth of it.

use num_complex::Complex64;

use crate::angular_spectrum::AngularSpectrum;
use crate::error::{Error, positive};
use crate::filter::{Filter, decay};
use crate::plane_transform::PlaneTransform;

/// Parameters that are tried.
pub(crate) const TRIED: usize = 70;

/// Least and largest root of Tikhonov's λ.
const ROOTS: [f64; 2] = [1e-5, 3.0];

/// Least cut-off over the wavenumber of sound, and largest over that of the grid, π/pitch.
const CUT_OFFS: [f64; 2] = [0.7, 1.3];

/// A family of filters with one free parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Family {
    /// [`Filter::CutOff`] with this slope.
    CutOff {
        /// α.
        slope: f64,
    },
    /// [`Filter::Tikhonov`].
    Tikhonov,
    /// [`Filter::ModifiedTikhonov`].
    ModifiedTikhonov,
}

/// A rule by which the parameter is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Generalised cross-validation on the aperture.
    CrossValidation,
    /// Morozov's discrepancy principle on the aperture, with a known or estimated level of noise.
    Discrepancy,
}

/// How the filter is found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Regularisation {
    /// It is given.
    Fixed(Filter),
    /// It is chosen.
    Automatic {
        /// Among these.
        family: Family,
        /// By this rule.
        rule: Rule,
    },
}

/// The modified Tikhonov filter by generalised cross-validation, which never came far from the best filter.
impl Default for Regularisation {
    fn default() -> Self {
        Self::Automatic {
            family: Family::ModifiedTikhonov,
            rule: Rule::CrossValidation,
        }
    }
}

impl Family {
    /// The filters tried for a spectrum, the most permissive first.
    pub fn candidates(&self, spectrum: &AngularSpectrum, pitch: f64) -> Vec<Filter> {
        let [least, most] = match self {
            Self::CutOff { .. } => {
                let [low, high] = CUT_OFFS;
                let low = low * spectrum.wavenumbers().sound();
                let high = high * std::f64::consts::PI / pitch;
                [high.max(low), low]
            }
            Self::Tikhonov | Self::ModifiedTikhonov => ROOTS,
        };
        (0..TRIED)
            .map(|i| {
                let value = least * (most / least).powf(i as f64 / (TRIED - 1) as f64);
                match *self {
                    Self::CutOff { slope } => Filter::CutOff {
                        cut_off: value,
                        slope,
                    },
                    Self::Tikhonov => Filter::Tikhonov {
                        parameter: value * value,
                    },
                    Self::ModifiedTikhonov => Filter::ModifiedTikhonov {
                        parameter: value * value,
                    },
                }
            })
            .collect()
    }
}

impl Regularisation {
    /// The filter for the way of a spectrum over a distance towards the sources. `noise` is the root mean square of
    /// the noise at a microphone, Pa, which only the discrepancy principle asks for.
    ///
    /// # Errors
    /// [`Error::NotPositive`] for a slope that is none.
    pub fn filter(
        &self,
        spectrum: &AngularSpectrum,
        pitch: f64,
        distance: f64,
        noise: f64,
    ) -> Result<Filter, Error> {
        let (family, rule) = match *self {
            Self::Fixed(filter) => return Ok(filter),
            Self::Automatic { family, rule } => (family, rule),
        };
        if let Family::CutOff { slope } = family {
            positive("the slope of a filter", slope)?;
        }
        let wavenumbers = spectrum.wavenumbers();
        let waves: Vec<(f64, f64)> = (0..wavenumbers.len())
            .map(|i| {
                let decay = decay(wavenumbers.along_z(i), distance);
                (wavenumbers.radial(i), decay)
            })
            .collect();
        let [rows, columns] = wavenumbers.shape();
        let mut transform = PlaneTransform::new(rows, columns);
        let mut residual = vec![Complex64::new(0.0, 0.0); rows * columns];
        let mut best = (f64::INFINITY, Filter::None);
        for filter in family.candidates(spectrum, pitch) {
            let gains: Vec<f64> = waves
                .iter()
                .map(|&(radial, decay)| filter.gain(radial, decay))
                .collect();
            for ((r, value), gain) in residual.iter_mut().zip(spectrum.values()).zip(&gains) {
                *r = value * (1.0 - gain);
            }
            transform.inverse(&mut residual);
            let aperture = spectrum.crop(&residual);
            let power =
                aperture.iter().map(Complex64::norm_sqr).sum::<f64>() / aperture.len() as f64;
            let taken = gains.iter().map(|gain| 1.0 - gain).sum::<f64>() / gains.len() as f64;
            let measure = match rule {
                Rule::CrossValidation => power / (taken * taken),
                Rule::Discrepancy => (power / (noise * noise)).ln().abs(),
            };
            if measure < best.0 {
                best = (measure, filter);
            }
        }
        Ok(best.1)
    }
}
