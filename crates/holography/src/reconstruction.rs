//! Reconstruction of the field in parallel planes from a hologram.

use wavefield_physics::medium::Fluid;

use crate::angular_spectrum::AngularSpectrum;
use crate::border::Border;
use crate::error::Error;
use crate::filter::Filter;
use crate::hologram::Hologram;
use crate::noise_level::noise_level;
use crate::passage::Passage;
use crate::propagator::Propagator;
use crate::regularization::Regularization;

/// Planar near-field acoustic holography: padding, angular spectrum, regularization filter, propagation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarHolography {
    /// Fluid.
    pub fluid: Fluid,
    /// Border around the hologram.
    pub border: Border,
    /// Choice of the regularization filter.
    pub regularization: Regularization,
}

/// Returns settings for air with an automatic filter.
impl Default for PlanarHolography {
    fn default() -> Self {
        Self {
            fluid: Fluid::AIR,
            border: Border::default(),
            regularization: Regularization::default(),
        }
    }
}

/// The reconstructed angular spectrum, with its filter and noise estimate.
#[derive(Clone, Debug, PartialEq)]
pub struct Reconstruction {
    /// Angular spectrum in the reconstruction plane.
    pub spectrum: AngularSpectrum,
    /// Regularization filter.
    pub filter: Filter,
    /// RMS noise estimated at a microphone, Pa.
    pub noise: f64,
}

/// Noise estimate of a hologram and the filter chosen for it.
struct Chosen {
    filter: Filter,
    noise: f64,
}

impl PlanarHolography {
    /// Back-propagates a hologram to the plane `distance` nearer to the sources, m.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] for an invalid border, distance, or array.
    pub fn back_propagate(
        &self,
        hologram: &Hologram,
        distance: f64,
    ) -> Result<Reconstruction, Error> {
        let spectrum = AngularSpectrum::new(hologram, &self.fluid, &self.border)?;
        let (way, chosen) = self.way(hologram, &spectrum, distance)?;
        Ok(Reconstruction {
            spectrum: way.apply(&spectrum)?,
            filter: chosen.filter,
            noise: chosen.noise,
        })
    }

    /// Chooses the filter for back-propagation of a hologram by `distance`, m.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] for an invalid border, distance, or array.
    pub fn filter(&self, hologram: &Hologram, distance: f64) -> Result<Filter, Error> {
        let spectrum = AngularSpectrum::new(hologram, &self.fluid, &self.border)?;
        let (_, chosen) = self.way(hologram, &spectrum, distance)?;
        Ok(chosen.filter)
    }

    /// Returns the input of a GPU reconstruction `distance` nearer to the sources, m, with noise estimate and filter.
    pub(crate) fn passage(
        &self,
        hologram: &Hologram,
        distance: f64,
    ) -> Result<(Passage, Reconstruction), Error> {
        let extended = self.border.extend(hologram)?;
        let spectrum = AngularSpectrum::of_extended(extended.clone(), hologram, &self.fluid);
        let (way, chosen) = self.way(hologram, &spectrum, distance)?;
        let found = Reconstruction {
            spectrum: way.apply(&spectrum)?,
            filter: chosen.filter,
            noise: chosen.noise,
        };
        let passage = Passage {
            extended,
            wavenumbers: spectrum.wavenumbers().clone(),
            way,
            frequency: hologram.frequency(),
        };
        Ok((passage, found))
    }

    /// Returns the propagator of a spectrum to the plane `distance` nearer to the sources, with noise estimate and
    /// filter.
    fn way(
        &self,
        hologram: &Hologram,
        spectrum: &AngularSpectrum,
        distance: f64,
    ) -> Result<(Propagator, Chosen), Error> {
        let noise = noise_level(hologram)?;
        // An invalid distance is rejected before filter candidates are evaluated for it.
        Propagator::back_propagate(spectrum.wavenumbers(), distance, &Filter::None)?;
        let filter =
            self.regularization
                .filter(spectrum, hologram.array().pitch, distance, noise)?;
        let way = Propagator::back_propagate(spectrum.wavenumbers(), distance, &filter)?;
        Ok((way, Chosen { filter, noise }))
    }

    /// Forward-propagates a hologram to the plane `distance` farther from the sources, m.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] for an invalid border or distance.
    pub fn forward_propagate(
        &self,
        hologram: &Hologram,
        distance: f64,
    ) -> Result<AngularSpectrum, Error> {
        let spectrum = AngularSpectrum::new(hologram, &self.fluid, &self.border)?;
        Propagator::forward_propagate(spectrum.wavenumbers(), distance)?.apply(&spectrum)
    }
}
