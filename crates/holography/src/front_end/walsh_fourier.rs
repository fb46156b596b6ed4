//! The Walsh–Fourier front end: Fourier coefficients of raw bits from a few of their Walsh coefficients, or from all.
//!
//! The weights of a bin, Hann's window times the wave, are written as a sum of Walsh functions; the amplitude is the
//! same sum of the bits' Walsh coefficients. With all of them it is the Fourier transform of the bits. Nearly all of the
//! largest are constant over the 32 bits of a sample, and a few terms are taken from these alone: then it is enough to
//! count the ones of 32 bits and to transform the counts, which is less work than to compare the bits with each function.

use num_complex::Complex64;

use super::FrontEnd;
use super::frame::{DECIMATION, Frame};
use super::walsh::{hadamard, hadamard_index, walsh_transform};
use crate::error::Error;
use crate::kernels::Instructions;
use crate::kernels::hadamard::transform;
use crate::kernels::transpose::{channel_bits, count_ones};

/// Channels transformed side by side.
const LANES: usize = 32;

/// Which Walsh coefficients the parts of an amplitude are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terms {
    /// So many of the largest for the real part, and as many for the imaginary part, among those constant over a sample.
    Largest(usize),
    /// All: the Fourier transform of the bits.
    All,
}

/// A Walsh coefficient's place in Hadamard's order, and its weight.
type Term = (usize, f64);

/// Fourier coefficients by way of Walsh coefficients.
pub struct WalshFourier {
    frame: Frame,
    /// For each bin, the terms of the real and of the imaginary part.
    terms: Vec<[Vec<Term>; 2]>,
    /// Whether counts of ones are enough, all terms being constant over a sample's bits.
    by_samples: bool,
    /// Points of the transform, 32 channels side by side.
    series: Vec<i32>,
    /// Bits or counts of ones, all channels of the first 32 clocks, then of the next.
    bits: Vec<u32>,
    instructions: Instructions,
}

impl std::fmt::Debug for WalshFourier {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("WalshFourier")
            .field("frame", &self.frame)
            .field("by_samples", &self.by_samples)
            .finish_non_exhaustive()
    }
}

impl WalshFourier {
    /// The front end for a frame.
    ///
    /// # Errors
    /// [`Error::Nothing`] when no terms are asked for.
    pub fn new(frame: Frame, terms: Terms) -> Result<Self, Error> {
        if terms == Terms::Largest(0) {
            return Err(Error::Nothing {
                what: "the Walsh coefficients of an amplitude",
            });
        }
        let clocks = frame.clocks();
        let expansions = frame
            .bins()
            .iter()
            .map(|&bin| {
                let weights = frame.bit_weights(bin);
                let part = |part: fn(&Complex64) -> f64| {
                    walsh_transform(&weights.iter().map(part).collect::<Vec<f64>>())
                        .map(|expansion| chosen(&expansion, terms, frame.samples()))
                };
                Ok([part(|w| w.re)?, part(|w| w.im)?])
            })
            .collect::<Result<Vec<_>, Error>>()?;
        let by_samples = terms != Terms::All;
        let points = if by_samples { frame.samples() } else { clocks };
        let exponent = points.trailing_zeros();
        let terms = expansions
            .into_iter()
            .map(|parts| {
                parts.map(|part| {
                    part.into_iter()
                        .map(|(index, weight)| (hadamard_index(index, exponent), weight))
                        .collect()
                })
            })
            .collect();
        let channels = frame.packing().channels();
        Ok(Self {
            terms,
            by_samples,
            series: vec![0; points * LANES],
            bits: vec![0; frame.samples() * channels],
            instructions: Instructions::widest(),
            frame,
        })
    }
}

/// The terms of an expansion to be summed, by index; the first `samples` functions are constant over a sample's bits.
fn chosen(expansion: &[f64], terms: Terms, samples: usize) -> Vec<Term> {
    let all = expansion.iter().copied().enumerate();
    match terms {
        Terms::All => all.collect(),
        Terms::Largest(count) => {
            let mut largest: Vec<Term> = all.take(samples).collect();
            largest.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
            largest.truncate(count);
            largest.sort_by_key(|term| term.0);
            largest
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
        // Hadamard's matrix is symmetric: the transform of the terms is what each point weighs.
        let points = self.series.len() / LANES;
        let [re, im] = &self.terms[index];
        let [re, im] = [re, im].map(|terms| {
            let mut weights = vec![0.0; points];
            for &(place, weight) in terms {
                weights[place] = weight;
            }
            hadamard(&mut weights);
            weights
        });
        let per_point = clocks / points;
        (0..clocks)
            .map(|clock| Complex64::new(re[clock / per_point], im[clock / per_point]))
            .collect()
    }

    fn amplitudes(&mut self, words: &[u32], amplitudes: &mut [Complex64]) -> Result<(), Error> {
        self.frame.check(0, words, amplitudes)?;
        let packing = self.frame.packing();
        let channels = packing.channels();
        for (words, bits) in words
            .chunks_exact(DECIMATION * packing.words())
            .zip(self.bits.chunks_exact_mut(channels))
        {
            if self.by_samples {
                count_ones(self.instructions, words, bits);
            } else {
                channel_bits(self.instructions, words, bits);
            }
        }
        for first in (0..channels).step_by(LANES) {
            let rows = self
                .bits
                .chunks_exact(channels)
                .map(|row| &row[first..first + LANES]);
            if self.by_samples {
                for (series, counts) in self.series.chunks_exact_mut(LANES).zip(rows) {
                    for (x, &count) in series.iter_mut().zip(counts) {
                        *x = 2 * count as i32 - DECIMATION as i32;
                    }
                }
            } else {
                for (series, bits) in self.series.chunks_exact_mut(DECIMATION * LANES).zip(rows) {
                    for (bit, series) in series.chunks_exact_mut(LANES).enumerate() {
                        for (x, &bits) in series.iter_mut().zip(bits) {
                            *x = 2 * (bits >> bit & 1) as i32 - 1;
                        }
                    }
                }
            }
            transform(self.instructions, &mut self.series, LANES);
            for lane in 0..LANES {
                let channel = packing.channel_at(first + lane);
                for (bin, parts) in self.terms.iter().enumerate() {
                    let [re, im] = [0, 1].map(|part: usize| {
                        parts[part]
                            .iter()
                            .map(|&(index, weight)| {
                                weight * f64::from(self.series[index * LANES + lane])
                            })
                            .sum::<f64>()
                    });
                    amplitudes[bin * channels + channel] = Complex64::new(re, im);
                }
            }
        }
        Ok(())
    }
}
