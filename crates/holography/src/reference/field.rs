//! Sources whose fields are known in the hologram plane, z = 5 cm, and in the reconstruction plane, z = 1 cm, at 1 kHz
//! in air.

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_physics::exact::plate::PlateMode;
use wavefield_physics::medium::Fluid;

use crate::angular_spectrum::AngularSpectrum;
use crate::array::MicrophoneArray;
use crate::border::Border;
use crate::deviation::relative_error;
use crate::error::Error;
use crate::hologram::Hologram;
use crate::propagator::Propagator;
use crate::regularization::Family;
use crate::source::{Source, exact_hologram};

const FREQUENCY: f64 = 1000.0;

/// A field known in the hologram plane and in the reconstruction plane.
#[derive(Clone, Debug)]
pub struct KnownField {
    /// Name of the source.
    pub name: &'static str,
    /// Field at the microphones.
    pub measured: Hologram,
    /// Field in the reconstruction plane.
    pub wanted: Hologram,
}

impl KnownField {
    /// z coordinate of the hologram plane, m.
    pub const HEIGHT: f64 = 0.05;
    /// z coordinate of the reconstruction plane, m.
    pub const PLANE: f64 = 0.01;
    /// Back-propagation distance, m.
    pub const DISTANCE: f64 = Self::HEIGHT - Self::PLANE;

    /// Returns the field of a plate of 40 cm with 4 × 3 half-waves, inside the aperture.
    ///
    /// # Errors
    /// Returns an error if the field cannot be evaluated.
    pub fn plate_inside() -> Result<Self, Error> {
        Self::of_plate("plate inside", &Self::plate(0.4, [4, 3]))
    }

    /// Returns the field of a plate of 1.2 m with 6 × 5 half-waves, which extends beyond the aperture.
    ///
    /// # Errors
    /// Returns an error if the field cannot be evaluated.
    pub fn plate_beyond() -> Result<Self, Error> {
        Self::of_plate("plate beyond the array", &Self::plate(1.2, [6, 5]))
    }

    /// Returns the field of two monopoles inside the aperture.
    ///
    /// # Errors
    /// Returns an error if the field cannot be evaluated.
    pub fn monopoles_inside() -> Result<Self, Error> {
        let places = [([-0.1, 0.05], 1.0), ([0.13, -0.08], 0.7)];
        Self::of_monopoles("monopoles inside", &places)
    }

    /// Returns the field of a monopole near the edge of the aperture and a weaker one at its center.
    ///
    /// # Errors
    /// Returns an error if the field cannot be evaluated.
    pub fn monopole_at_the_edge() -> Result<Self, Error> {
        let places = [([0.28, 0.1], 1.0), ([-0.05, 0.0], 0.5)];
        Self::of_monopoles("monopole at the edge", &places)
    }

    /// Returns a square plate in one mode, with a velocity of 1 mm/s.
    pub fn plate(size: f64, mode: [u32; 2]) -> PlateMode {
        PlateMode {
            size: [size; 2],
            mode,
            velocity: Complex64::new(1e-3, 0.0),
        }
    }

    /// Returns monopoles at positions in the plane z = 0, with volume velocities in 10⁻⁵ m³/s.
    pub fn monopoles(places: &[([f64; 2], f64)]) -> Vec<Source> {
        let source = |&([x, y], strength): &([f64; 2], f64)| Source::Monopole {
            position: [x, y, 0.0],
            volume_velocity: Complex64::new(1e-5 * strength, 0.0),
        };
        places.iter().map(source).collect()
    }

    fn of_monopoles(name: &'static str, places: &[([f64; 2], f64)]) -> Result<Self, Error> {
        let sources = Self::monopoles(places);
        let at = |z| {
            let array = MicrophoneArray::default();
            exact_hologram(&sources, &Fluid::AIR, &array, FREQUENCY, z)
        };
        Ok(Self {
            name,
            measured: at(Self::HEIGHT)?,
            wanted: at(Self::PLANE)?,
        })
    }

    /// Computes the field of a centered plate; by the symmetry of the mode, a quarter of the array determines the rest.
    fn of_plate(name: &'static str, plate: &PlateMode) -> Result<Self, Error> {
        let source = Source::Plate {
            center: [0.0, 0.0],
            plate: *plate,
        };
        let [along_x, along_y] = plate.mode.map(|m| if m % 2 == 1 { 1.0 } else { -1.0 });
        let at = |z| {
            let array = MicrophoneArray::default();
            let quarter = (0..256)
                .into_par_iter()
                .map(|i| {
                    let [x, y] = array.position(i / 16 * 32 + i % 16);
                    source.pressure(&Fluid::AIR, FREQUENCY, [x, y, z])
                })
                .collect::<Result<Vec<Complex64>, Error>>()?;
            let values = (0..1024)
                .map(|c| {
                    let (row, column) = (c / 32, c % 32);
                    let mut value = quarter[row.min(31 - row) * 16 + column.min(31 - column)];
                    if row > 15 {
                        value *= along_y;
                    }
                    if column > 15 {
                        value *= along_x;
                    }
                    value
                })
                .collect();
            Hologram::new(array, FREQUENCY, values)
        };
        Ok(Self {
            name,
            measured: at(Self::HEIGHT)?,
            wanted: at(Self::PLANE)?,
        })
    }

    /// Returns the relative error of a reconstructed pressure.
    ///
    /// # Errors
    /// Returns [`Error::Length`] for a field of another size.
    pub fn error(&self, pressure: &[Complex64]) -> Result<f64, Error> {
        relative_error(self.wanted.values(), pressure)
    }

    /// Returns the minimum error over all filters of some families for a hologram of this field: a lower bound for any
    /// rule of choice.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] for a border that is invalid for the hologram.
    pub fn least_error(
        &self,
        hologram: &Hologram,
        border: &Border,
        families: &[Family],
    ) -> Result<f64, Error> {
        let spectrum = AngularSpectrum::new(hologram, &Fluid::AIR, border)?;
        let mut least = f64::INFINITY;
        for family in families {
            for filter in family.candidates(&spectrum, hologram.array().pitch) {
                let way =
                    Propagator::back_propagate(spectrum.wavenumbers(), Self::DISTANCE, &filter)?;
                least = least.min(self.error(&way.apply(&spectrum)?.pressure())?);
            }
        }
        Ok(least)
    }
}
