//! The field in planes nearer to the sources than the array, or farther away, from a hologram.

use wavefield_physics::medium::Fluid;

use crate::angular_spectrum::AngularSpectrum;
use crate::border::Border;
use crate::error::Error;
use crate::filter::Filter;
use crate::hologram::Hologram;
use crate::noise_level::noise_level;
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
        let noise = noise_level(hologram)?;
        let spectrum = AngularSpectrum::new(hologram, &self.fluid, &self.border)?;
        // A distance that makes no sense is refused before filters are tried for it.
        Propagator::towards_sources(spectrum.wavenumbers(), distance, &Filter::None)?;
        let filter =
            self.regularisation
                .filter(&spectrum, hologram.array().pitch, distance, noise)?;
        let way = Propagator::towards_sources(spectrum.wavenumbers(), distance, &filter)?;
        Ok(Reconstruction {
            spectrum: way.apply(&spectrum)?,
            filter,
            noise,
        })
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
