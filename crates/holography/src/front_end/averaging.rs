//! Basic averaging: every 32 bits of a channel are counted, and the mean is taken for the sample.
//!
//! A mean over 32 clocks keeps little of the modulator's noise away: at 8 kHz errors are 30 dB below the tone, where
//! combs of higher order reach 76 dB.

use num_complex::Complex64;

use super::FrontEnd;
use super::comb_filter::CombFilter;
use super::dot_products::Sums;
use super::frame::{DECIMATION, Frame};
use crate::error::Error;
use crate::kernels::Instructions;
use crate::kernels::transpose::count_ones;

/// Means of 32 bits, then one sum for each bin.
pub struct BasicAveraging {
    frame: Frame,
    mean: CombFilter,
    values: Vec<f32>,
    counts: Vec<u32>,
    sums: Sums,
    instructions: Instructions,
}

impl std::fmt::Debug for BasicAveraging {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("BasicAveraging")
            .field("frame", &self.frame)
            .finish_non_exhaustive()
    }
}

impl BasicAveraging {
    /// The front end for a frame.
    ///
    /// # Errors
    /// None for a frame that was made.
    pub fn new(frame: Frame) -> Result<Self, Error> {
        let channels = frame.packing().channels();
        let mean = CombFilter::new(1, DECIMATION)?;
        let sums = Sums::new(&frame, |bin| mean.centre_and_response(&frame, bin));
        Ok(Self {
            mean,
            values: vec![0.0; frame.samples() * channels],
            counts: vec![0; channels],
            sums,
            instructions: Instructions::widest(),
            frame,
        })
    }
}

impl FrontEnd for BasicAveraging {
    fn frame(&self) -> &Frame {
        &self.frame
    }

    fn lead_in(&self) -> usize {
        0
    }

    fn amplitudes(&mut self, words: &[u32], amplitudes: &mut [Complex64]) -> Result<(), Error> {
        self.frame.check(0, words, amplitudes)?;
        let packing = self.frame.packing();
        for (words, means) in words
            .chunks_exact(DECIMATION * packing.words())
            .zip(self.values.chunks_exact_mut(packing.channels()))
        {
            count_ones(self.instructions, words, &mut self.counts);
            for (mean, &count) in means.iter_mut().zip(&self.counts) {
                *mean = (2.0 / DECIMATION as f32) * count as f32 - 1.0;
            }
        }
        self.sums.compute(&self.values, amplitudes);
        Ok(())
    }

    fn bit_weights(&self, bin: usize) -> Vec<Complex64> {
        let (centre, response) = self.mean.centre_and_response(&self.frame, bin);
        let samples = self.frame.weights(bin, centre, response);
        self.frame
            .weights_through(&samples, &self.mean.impulse(), 0)
    }
}
