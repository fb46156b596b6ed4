//! Decimation by a cascaded integrator–comb (CIC) filter: an n-fold running mean of the bits.

use std::f64::consts::PI;

use wavefield_numerics::simd::InstructionSet;

use super::frame::Frame;
use crate::array::Packing;
use crate::error::{Error, long_as, within};
use crate::kernels::comb::{Cascade, Sample};

/// Maximum order: samples, integers up to 32⁵, have a relative rounding error of 10⁻⁷ in single precision.
const MAX_ORDER: usize = 5;

/// CIC filter: an n-fold running mean over R clock cycles, decimated by R.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CicDecimator {
    order: usize,
    decimation: usize,
}

impl CicDecimator {
    /// Creates a CIC filter of order 1 to 5 with a decimation factor of 2 to 32.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] for any other order or factor.
    pub fn new(order: usize, decimation: usize) -> Result<Self, Error> {
        within(
            "the order of the CIC filter",
            order as f64,
            1.0,
            MAX_ORDER as f64,
        )?;
        within(
            "the decimation factor of the CIC filter",
            decimation as f64,
            2.0,
            32.0,
        )?;
        Ok(Self { order, decimation })
    }

    /// Returns the order n.
    pub fn order(&self) -> usize {
        self.order
    }

    /// Returns the decimation factor R.
    pub fn decimation(&self) -> usize {
        self.decimation
    }

    /// Returns the impulse response, the latest clock cycle first: the n-fold convolution of R ones.
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

    /// Returns the impulse response normalized by its sum, the latest bit first.
    pub(super) fn impulse(&self) -> Vec<f64> {
        let weights = self.weights().into_iter();
        weights.map(|weight| weight as f64 / self.gain()).collect()
    }

    /// Returns the DC gain Rⁿ, the sum of the impulse response.
    pub fn gain(&self) -> f64 {
        (self.decimation as f64).powi(self.order as i32)
    }

    /// Returns the group delay from the center of the impulse response to the clock cycle after the last, in clock
    /// cycles.
    pub fn delay(&self) -> f64 {
        (self.order * (self.decimation - 1)) as f64 / 2.0 + 1.0
    }

    /// Returns the length of the impulse response, clock cycles.
    pub fn support(&self) -> usize {
        self.order * (self.decimation - 1) + 1
    }

    /// Returns the gain relative to DC, (sin πRf / R sin πf)ⁿ, at a frequency relative to the clock rate.
    pub fn response(&self, frequency: f64) -> f64 {
        let r = self.decimation as f64;
        let below = r * (PI * frequency).sin();
        if below.abs() < 1e-12 {
            return 1.0;
        }
        ((PI * frequency * r).sin() / below).powi(self.order as i32)
    }

    /// Returns the clock cycle to which the first sample of a frame refers, and the gain at a bin.
    pub(super) fn center_and_response(&self, frame: &Frame, bin: usize) -> (f64, f64) {
        (
            self.decimation as f64 - self.delay(),
            self.response(bin as f64 / frame.clocks() as f64),
        )
    }

    /// Creates the decimator for all channels of an array.
    pub fn decimator(&self, packing: Packing) -> Decimator {
        let words = packing.words();
        let cascades: Box<dyn Stage> = match self.order {
            1 => Stages::<Cascade<u16, 1>>::boxed(words),
            2 => Stages::<Cascade<u16, 2>>::boxed(words),
            3 => Stages::<Cascade<u16, 3>>::boxed(words),
            // 16 bits hold 16⁴ − 1; the one larger value, from a run of ones, is recognized by its last clock cycles.
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

/// A CIC filter with the state of all channels.
pub struct Decimator {
    filter: CicDecimator,
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
    /// Returns the number of channels.
    pub fn channels(&self) -> usize {
        32 * self.words
    }

    /// Resets the state to that after an input of zeros.
    pub fn reset(&mut self) {
        self.cascades.reset();
    }

    /// Filters clock cycles, a multiple of the decimation factor, and writes the samples of all channels relative to
    /// full scale, sample after sample, in the order of the bits.
    ///
    /// # Errors
    /// Returns [`Error::Length`] if the lengths of words and samples do not match.
    pub fn decimate(&mut self, words: &[u32], samples: &mut [f32]) -> Result<(), Error> {
        let block = self.words * self.filter.decimation;
        let channels = self.channels();
        long_as(
            "the decimator input",
            samples.len() / channels * block,
            words.len(),
        )?;
        long_as(
            "the decimator output",
            words.len() / block * channels,
            samples.len(),
        )?;
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
        // Bits 0 and 1 represent −1 and +1.
        C::sample(self.instructions, &mut self.cascades, words, scale, samples);
    }
}
