//! Walsh–Fourier front end: Fourier coefficients of the bits from a few or all of their Walsh coefficients.
//!
//! The weights of a bin, the Hann window times the wave, are expanded in Walsh functions; the amplitude is the same sum
//! of the Walsh coefficients of the bits. With all coefficients it equals the discrete Fourier transform. Nearly all of
//! the largest functions are constant over the 32 bits of a sample, and truncated series are taken from these alone.
//! Their sum is one step function with a step for each sample, and the amplitude is its dot product with the means of
//! 32 bits: equal to the sum of separate population counts at the cost of one.

use num_complex::Complex64;
use wavefield_numerics::simd::InstructionSet;

use super::FrontEnd;
use super::cic::CicDecimator;
use super::decimated_sums::{DecimatedSums, narrowed};
use super::frame::{DECIMATION, Frame};
use super::walsh::{hadamard_index, walsh, walsh_transform};
use crate::error::Error;
use crate::kernels::hadamard::transform;
use crate::kernels::transpose::channel_bits;

/// Channels transformed side by side.
const LANES: usize = 32;

/// Walsh coefficients from which an amplitude is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terms {
    /// Number of largest coefficients for the real part, and as many for the imaginary part, among the functions
    /// constant over a sample.
    Largest(usize),
    /// All coefficients, equivalent to the discrete Fourier transform.
    All,
}

/// Index and weight of a Walsh coefficient.
type Term = (usize, f64);

/// Front end that computes Fourier coefficients from Walsh coefficients.
pub struct WalshFourier {
    frame: Frame,
    way: Way,
}

enum Way {
    /// Truncated series of functions constant over a sample, as one step function.
    Steps(Steps),
    /// All functions, by a fast transform.
    Transform(Transform),
}

/// Step functions of all bins, and the sums over them.
struct Steps {
    /// Weights of the bits of each sample, by bin.
    weights: Vec<Vec<Complex64>>,
    sums: DecimatedSums,
}

/// All Walsh coefficients of the bits, and the amplitudes as weighted sums of them.
struct Transform {
    /// Weights of the real and of the imaginary part in Hadamard order, by bin.
    weights: Vec<[Vec<f64>; 2]>,
    /// Points of the transform, 32 channels side by side.
    series: Vec<i32>,
    /// Bits of all channels in the first 32 clock cycles, then in the next.
    bits: Vec<u32>,
    instructions: InstructionSet,
}

impl std::fmt::Debug for WalshFourier {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("WalshFourier")
            .field("frame", &self.frame)
            .field("steps", &matches!(self.way, Way::Steps(_)))
            .finish_non_exhaustive()
    }
}

impl WalshFourier {
    /// Creates the front end for a frame.
    ///
    /// # Errors
    /// Returns [`Error::Nothing`] for an empty series.
    pub fn new(frame: Frame, terms: Terms) -> Result<Self, Error> {
        if terms == Terms::Largest(0) {
            return Err(Error::Nothing {
                what: "Walsh coefficients of an amplitude",
            });
        }
        let expansions = frame
            .bins()
            .iter()
            .map(|&bin| {
                let weights = frame.bit_weights(bin);
                let part = |part: fn(&Complex64) -> f64| {
                    walsh_transform(&weights.iter().map(part).collect::<Vec<f64>>())
                };
                Ok([part(|w| w.re)?, part(|w| w.im)?])
            })
            .collect::<Result<Vec<_>, Error>>()?;
        let way = match terms {
            Terms::Largest(count) => Way::Steps(Steps::new(&frame, &expansions, count)?),
            Terms::All => Way::Transform(Transform::new(&frame, &expansions)),
        };
        Ok(Self { frame, way })
    }
}

/// Returns the largest terms of an expansion among the first `samples` functions, which are constant over a sample.
fn largest(expansion: &[f64], count: usize, samples: usize) -> Vec<Term> {
    let mut largest: Vec<Term> = expansion
        .iter()
        .copied()
        .enumerate()
        .take(samples)
        .collect();
    largest.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    largest.truncate(count);
    largest.sort_by_key(|term| term.0);
    largest
}

