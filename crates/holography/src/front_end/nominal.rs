//! Nominal front end: CIC filter, compensation, Hann window, and an FFT of every channel.
//!
//! Samples are computed by segments of time, spectra by groups of channels; both are distributed over threads.

use std::f64::consts::TAU;
use std::sync::Arc;

use num_complex::{Complex32, Complex64};
use rayon::prelude::*;
use realfft::RealToComplex;
use wavefield_numerics::fft::Real as _;
use wavefield_numerics::simd::InstructionSet;

use super::FrontEnd;
use super::cic::{CicDecimator, Decimator};
use super::compensation::{Compensation, HALVING};
use super::decimated_sums::STRETCHES;
use super::frame::{DECIMATION, Frame};
use crate::error::Error;
use crate::kernels::partial::{Rows, filtered};

/// Order of the CIC filter.
const ORDER: usize = 4;

/// Channels per group of spectra.
const GROUP: usize = 32;

/// Padding between rows of samples: see [`Rows`].
const GAP: usize = 16;

/// Decimation filters.
pub(super) struct Filters {
    pub(super) combs: CicDecimator,
    pub(super) compensation: Compensation,
}

impl Filters {
    pub(super) fn new() -> Result<Self, Error> {
        let combs = CicDecimator::new(ORDER, DECIMATION / HALVING)?;
        Ok(Self {
            compensation: Compensation::new(&combs),
            combs,
        })
    }

    /// Returns the number of clock cycles before the frame during which the filters settle, a multiple of a sample.
    pub(super) fn lead_in(&self) -> usize {
        let taps = self.compensation.taps().len();
        let filled = self.combs.support() + (taps - 1) * self.combs.decimation();
        (filled - DECIMATION).next_multiple_of(DECIMATION)
    }

    /// Returns the CIC sample at the first tap of the first sample of the frame.
    pub(super) fn first_sample(&self) -> usize {
        let taps = self.compensation.taps().len();
        self.lead_in() / self.combs.decimation() + HALVING - taps
    }

    /// Returns the clock cycle to which the first sample of the frame refers, and the gain at a bin.
    pub(super) fn center_and_response(&self, frame: &Frame, bin: usize) -> (f64, f64) {
        let r = self.combs.decimation() as f64;
        let taps_delay = (self.compensation.taps().len() / 2) as f64 * r;
        let center = DECIMATION as f64 - self.combs.delay() - taps_delay;
        let frequency = bin as f64 / frame.clocks() as f64;
        let response = self.combs.response(frequency) * self.compensation.response(frequency * r);
        (center, response)
    }

    /// Returns the weight of each bit of lead-in and frame in the amplitude at a bin: the convolved impulse responses.
    pub(super) fn bit_weights(&self, frame: &Frame, bin: usize) -> Vec<Complex64> {
        let (combs, apart) = (self.combs.impulse(), self.combs.decimation());
        let taps = self.compensation.taps();
        let mut impulse = vec![0.0; combs.len() + (taps.len() - 1) * apart];
        for (i, tap) in taps.iter().enumerate() {
            for (sum, response) in impulse[i * apart..].iter_mut().zip(&combs) {
                *sum += tap * response;
            }
        }
        let (center, response) = self.center_and_response(frame, bin);
        let samples = frame.weights(bin, center, response);
        frame.weights_through(&samples, &impulse, self.lead_in())
    }
}

/// A segment of the frame, with its filter state.
struct Stretch {
    /// First CIC sample required, and number of samples before it during which the filter settles.
    first: usize,
    filling: usize,
    decimator: Decimator,
    /// CIC samples, with padding between their rows.
    fast: Vec<f32>,
}

/// A group of channels, with its FFT buffers.
struct Spectra {
    line: Vec<f32>,
    spectrum: Vec<Complex32>,
    scratch: Vec<Complex32>,
    /// Spectrum at the bins of interest, channel after channel.
    found: Vec<Complex32>,
}

/// CIC filter, compensation, Hann window, and the FFT of every channel.
pub struct Nominal {
    frame: Frame,
    filters: Filters,
    taps: Vec<f32>,
    stretches: Vec<Stretch>,
    /// Samples of the frame: all channels of the first, then of the second.
    values: Vec<f32>,
    hann: Vec<f32>,
    fft: Arc<dyn RealToComplex<f32>>,
    groups: Vec<Spectra>,
    /// Factor of the spectrum for each bin.
    factors: Vec<Complex64>,
    instructions: InstructionSet,
}

impl std::fmt::Debug for Nominal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Nominal")
            .field("frame", &self.frame)
            .finish_non_exhaustive()
    }
}

