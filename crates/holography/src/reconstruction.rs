//! The field in planes nearer to the sources than the array, or farther away, from a hologram.

use wavefield_physics::medium::Fluid;

use crate::angular_spectrum::AngularSpectrum;
use crate::border::Border;
use crate::error::Error;
use crate::filter::Filter;
use crate::hologram::Hologram;
use crate::noise_level::noise_level;
use crate::passage::Passage;
use crate::propagator::Propagator;
use crate::regularisation::Regularisation;

/// Planar near-field acoustic holography: border, spectrum, filter, propagation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarHolography {
    /// What carries the sound.
    pub fluid: Fluid,
    /// What is put around the hologram.
    pub border: Border,
    /// How the filter is found.
    pub regularisation: Regularisation,
}

/// Air; everything automatic.
impl Default for PlanarHolography {
    fn default() -> Self {
        Self {
            fluid: Fluid::AIR,
            border: Border::default(),
            regularisation: Regularisation::default(),
        }
    }
}

/// A field in another plane, and how it was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Reconstruction {
    /// The plane waves in that plane.
    pub spectrum: AngularSpectrum,
    /// The filter they went through.
    pub filter: Filter,
    /// Root mean square of the noise found at a microphone, Pa.
    pub noise: f64,
}

/// What was found in a hologram and chosen for it.
struct Chosen {
    filter: Filter,
    noise: f64,
}

impl PlanarHolography {
    /// The field in the plane `distance` nearer to the sources.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a border, a distance or an array for which there is no answer.
    pub fn towards_sources(
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

    /// The filter for the way of a hologram to the plane `distance` nearer to the sources.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a border, a distance or an array for which there is no answer.
    pub fn filter(&self, hologram: &Hologram, distance: f64) -> Result<Filter, Error> {
        let spectrum = AngularSpectrum::new(hologram, &self.fluid, &self.border)?;
        let (_, chosen) = self.way(hologram, &spectrum, distance)?;
        Ok(chosen.filter)
    }

    /// What a card needs to bring a hologram to the plane `distance` nearer to the sources, and the plane waves there.
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

    /// The way of a hologram's spectrum to the plane `distance` nearer to the sources, and what was chosen for it.
    fn way(
        &self,
        hologram: &Hologram,
        spectrum: &AngularSpectrum,
        distance: f64,
    ) -> Result<(Propagator, Chosen), Error> {
        let noise = noise_level(hologram)?;
        // A distance that makes no sense is refused before filters are tried for it.
        Propagator::towards_sources(spectrum.wavenumbers(), distance, &Filter::None)?;
        let filter =
            self.regularisation
                .filter(spectrum, hologram.array().pitch, distance, noise)?;
        let way = Propagator::towards_sources(spectrum.wavenumbers(), distance, &filter)?;
        Ok((way, Chosen { filter, noise }))
    }

    /// The field in the plane `distance` farther from the sources.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a border or a distance for which there is no answer.
    pub fn away_from_sources(
        &self,
        hologram: &Hologram,
        distance: f64,
    ) -> Result<AngularSpectrum, Error> {
        let spectrum = AngularSpectrum::new(hologram, &self.fluid, &self.border)?;
        Propagator::away_from_sources(spectrum.wavenumbers(), distance)?.apply(&spectrum)
    }
}
