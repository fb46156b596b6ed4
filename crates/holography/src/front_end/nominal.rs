//! The nominal front end: cascaded combs, compensation, Hann's window, an FFT of every channel.

use std::f64::consts::TAU;
use std::sync::Arc;

use num_complex::{Complex32, Complex64};
use realfft::{RealFftPlanner, RealToComplex};

use super::FrontEnd;
use super::comb_filter::{CombFilter, Decimator};
use super::compensation::{Compensation, HALVING};
use super::frame::{DECIMATION, Frame};
use crate::error::Error;
use crate::kernels::Instructions;
use crate::kernels::partial::filtered;

/// Order of the combs.
const ORDER: usize = 4;

/// Decimated and compensated samples of all channels.
pub(super) struct Samples {
    frame: Frame,
    combs: CombFilter,
    decimator: Decimator,
    compensation: Compensation,
    taps: Vec<f32>,
    instructions: Instructions,
    /// Output of the combs over lead-in and frame.
    fast: Vec<f32>,
}

impl Samples {
    pub(super) fn new(frame: Frame) -> Result<Self, Error> {
        let combs = CombFilter::new(ORDER, DECIMATION / HALVING)?;
        let compensation = Compensation::new(&combs);
        let mut samples = Self {
            decimator: combs.decimator(frame.packing()),
            taps: compensation.taps().iter().map(|&tap| tap as f32).collect(),
            instructions: Instructions::widest(),
            fast: Vec::new(),
            frame,
            combs,
            compensation,
        };
        let clocks = samples.lead_in() + samples.frame.clocks();
        samples.fast = vec![0.0; clocks / combs.decimation() * samples.frame.packing().channels()];
        Ok(samples)
    }

    /// Whole samples before the frame that fill combs and taps.
    pub(super) fn lead_in(&self) -> usize {
        let filled = self.combs.support() + (self.taps.len() - 1) * self.combs.decimation();
        (filled - DECIMATION).next_multiple_of(DECIMATION)
    }

    pub(super) fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Clock for which the first sample of the frame stands, and the gain at a bin.
    pub(super) fn centre_and_response(&self, bin: usize) -> (f64, f64) {
        let r = self.combs.decimation() as f64;
        let taps_delay = (self.taps.len() / 2) as f64 * r;
        let centre = DECIMATION as f64 - self.combs.delay() - taps_delay;
        let frequency = bin as f64 / self.frame.clocks() as f64;
        let response = self.combs.response(frequency) * self.compensation.response(frequency * r);
        (centre, response)
    }

    /// What each bit weighs in the amplitude at a bin: taps of combs, one after the other.
    pub(super) fn bit_weights(&self, bin: usize) -> Vec<Complex64> {
        let (combs, apart) = (self.combs.impulse(), self.combs.decimation());
        let mut impulse = vec![0.0; combs.len() + (self.taps.len() - 1) * apart];
        for (i, tap) in self.compensation.taps().iter().enumerate() {
            for (sum, response) in impulse[i * apart..].iter_mut().zip(&combs) {
                *sum += tap * response;
            }
        }
        let (centre, response) = self.centre_and_response(bin);
        let samples = self.frame.weights(bin, centre, response);
        self.frame
            .weights_through(&samples, &impulse, self.lead_in())
    }

    /// Writes the samples of the frame, all channels of the first, then of the second.
    pub(super) fn compute(&mut self, words: &[u32], samples: &mut [f32]) -> Result<(), Error> {
        let channels = self.frame.packing().channels();
        self.decimator.reset();
        self.decimator.decimate(words, &mut self.fast)?;
        let first = self.lead_in() / self.combs.decimation() + HALVING - self.taps.len();
        for (i, sample) in samples.chunks_exact_mut(channels).enumerate() {
            let from = (first + HALVING * i) * channels;
            let rows = &self.fast[from..from + self.taps.len() * channels];
            filtered(self.instructions, rows, &self.taps, sample);
        }
        Ok(())
    }
}

/// Cascaded combs, compensation, Hann's window, and the whole spectrum of every channel by FFT.
pub struct Nominal {
    samples: Samples,
    values: Vec<f32>,
    hann: Vec<f32>,
    fft: Arc<dyn RealToComplex<f32>>,
    line: Vec<f32>,
    spectrum: Vec<Complex32>,
    scratch: Vec<Complex32>,
}

impl std::fmt::Debug for Nominal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Nominal")
            .field("frame", self.samples.frame())
            .finish_non_exhaustive()
    }
}

impl Nominal {
    /// The front end for a frame.
    ///
    /// # Errors
    /// None for a frame that was made.
    pub fn new(frame: Frame) -> Result<Self, Error> {
        let n = frame.samples();
        let fft = RealFftPlanner::new().plan_fft_forward(n);
        Ok(Self {
            values: vec![0.0; n * frame.packing().channels()],
            hann: (0..n)
                .map(|i| (0.5 - 0.5 * (TAU * i as f64 / n as f64).cos()) as f32)
                .collect(),
            line: fft.make_input_vec(),
            spectrum: fft.make_output_vec(),
            scratch: fft.make_scratch_vec(),
            fft,
            samples: Samples::new(frame)?,
        })
    }
}

impl FrontEnd for Nominal {
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
        let frame = self.samples.frame();
        let packing = frame.packing();
        let channels = packing.channels();
        let factors: Vec<Complex64> = frame
            .bins()
            .iter()
            .map(|&bin| {
                let (centre, response) = self.samples.centre_and_response(bin);
                // The first weight without its window, which vanishes there.
                let scale = 2.0 / (0.5 * frame.samples() as f64 * response);
                let turn = bin as f64 * centre / frame.clocks() as f64;
                Complex64::from_polar(scale, -TAU * turn)
            })
            .collect();
        for place in 0..channels {
            for ((x, row), w) in self
                .line
                .iter_mut()
                .zip(self.values.chunks_exact(channels))
                .zip(&self.hann)
            {
                *x = row[place] * w;
            }
            // The lengths are right by construction, which is all this can complain about.
            let _ = self.fft.process_with_scratch(
                &mut self.line,
                &mut self.spectrum,
                &mut self.scratch,
            );
            let channel = packing.channel_at(place);
            for (i, (&bin, factor)) in frame.bins().iter().zip(&factors).enumerate() {
                let value = self.spectrum[bin];
                amplitudes[i * channels + channel] =
                    factor * Complex64::new(value.re.into(), value.im.into());
            }
        }
        Ok(())
    }
}
