//! Streaming front end: a sliding DFT by hops, in which every bit is read once.
//!
//! A frame of N samples slides by hops. The sum Σ y e^{−j2πln/N} over a frame is the sum over its hops, each computed
//! once, with time counted from the beginning of the bitstream; a phase factor refers it to the beginning of the frame.
//! In the frequency domain the Hann window is ½X(k) − ¼X(k−1) − ¼X(k+1). The sums are integers: subtraction of the
//! oldest hop is exact, so that spectra do not drift and are independent of earlier input.

use std::f64::consts::TAU;

use num_complex::Complex64;
use wavefield_numerics::simd::InstructionSet;

use super::FrontEnd;
use super::cic::{CicDecimator, Decimator};
use super::frame::{DECIMATION, Frame};
use crate::error::{Error, long_as};
use crate::kernels::partial::{replace, weighted_sums};

/// CIC filter by 32, then a sliding DFT by hops.
pub struct Streaming {
    frame: Frame,
    filter: CicDecimator,
    decimator: Decimator,
    /// Samples per hop.
    hop: usize,
    /// DFT lines from which the bins are computed, ascending.
    lines: Vec<usize>,
    /// Phase factors e^{−j2πn/N}.
    turns: Vec<[f32; 2]>,
    samples: Vec<f32>,
    weights: Vec<[f32; 2]>,
    new: Vec<f32>,
    /// Contributions to the sums, for each hop of the frame and each line.
    hops: Vec<i32>,
    /// Sums over the frame, by line.
    totals: Vec<i32>,
    /// Channel of each bit of a clock cycle.
    channels: Vec<usize>,
    /// Number of hops since the beginning.
    pushed: u64,
    instructions: InstructionSet,
}

impl std::fmt::Debug for Streaming {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Streaming")
            .field("frame", &self.frame)
            .field("filter", &self.filter)
            .field("hop", &self.hop)
            .field("pushed", &self.pushed)
            .finish_non_exhaustive()
    }
}

impl Streaming {
    /// Creates the front end for a frame that slides by `hop` samples, with a CIC filter of order 1 to 5.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] for another order or for a hop that does not divide the frame.
    pub fn new(frame: Frame, order: usize, hop: usize) -> Result<Self, Error> {
        let filter = CicDecimator::new(order, DECIMATION)?;
        let samples = frame.samples();
        if hop == 0 || !samples.is_multiple_of(hop) {
            return Err(Error::OutOfRange {
                what: "the number of samples in a hop, a divisor of the frame length,",
                value: hop as f64,
                least: 1.0,
                most: samples as f64,
            });
        }
        let mut lines: Vec<usize> = frame
            .bins()
            .iter()
            .flat_map(|&bin| [bin - 1, bin, bin + 1])
            .collect();
        lines.sort_unstable();
        lines.dedup();
        let channels = frame.packing().channels();
        let turns = (0..samples)
            .map(|n| {
                let turn = Complex64::cis(-TAU * n as f64 / samples as f64);
                [turn.re as f32, turn.im as f32]
            })
            .collect();
        Ok(Self {
            decimator: filter.decimator(frame.packing()),
            turns,
            samples: vec![0.0; hop * channels],
            weights: vec![[0.0; 2]; hop],
            new: vec![0.0; 2 * channels],
            hops: vec![0; samples / hop * lines.len() * 2 * channels],
            totals: vec![0; lines.len() * 2 * channels],
            channels: (0..channels)
                .map(|place| frame.packing().channel_at(place))
                .collect(),
            pushed: 0,
            instructions: InstructionSet::widest(),
            frame,
            filter,
            hop,
            lines,
        })
    }

    /// Returns the number of clock cycles in a hop.
    pub fn hop_clocks(&self) -> usize {
        self.hop * DECIMATION
    }

    /// Returns the number of hops since the beginning.
    pub fn pushed(&self) -> u64 {
        self.pushed
    }

    /// Returns whether a complete frame has been processed since the filter settled.
    pub fn is_ready(&self) -> bool {
        // The first hops contain samples that depend on bits before the beginning.
        let filling = self.lead_in().div_ceil(self.hop_clocks()) as u64;
        self.pushed >= (self.frame.samples() / self.hop) as u64 + filling
    }

    /// Resets the state.
    pub fn reset(&mut self) {
        self.decimator.reset();
        self.hops.fill(0);
        self.totals.fill(0);
        self.pushed = 0;
    }

