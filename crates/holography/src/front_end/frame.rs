//! Frames: the bits of one spectrum, its bins, and its window.

use std::f64::consts::TAU;

use num_complex::Complex64;

use crate::array::Packing;
use crate::error::{Error, long_as};
use crate::microphone::CLOCK_RATE;

/// Clock cycles per sample after decimation.
pub const DECIMATION: usize = 32;

/// Minimum and maximum number of samples in a frame, powers of two.
const SAMPLES: [usize; 2] = [64, 1 << 16];

/// A frame of samples, and the DFT bins of interest.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    packing: Packing,
    samples: usize,
    bins: Vec<usize>,
}

impl Frame {
    /// Creates a frame whose number of samples is a power of two; 1024 samples last 22 ms.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] for an invalid number of samples, [`Error::Nothing`] without bins, and
    /// [`Error::Bin`] for bins that are not between zero and the Nyquist frequency.
    pub fn new(packing: Packing, samples: usize, bins: &[usize]) -> Result<Self, Error> {
        Self::check_samples(samples)?;
        if bins.is_empty() {
            return Err(Error::Nothing {
                what: "DFT bins of interest",
            });
        }
        // The Hann window couples neighboring bins.
        let most = samples / 2 - 2;
        if let Some(&bin) = bins.iter().find(|bin| !(1..=most).contains(*bin)) {
            return Err(Error::Bin { bin, samples, most });
        }
        Ok(Self {
            packing,
            samples,
            bins: bins.to_vec(),
        })
    }

    /// Validates the number of samples in a frame.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] unless the number is a power of two within the limits.
    pub(crate) fn check_samples(samples: usize) -> Result<(), Error> {
        let [least, most] = SAMPLES;
        if samples.is_power_of_two() && (least..=most).contains(&samples) {
            return Ok(());
        }
        Err(Error::OutOfRange {
            what: "the number of samples in a frame, a power of two,",
            value: samples as f64,
            least: least as f64,
            most: most as f64,
        })
    }

    /// Returns the order of the bits.
    pub fn packing(&self) -> Packing {
        self.packing
    }

    /// Returns the number of samples in the frame.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// Returns the number of clock cycles in the frame.
    pub fn clocks(&self) -> usize {
        self.samples * DECIMATION
    }

    /// Returns the DFT bins of interest.
    pub fn bins(&self) -> &[usize] {
        &self.bins
    }

    /// Returns the frequency of a bin, Hz.
    pub fn frequency(&self, bin: usize) -> f64 {
        bin as f64 * CLOCK_RATE / self.clocks() as f64
    }

    /// Returns the bin nearest to a frequency in Hz for a frame of `samples` samples.
    ///
    /// # Errors
    /// Returns [`Error::Bin`] if the frame has no such bin.
    pub fn nearest_bin(samples: usize, frequency: f64) -> Result<usize, Error> {
        let clocks = samples as f64 * DECIMATION as f64;
        let bin = (frequency * clocks / CLOCK_RATE).round() as usize;
        let most = (samples / 2).saturating_sub(2);
        if (1..=most).contains(&bin) {
            Ok(bin)
        } else {
            Err(Error::Bin { bin, samples, most })
        }
    }

    /// Returns the weights whose dot product with the samples of a channel is the amplitude at a bin, with the Hann
    /// window w = ½(1 − cos(2πi/N)), Σw = N/2. Sample i refers to the clock cycle 32·i + `center`; the preceding filter
    /// has the gain `response` at this bin.
    pub(super) fn weights(&self, bin: usize, center: f64, response: f64) -> Vec<Complex64> {
        let n = self.samples as f64;
        let scale = 2.0 / (0.5 * n * response);
        let start = Complex64::from_polar(scale, -TAU * bin as f64 * center / self.clocks() as f64);
        (0..self.samples)
            .map(|i| {
                let hann = 0.5 * (1.0 - (TAU * i as f64 / n).cos());
                // Whole periods are removed in integer arithmetic, which is exact.
                let turn = (bin * i % self.samples) as f64 / n;
                start * Complex64::from_polar(hann, -TAU * turn)
            })
            .collect()
    }

    /// Returns the weights of the bits for samples with the weights of [`Frame::weights`]. The last bit of sample i
    /// belongs to the clock cycle 32·i + 31 of the frame; `impulse` is the impulse response of the filter, the latest
    /// bit first.
    pub(super) fn weights_through(
        &self,
        samples: &[Complex64],
        impulse: &[f64],
        lead_in: usize,
    ) -> Vec<Complex64> {
        let mut bits = vec![Complex64::new(0.0, 0.0); lead_in + self.clocks()];
        for (i, weight) in samples.iter().enumerate() {
            let end = lead_in + DECIMATION * (i + 1);
            let behind = bits[..end].iter_mut().rev();
            for (bit, response) in behind.zip(impulse) {
                *bit += weight * response;
            }
        }
        bits
    }

    /// Returns the weights whose dot product with the bits of a channel, ±1, is the amplitude at a bin.
    pub(super) fn bit_weights(&self, bin: usize) -> Vec<Complex64> {
        let clocks = self.clocks();
        let part = |n: usize| n as f64 / clocks as f64;
        (0..clocks)
            .map(|n| {
                let hann = 0.5 * (1.0 - (TAU * part(n)).cos());
                Complex64::from_polar(4.0 * hann / clocks as f64, -TAU * part(bin * n % clocks))
            })
            .collect()
    }

    pub(crate) fn check(
        &self,
        lead_in: usize,
        words: &[u32],
        amplitudes: &[Complex64],
    ) -> Result<(), Error> {
        let words_needed = (lead_in + self.clocks()) * self.packing.words();
        long_as("the words of a frame", words_needed, words.len())?;
        let needed = self.packing.channels() * self.bins.len();
        long_as("the amplitudes of a frame", needed, amplitudes.len())
    }
}