impl Steps {
    /// Selects the largest terms of every expansion.
    fn new(frame: &Frame, expansions: &[[Vec<f64>; 2]], count: usize) -> Result<Self, Error> {
        let samples = frame.samples();
        let exponent = samples.trailing_zeros();
        let weights: Vec<Vec<Complex64>> = expansions
            .iter()
            .map(|parts| {
                let [re, im] = [0, 1].map(|part: usize| {
                    let terms = largest(&parts[part], count, samples);
                    // The functions of a frame that are constant over a sample are the Walsh functions of the samples.
                    (0..samples).map(move |i| {
                        let values = terms
                            .iter()
                            .map(|&(index, weight)| weight * f64::from(walsh(index, exponent, i)));
                        values.sum::<f64>()
                    })
                });
                re.zip(im).map(|(re, im)| Complex64::new(re, im)).collect()
            })
            .collect();
        let of_means = |steps: &Vec<Complex64>| {
            let steps: Vec<Complex64> = steps.iter().map(|w| w * DECIMATION as f64).collect();
            narrowed(&steps)
        };
        let mean = CicDecimator::new(1, DECIMATION)?;
        let sums = weights.iter().map(of_means).collect();
        Ok(Self {
            sums: DecimatedSums::new(frame.packing(), &mean, sums),
            weights,
        })
    }
}

impl Transform {
    fn new(frame: &Frame, expansions: &[[Vec<f64>; 2]]) -> Self {
        let points = frame.clocks();
        let exponent = points.trailing_zeros();
        let weights = expansions.iter().map(|parts| {
            [0, 1].map(|part: usize| {
                let mut placed = vec![0.0; points];
                for (index, weight) in parts[part].iter().enumerate() {
                    placed[hadamard_index(index, exponent)] = *weight;
                }
                placed
            })
        });
        Self {
            weights: weights.collect(),
            series: vec![0; points * LANES],
            bits: vec![0; frame.samples() * frame.packing().channels()],
            instructions: InstructionSet::widest(),
        }
    }

    fn compute(&mut self, frame: &Frame, words: &[u32], amplitudes: &mut [Complex64]) {
        let packing = frame.packing();
        let channels = packing.channels();
        for (words, bits) in words
            .chunks_exact(DECIMATION * packing.words())
            .zip(self.bits.chunks_exact_mut(channels))
        {
            channel_bits(self.instructions, words, bits);
        }
        for first in (0..channels).step_by(LANES) {
            let rows = self
                .bits
                .chunks_exact(channels)
                .map(|row| &row[first..first + LANES]);
            for (series, bits) in self.series.chunks_exact_mut(DECIMATION * LANES).zip(rows) {
                for (bit, series) in series.chunks_exact_mut(LANES).enumerate() {
                    for (x, &bits) in series.iter_mut().zip(bits) {
                        *x = 2 * (bits >> bit & 1) as i32 - 1;
                    }
                }
            }
            transform(self.instructions, &mut self.series, LANES);
            for (bin, parts) in self.weights.iter().enumerate() {
                let [re, im] = [0, 1].map(|part: usize| {
                    let mut sums = [0.0; LANES];
                    for (weight, row) in parts[part].iter().zip(self.series.chunks_exact(LANES)) {
                        for (sum, &x) in sums.iter_mut().zip(row) {
                            *sum += weight * f64::from(x);
                        }
                    }
                    sums
                });
                for lane in 0..LANES {
                    let channel = packing.channel_at(first + lane);
                    amplitudes[bin * channels + channel] = Complex64::new(re[lane], im[lane]);
                }
            }
        }
    }
}

impl FrontEnd for WalshFourier {
    fn frame(&self) -> &Frame {
        &self.frame
    }

    fn lead_in(&self) -> usize {
        0
    }

    fn bit_weights(&self, bin: usize) -> Vec<Complex64> {
        let clocks = self.frame.clocks();
        let Some(index) = self.frame.bins().iter().position(|&other| other == bin) else {
            return vec![Complex64::new(0.0, 0.0); clocks];
        };
        match &self.way {
            Way::Steps(steps) => {
                let weights = &steps.weights[index];
                (0..clocks).map(|c| weights[c / DECIMATION]).collect()
            }
            // The complete series equals the weights that were expanded.
            Way::Transform(_) => self.frame.bit_weights(bin),
        }
    }

    fn amplitudes(&mut self, words: &[u32], amplitudes: &mut [Complex64]) -> Result<(), Error> {
        self.frame.check(0, words, amplitudes)?;
        match &mut self.way {
            Way::Steps(steps) => steps.sums.compute(words, amplitudes),
            Way::Transform(all) => {
                all.compute(&self.frame, words, amplitudes);
                Ok(())
            }
        }
    }
}
