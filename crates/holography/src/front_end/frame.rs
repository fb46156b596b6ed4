//! What a frame is: the bits one spectrum is made of, its bins, its window.

use std::f64::consts::TAU;

use num_complex::Complex64;

use crate::array::Packing;
use crate::error::{Error, long_as};
use crate::microphone::CLOCK_RATE;

/// Clocks of a sample after decimation.
pub const DECIMATION: usize = 32;

/// Fewest and most samples in a frame; a power of two between them.
const SAMPLES: [usize; 2] = [64, 1 << 16];

/// A frame of samples, and the bins of its spectrum that are of interest.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    packing: Packing,
    samples: usize,
    bins: Vec<usize>,
}

impl Frame {
    /// A frame of a power of two of samples; the usual is 1024, which last 22 ms.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a number of samples that is no power of two or too large, [`Error::Nothing`] without
    /// bins, [`Error::Bin`] for bins that are not between zero and half the rate of the samples.
    pub fn new(packing: Packing, samples: usize, bins: &[usize]) -> Result<Self, Error> {
        Self::check_samples(samples)?;
        if bins.is_empty() {
            return Err(Error::Nothing {
                what: "the bins of a spectrum",
            });
        }
        // Hann's window takes in the lines beside a bin.
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

    /// Requires a number of samples that a frame of bits can have.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a number that is no power of two, too small, or too large.
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

    /// The order of the bits.
    pub fn packing(&self) -> Packing {
        self.packing
    }

    /// Samples in the frame.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// Clocks in the frame.
    pub fn clocks(&self) -> usize {
        self.samples * DECIMATION
    }

    /// The bins of interest.
    pub fn bins(&self) -> &[usize] {
        &self.bins
    }

    /// The frequency of a bin, Hz.
    pub fn frequency(&self, bin: usize) -> f64 {
        bin as f64 * CLOCK_RATE / self.clocks() as f64
    }

    /// The bin nearest to a frequency in Hz.
    ///
    /// # Errors
    /// [`Error::Bin`] when a frame of so many samples has no such bin.
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

    /// The weights whose sum over the samples of a channel is the amplitude at a bin, by Hann's window
    /// w = ½(1 − cos(2πi/N)), Σw = N/2. Sample i stands for the clock 32·i + `centre`; the filter before it has the
    /// gain `response` at this bin.
    pub(super) fn weights(&self, bin: usize, centre: f64, response: f64) -> Vec<Complex64> {
        let n = self.samples as f64;
        let scale = 2.0 / (0.5 * n * response);
        let start = Complex64::from_polar(scale, -TAU * bin as f64 * centre / self.clocks() as f64);
        (0..self.samples)
            .map(|i| {
                let hann = 0.5 * (1.0 - (TAU * i as f64 / n).cos());
                // Whole turns are taken off in integers, where nothing is lost.
                let turn = (bin * i % self.samples) as f64 / n;
                start * Complex64::from_polar(hann, -TAU * turn)
            })
            .collect()
    }

    /// The weights of the bits behind samples that weigh [`Frame::weights`]: the last bit of sample i is that of the
    /// clock 32·i + 31 of the frame, and `impulse` is the filter's response, its latest bit first.
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

    /// The weights whose sum over the raw bits of a channel, ±1, is the amplitude at a bin.
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
