//! n dot products: the nominal samples, but only the sums of the bins of interest.
//!
//! It pays as long as n < log₂ N, where an FFT would have computed everything else as well.

use num_complex::Complex64;

use super::FrontEnd;
use super::frame::Frame;
use super::nominal::Samples;
use crate::array::Packing;
use crate::error::Error;
use crate::kernels::Instructions;
use crate::kernels::partial::weighted_sums;

/// The sums over samples that give the amplitudes at some bins.
pub(super) struct Sums {
    packing: Packing,
    /// For each bin, the weights of all samples.
    weights: Vec<Vec<[f32; 2]>>,
    sums: Vec<f32>,
    instructions: Instructions,
}

impl Sums {
    /// Sums for a frame whose first sample stands for the clock `centre` at bins of known gain.
    pub(super) fn new(frame: &Frame, centre_and_response: impl Fn(usize) -> (f64, f64)) -> Self {
        let weights = frame
            .bins()
            .iter()
            .map(|&bin| {
                let (centre, response) = centre_and_response(bin);
                frame
                    .weights(bin, centre, response)
                    .iter()
                    .map(|w| [w.re as f32, w.im as f32])
                    .collect()
            })
            .collect();
        Self {
            packing: frame.packing(),
            weights,
            sums: vec![0.0; 2 * frame.packing().channels()],
            instructions: Instructions::widest(),
        }
    }

    pub(super) fn compute(&mut self, samples: &[f32], amplitudes: &mut [Complex64]) {
        let channels = self.packing.channels();
        for (weights, amplitudes) in self
            .weights
            .iter()
            .zip(amplitudes.chunks_exact_mut(channels))
        {
            weighted_sums(self.instructions, samples, weights, &mut self.sums);
            let (real, imaginary) = self.sums.split_at(channels);
            for (place, (&re, &im)) in real.iter().zip(imaginary).enumerate() {
                amplitudes[self.packing.channel_at(place)] = Complex64::new(re.into(), im.into());
            }
        }
    }
}

/// Cascaded combs and compensation, then one sum for each bin.
pub struct DotProducts {
    samples: Samples,
    values: Vec<f32>,
    sums: Sums,
}

impl std::fmt::Debug for DotProducts {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("DotProducts")
            .field("frame", self.samples.frame())
            .finish_non_exhaustive()
    }
}

impl DotProducts {
    /// The front end for a frame.
    ///
    /// # Errors
    /// None for a frame that was made.
    pub fn new(frame: Frame) -> Result<Self, Error> {
        let values = vec![0.0; frame.samples() * frame.packing().channels()];
        let samples = Samples::new(frame)?;
        let sums = Sums::new(samples.frame(), |bin| samples.centre_and_response(bin));
        Ok(Self {
            samples,
            values,
            sums,
        })
    }
}

impl FrontEnd for DotProducts {
    fn frame(&self) -> &Frame {
        self.samples.frame()
    }

    fn lead_in(&self) -> usize {
        self.samples.lead_in()
    }

    fn bit_weights(&self, bin: usize) -> Vec<Complex64> {
        self.samples.bit_weights(bin)
    }

    fn amplitudes(&mut self, words: &[u32], amplitudes: &mut [Complex64]) -> Result<(), Error> {
        self.frame().check(self.lead_in(), words, amplitudes)?;
        self.samples.compute(words, &mut self.values)?;
        self.sums.compute(&self.values, amplitudes);
        Ok(())
    }
}