    /// Processes the words of a hop.
    ///
    /// # Errors
    /// Returns [`Error::Length`] unless `words` is a whole hop.
    pub fn push(&mut self, words: &[u32]) -> Result<(), Error> {
        let needed = self.hop_clocks() * self.frame.packing().words();
        long_as("the words of a hop", needed, words.len())?;
        self.decimator.decimate(words, &mut self.samples)?;
        let samples = self.frame.samples();
        let slots = (samples / self.hop) as u64;
        let slot = (self.pushed % slots) as usize;
        let width = self.new.len();
        // The magnitude of a sum is at most the number of samples: scaled to half of the integer range.
        let steps = (1 << 30) as f32 / samples as f32;
        for (i, &line) in self.lines.iter().enumerate() {
            for (n, weight) in self.weights.iter_mut().enumerate() {
                *weight = self.turns[line * (slot * self.hop + n) % samples];
            }
            weighted_sums(
                self.instructions,
                &self.samples,
                &self.weights,
                &mut self.new,
            );
            let from = (slot * self.lines.len() + i) * width;
            replace(
                self.instructions,
                &self.new,
                steps,
                &mut self.hops[from..from + width],
                &mut self.totals[i * width..(i + 1) * width],
            );
        }
        self.pushed += 1;
        Ok(())
    }

    /// Writes the amplitudes of the last frame, bin after bin, relative to full scale. Time zero is the first clock
    /// cycle of the frame.
    ///
    /// # Errors
    /// Returns [`Error::Length`] unless there is one element for every bin and channel.
    pub fn read(&self, amplitudes: &mut [Complex64]) -> Result<(), Error> {
        let channels = self.channels.len();
        let needed = channels * self.frame.bins().len();
        long_as("the amplitudes of a frame", needed, amplitudes.len())?;
        let samples = self.frame.samples();
        let first = (self.pushed % (samples / self.hop) as u64) as usize * self.hop;
        let steps = f64::from(1 << 30) / samples as f64;
        for (&bin, amplitudes) in self
            .frame
            .bins()
            .iter()
            .zip(amplitudes.chunks_exact_mut(channels))
        {
            let clocks = self.frame.clocks() as f64;
            let (center, response) = self.filter.center_and_response(&self.frame, bin);
            let scale = 2.0 / (0.5 * samples as f64 * response * steps);
            let [below, here, above] = [(bin - 1, -0.25), (bin, 0.5), (bin + 1, -0.25)].map(
                |(line, window): (usize, f64)| {
                    let turn = (line * first % samples) as f64 / samples as f64
                        - bin as f64 * center / clocks;
                    let place = self.lines.partition_point(|&other| other < line);
                    let sums = &self.totals[place * 2 * channels..(place + 1) * 2 * channels];
                    (
                        Complex64::from_polar(scale * window, TAU * turn),
                        sums.split_at(channels),
                    )
                },
            );
            for (place, &channel) in self.channels.iter().enumerate() {
                let term = |(factor, (re, im)): (Complex64, (&[i32], &[i32]))| {
                    factor * Complex64::new(re[place].into(), im[place].into())
                };
                amplitudes[channel] = term(below) + term(here) + term(above);
            }
        }
        Ok(())
    }
}

impl FrontEnd for Streaming {
    fn frame(&self) -> &Frame {
        &self.frame
    }

    fn lead_in(&self) -> usize {
        (self.filter.support() - 1) / DECIMATION * DECIMATION
    }

    fn amplitudes(&mut self, words: &[u32], amplitudes: &mut [Complex64]) -> Result<(), Error> {
        let lead_in = self.lead_in();
        self.frame.check(lead_in, words, amplitudes)?;
        self.reset();
        let per_clock = self.frame.packing().words();
        let (before, frame) = words.split_at(lead_in * per_clock);
        for sample in before.chunks_exact(DECIMATION * per_clock) {
            let channels = self.frame.packing().channels();
            self.decimator
                .decimate(sample, &mut self.samples[..channels])?;
        }
        for hop in frame.chunks_exact(self.hop_clocks() * per_clock) {
            self.push(hop)?;
        }
        self.read(amplitudes)
    }

    fn bit_weights(&self, bin: usize) -> Vec<Complex64> {
        let (center, response) = self.filter.center_and_response(&self.frame, bin);
        let samples = self.frame.weights(bin, center, response);
        self.frame
            .weights_through(&samples, &self.filter.impulse(), self.lead_in())
    }
}
