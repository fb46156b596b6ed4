//! Holograms: complex amplitudes of a field on the grid of an array, at one frequency.

use num_complex::Complex64;

use crate::array::MicrophoneArray;
use crate::error::{Error, long_as, positive};
use wavefield_numerics::random::Random;

/// A field on the grid of an array: complex amplitudes with e^{+jωt}, by channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Hologram {
    array: MicrophoneArray,
    frequency: f64,
    values: Vec<Complex64>,
}

impl Hologram {
    /// Creates a hologram from the values of all channels.
    ///
    /// # Errors
    /// Returns [`Error::Length`] unless there is one value for each microphone, and [`Error::NotPositive`] for an
    /// invalid frequency.
    pub fn new(
        array: MicrophoneArray,
        frequency: f64,
        values: Vec<Complex64>,
    ) -> Result<Self, Error> {
        positive("the frequency", frequency)?;
        long_as("a hologram", array.channels(), values.len())?;
        Ok(Self {
            array,
            frequency,
            values,
        })
    }

    /// Returns the grid.
    pub fn array(&self) -> &MicrophoneArray {
        &self.array
    }

    /// Returns the frequency, Hz.
    pub fn frequency(&self) -> f64 {
        self.frequency
    }

    /// Returns the values, row by row.
    pub fn values(&self) -> &[Complex64] {
        &self.values
    }

    /// Returns the mean of |p|² over the microphones, Pa².
    pub fn mean_square(&self) -> f64 {
        self.values.iter().map(Complex64::norm_sqr).sum::<f64>() / self.values.len() as f64
    }

    /// Returns the hologram with independent Gaussian noise at every microphone, `decibels` below the mean square.
    #[must_use]
    pub fn with_noise(&self, decibels: f64, seed: u64) -> Self {
        let size = self.mean_square().sqrt() * 10_f64.powf(-decibels / 20.0);
        let mut random = Random::stream(seed, 0);
        Self {
            values: self
                .values
                .iter()
                .map(|p| p + size * random.gaussian())
                .collect(),
            ..self.clone()
        }
    }
}