impl Nominal {
    /// Creates the front end for a frame.
    ///
    /// # Errors
    /// None for a valid frame.
    pub fn new(frame: Frame) -> Result<Self, Error> {
        let filters = Filters::new()?;
        let (n, packing) = (frame.samples(), frame.packing());
        let channels = packing.channels();
        let (fft, _) = f32::plan_real_line(n);
        let taps = filters.compensation.taps();
        let filling = (filters.combs.support() - 1) / filters.combs.decimation();
        let stretches = (0..STRETCHES)
            .map(|number| {
                let first = filters.first_sample() + HALVING * n / STRETCHES * number;
                let rows = HALVING * (n / STRETCHES - 1) + taps.len();
                Stretch {
                    first,
                    filling: filling.min(first),
                    decimator: filters.combs.decimator(packing),
                    fast: vec![0.0; rows * (channels + GAP)],
                }
            })
            .collect();
        let groups = (0..channels / GROUP)
            .map(|_| Spectra {
                line: fft.make_input_vec(),
                spectrum: fft.make_output_vec(),
                scratch: fft.make_scratch_vec(),
                found: vec![Complex32::new(0.0, 0.0); GROUP * frame.bins().len()],
            })
            .collect();
        let factors = frame
            .bins()
            .iter()
            .map(|&bin| {
                let (center, response) = filters.center_and_response(&frame, bin);
                // The first weight, without the window, which vanishes there.
                let scale = 2.0 / (0.5 * n as f64 * response);
                let turn = bin as f64 * center / frame.clocks() as f64;
                Complex64::from_polar(scale, -TAU * turn)
            })
            .collect();
        Ok(Self {
            taps: taps.iter().map(|&tap| tap as f32).collect(),
            stretches,
            values: vec![0.0; n * channels],
            hann: (0..n)
                .map(|i| (0.5 - 0.5 * (TAU * i as f64 / n as f64).cos()) as f32)
                .collect(),
            groups,
            factors,
            fft,
            instructions: InstructionSet::widest(),
            filters,
            frame,
        })
    }
}

impl Stretch {
    /// Writes the samples of the segment: all channels of the first, then of the second.
    fn compute(
        &mut self,
        words: &[u32],
        decimation: usize,
        taps: &[f32],
        instructions: InstructionSet,
        values: &mut [f32],
    ) -> Result<(), Error> {
        let stride = self.decimator.channels() + GAP;
        let channels = self.decimator.channels();
        let sample = decimation * channels / 32;
        self.decimator.reset();
        // Rows computed while the filter settles are overwritten by the first valid row.
        let filling = (0..self.filling).map(|_| 0);
        let counting = 0..self.fast.len() / stride;
        let start = self.first - self.filling;
        for (i, row) in filling.chain(counting).enumerate() {
            let clocks = &words[(start + i) * sample..(start + i + 1) * sample];
            let row = &mut self.fast[row * stride..row * stride + channels];
            self.decimator.decimate(clocks, row)?;
        }
        let rows = Rows {
            samples: &self.fast,
            stride,
        };
        filtered(instructions, rows, taps, HALVING, channels, values);
        Ok(())
    }
}

impl FrontEnd for Nominal {
    fn frame(&self) -> &Frame {
        &self.frame
    }

    fn lead_in(&self) -> usize {
        self.filters.lead_in()
    }

    fn bit_weights(&self, bin: usize) -> Vec<Complex64> {
        self.filters.bit_weights(&self.frame, bin)
    }

    fn amplitudes(&mut self, words: &[u32], amplitudes: &mut [Complex64]) -> Result<(), Error> {
        self.frame.check(self.lead_in(), words, amplitudes)?;
        let channels = self.frame.packing().channels();
        let part = self.values.len() / STRETCHES;
        let decimation = self.filters.combs.decimation();
        let (taps, instructions) = (&self.taps, self.instructions);
        self.stretches
            .par_iter_mut()
            .zip(self.values.par_chunks_exact_mut(part))
            .map(|(stretch, values)| stretch.compute(words, decimation, taps, instructions, values))
            .collect::<Result<(), Error>>()?;
        let (values, hann, fft, bins) = (&self.values, &self.hann, &self.fft, self.frame.bins());
        self.groups
            .par_iter_mut()
            .enumerate()
            .for_each(|(group, spectra)| {
                for lane in 0..GROUP {
                    let rows = values.chunks_exact(channels).zip(hann);
                    for (x, (row, w)) in spectra.line.iter_mut().zip(rows) {
                        *x = row[group * GROUP + lane] * w;
                    }
                    // The lengths match by construction, so that the transform cannot fail.
                    let _ = fft.process_with_scratch(
                        &mut spectra.line,
                        &mut spectra.spectrum,
                        &mut spectra.scratch,
                    );
                    for (i, &bin) in bins.iter().enumerate() {
                        spectra.found[lane * bins.len() + i] = spectra.spectrum[bin];
                    }
                }
            });
        for (group, spectra) in self.groups.iter().enumerate() {
            for (lane, found) in spectra.found.chunks_exact(bins.len()).enumerate() {
                let channel = self.frame.packing().channel_at(group * GROUP + lane);
                for (i, (value, factor)) in found.iter().zip(&self.factors).enumerate() {
                    amplitudes[i * channels + channel] =
                        factor * Complex64::new(value.re.into(), value.im.into());
                }
            }
        }
        Ok(())
    }
}
