//! Amplitudes as weighted sums of decimated samples, common to averaging, dot products, and truncated Walsh series.
//!
//! The frame is divided into segments of fixed length, each with its own CIC filter that settles before the segment
//! begins. Segments are distributed over threads and their sums are added in order, so that results are bitwise
//! identical for any number of threads. Within a segment a few samples at a time are computed and weighted while they
//! are in cache.

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_numerics::simd::InstructionSet;

use super::cic::{CicDecimator, Decimator};
use crate::array::Packing;
use crate::error::Error;
use crate::kernels::partial::weighted_sums;

/// Number of segments of a frame.
pub(super) const STRETCHES: usize = 4;

/// Samples computed before they are weighted: those of 1024 channels take 64 kB.
const TOGETHER: usize = 16;

/// Weighted sums over the samples of a CIC filter, one for each bin.
pub(super) struct DecimatedSums {
    packing: Packing,
    /// Weights of all samples, by bin.
    weights: Vec<Vec<[f32; 2]>>,
    stretches: Vec<Stretch>,
    /// Channel of each bit of a clock cycle.
    channels: Vec<usize>,
}

/// A segment of the frame.
struct Stretch {
    /// Sample range of the segment.
    samples: std::ops::Range<usize>,
    /// Number of samples before the first during which the filter settles.
    filling: usize,
    decimation: usize,
    decimator: Decimator,
    values: Vec<f32>,
    new: Vec<f32>,
    /// Real and imaginary parts of all channels, by bin.
    totals: Vec<f64>,
    instructions: InstructionSet,
}

impl DecimatedSums {
    /// Creates the sums with these weights over the samples that the filter computes from its input, for each bin.
    pub(super) fn new(
        packing: Packing,
        filter: &CicDecimator,
        weights: Vec<Vec<[f32; 2]>>,
    ) -> Self {
        let samples = weights.first().map_or(0, Vec::len);
        // Samples of zero weight before the frame are computed only for the filter to settle.
        let first = weights
            .iter()
            .filter_map(|weights| weights.iter().position(|w| *w != [0.0; 2]))
            .min()
            .unwrap_or(0);
        let filling = (filter.support() - 1) / filter.decimation();
        let channels = packing.channels();
        let edge = |number: usize| first + (samples - first) * number / STRETCHES;
        let stretches = (0..STRETCHES)
            .map(|number| Stretch {
                samples: edge(number)..edge(number + 1),
                filling: filling.min(edge(number)),
                decimation: filter.decimation(),
                decimator: filter.decimator(packing),
                values: vec![0.0; TOGETHER * channels],
                new: vec![0.0; 2 * channels],
                totals: vec![0.0; 2 * channels * weights.len()],
                instructions: InstructionSet::widest(),
            })
            .collect();
        Self {
            packing,
            weights,
            stretches,
            channels: (0..channels)
                .map(|place| packing.channel_at(place))
                .collect(),
        }
    }

    /// Writes the sums over all clock cycles, bin after bin.
    ///
    /// # Errors
    /// Returns [`Error::Length`] if there are too few clock cycles.
    pub(super) fn compute(
        &mut self,
        words: &[u32],
        amplitudes: &mut [Complex64],
    ) -> Result<(), Error> {
        let (per_clock, weights) = (self.packing.words(), &self.weights);
        self.stretches
            .par_iter_mut()
            .map(|stretch| stretch.compute(words, per_clock, weights))
            .collect::<Result<(), Error>>()?;
        let channels = self.channels.len();
        for (bin, amplitudes) in amplitudes.chunks_exact_mut(channels).enumerate() {
            for (place, &channel) in self.channels.iter().enumerate() {
                let at = 2 * bin * channels + place;
                amplitudes[channel] = self
                    .stretches
                    .iter()
                    .map(|s| Complex64::new(s.totals[at], s.totals[at + channels]))
                    .sum();
            }
        }
        Ok(())
    }
}

impl Stretch {
    fn compute(
        &mut self,
        words: &[u32],
        per_clock: usize,
        weights: &[Vec<[f32; 2]>],
    ) -> Result<(), Error> {
        let sample = self.decimation * per_clock;
        let channels = self.new.len() / 2;
        self.decimator.reset();
        self.totals.fill(0.0);
        let mut next = self.samples.start - self.filling;
        while next < self.samples.start {
            let clocks = &words[next * sample..(next + 1) * sample];
            self.decimator
                .decimate(clocks, &mut self.values[..channels])?;
            next += 1;
        }
        while next < self.samples.end {
            let end = (next + TOGETHER).min(self.samples.end);
            let values = &mut self.values[..(end - next) * channels];
            self.decimator
                .decimate(&words[next * sample..end * sample], values)?;
            for (weights, totals) in weights
                .iter()
                .zip(self.totals.chunks_exact_mut(2 * channels))
            {
                weighted_sums(
                    self.instructions,
                    values,
                    &weights[next..end],
                    &mut self.new,
                );
                for (total, new) in totals.iter_mut().zip(&self.new) {
                    *total += f64::from(*new);
                }
            }
            next = end;
        }
        Ok(())
    }
}

/// Converts weights to single precision.
pub(super) fn narrowed(weights: &[Complex64]) -> Vec<[f32; 2]> {
    weights.iter().map(|w| [w.re as f32, w.im as f32]).collect()
}
