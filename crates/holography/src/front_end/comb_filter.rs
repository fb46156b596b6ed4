//! Decimation by cascaded integrators and combs: sums of bits weighted by an n-fold running mean.

use std::f64::consts::PI;

use wavefield_numerics::simd::InstructionSet;

use super::frame::Frame;
use crate::array::Packing;
use crate::error::{Error, long_as, within};
use crate::kernels::comb::{Cascade, Sample};

/// Highest order: its samples, integers up to 32⁵, are rounded by single precision to a part in 10⁷.
const MOST_ORDER: usize = 5;

/// An n-fold running mean over R clocks, of which every R-th value is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CombFilter {
    order: usize,
    decimation: usize,
}

impl CombFilter {
    /// A filter of order 1 to 5 that keeps one value of 2 to 32.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for any other.
    pub fn new(order: usize, decimation: usize) -> Result<Self, Error> {
        within(
            "the order of a comb filter",
            order as f64,
            1.0,
            MOST_ORDER as f64,
        )?;
        within(
            "the decimation of a comb filter",
            decimation as f64,
            2.0,
            32.0,
        )?;
        Ok(Self { order, decimation })
    }

    /// The order n.
    pub fn order(&self) -> usize {
        self.order
    }

    /// Clocks for each sample, R.
    pub fn decimation(&self) -> usize {
        self.decimation
    }

    /// Weights of the clocks in a sample, the latest first: n-fold convolution of R ones.
    pub fn weights(&self) -> Vec<u64> {
        let mut weights = vec![1];
        for _ in 0..self.order {
            let mut wider = vec![0; weights.len() + self.decimation - 1];
            for (i, weight) in weights.iter().enumerate() {
                for sum in &mut wider[i..i + self.decimation] {
                    *sum += weight;
                }
            }
            weights = wider;
        }
        weights
    }

    /// Response of a sample to single bits, the latest first: the weights over their sum.
    pub(super) fn impulse(&self) -> Vec<f64> {
        let weights = self.weights().into_iter();
        weights.map(|weight| weight as f64 / self.gain()).collect()
    }

    /// Sum of the weights, Rⁿ: the sample of a full-scale pressure.
    pub fn gain(&self) -> f64 {
        (self.decimation as f64).powi(self.order as i32)
    }

    /// Clocks between a sample's centre and the clock after its last.
    pub fn delay(&self) -> f64 {
        (self.order * (self.decimation - 1)) as f64 / 2.0 + 1.0
    }

    /// Clocks a sample depends on.
    pub fn support(&self) -> usize {
        self.order * (self.decimation - 1) + 1
    }

    /// Gain relative to zero frequency, (sin πRf / R sin πf)ⁿ, at a frequency given as a part of the clock rate.
    pub fn response(&self, frequency: f64) -> f64 {
        let r = self.decimation as f64;
        let below = r * (PI * frequency).sin();
        if below.abs() < 1e-12 {
            return 1.0;
        }
        ((PI * frequency * r).sin() / below).powi(self.order as i32)
    }

    /// Clock for which the first sample of a frame stands, and the gain at a bin, when this filter makes its samples.
    pub(super) fn centre_and_response(&self, frame: &Frame, bin: usize) -> (f64, f64) {
        (
            self.decimation as f64 - self.delay(),
            self.response(bin as f64 / frame.clocks() as f64),
        )
    }

    /// A filter of this kind for all channels of an array.
    pub fn decimator(&self, packing: Packing) -> Decimator {
        let words = packing.words();
        let cascades: Box<dyn Stage> = match self.order {
            1 => Stages::<Cascade<u16, 1>>::boxed(words),
            2 => Stages::<Cascade<u16, 2>>::boxed(words),
            3 => Stages::<Cascade<u16, 3>>::boxed(words),
            // Sixteen bits hold 16⁴ − 1; the sample of ones alone is known by its last clocks.
            4 if self.decimation <= 16 => Stages::<Cascade<u16, 4>>::boxed(words),
            4 => Stages::<Cascade<u32, 4>>::boxed(words),
            _ => Stages::<Cascade<u32, 5>>::boxed(words),
        };
        Decimator {
            filter: *self,
            words,
            cascades,
        }
    }
}

/// A comb filter at work on all channels.
pub struct Decimator {
    filter: CombFilter,
    words: usize,
    cascades: Box<dyn Stage>,
}

impl std::fmt::Debug for Decimator {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Decimator")
            .field("filter", &self.filter)
            .field("words", &self.words)
            .finish_non_exhaustive()
    }
}

impl Decimator {
    /// Number of channels.
    pub fn channels(&self) -> usize {
        32 * self.words
    }

    /// Forgets everything: as if only zeros had been sent before.
    pub fn reset(&mut self) {
        self.cascades.reset();
    }

    /// Takes in clocks, a multiple of the decimation, and writes the samples of all channels, sample after sample, in
    /// the order of the bits, in full scales.
    ///
    /// # Errors
    /// [`Error::Length`] when words and samples do not match.
    pub fn decimate(&mut self, words: &[u32], samples: &mut [f32]) -> Result<(), Error> {
        let block = self.words * self.filter.decimation;
        let channels = self.channels();
        long_as(
            "words to decimate",
            samples.len() / channels * block,
            words.len(),
        )?;
        long_as("samples", words.len() / block * channels, samples.len())?;
        let scale = 2.0 / self.filter.gain() as f32;
        for (words, samples) in words
            .chunks_exact(block)
            .zip(samples.chunks_exact_mut(channels))
        {
            self.cascades.sample(words, scale, samples);
        }
        Ok(())
    }
}

/// Cascades of some order for all channels.
trait Stage: Send {
    fn reset(&mut self);
    fn sample(&mut self, words: &[u32], scale: f32, samples: &mut [f32]);
}

struct Stages<C: Sample> {
    instructions: InstructionSet,
    cascades: Vec<C>,
}

impl<C: Sample + Send + 'static> Stages<C> {
    fn boxed(words: usize) -> Box<dyn Stage> {
        Box::new(Self {
            instructions: InstructionSet::widest(),
            cascades: vec![C::default(); words],
        })
    }
}

impl<C: Sample + Send> Stage for Stages<C> {
    fn reset(&mut self) {
        self.cascades.fill(C::default());
    }

    fn sample(&mut self, words: &[u32], scale: f32, samples: &mut [f32]) {
        // Bits 0 and 1 stand for −1 and +1.
        C::sample(self.instructions, &mut self.cascades, words, scale, samples);
    }
}
