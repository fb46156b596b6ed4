//! A tone with an individual phase at every microphone, as PDM bits.

use std::f64::consts::TAU;

use num_complex::Complex64;

use crate::array::MicrophoneArray;
use crate::bitstream::Bitstream;
use crate::error::Error;
use crate::front_end::{Frame, FrontEnd};
use crate::hologram::Hologram;
use crate::microphone::Microphone;
use wavefield_numerics::random::Random;

/// PDM bits of a tone, and the parameters of the tone.
#[derive(Clone, Debug)]
pub struct KnownTone {
    /// Bits: lead-in, then a frame.
    pub stream: Bitstream,
    /// Phase factor e^{jφ} of every channel at the first clock cycle.
    pub phases: Vec<Complex64>,
    /// Amplitude relative to full scale.
    pub amplitude: f64,
}

impl KnownTone {
    /// Clock cycles before the frame, enough for all front ends.
    pub const LEAD_IN: usize = 1600;

    /// Simulates a tone at a bin of a frame, with a level in dBFS, for default microphones.
    ///
    /// # Errors
    /// Returns [`Error::Length`] if frame and array do not match, and [`Error::OutOfRange`] for a tone that would
    /// overload the microphones.
    pub fn new(
        array: &MicrophoneArray,
        frame: &Frame,
        bin: usize,
        decibels: f64,
        seed: u64,
    ) -> Result<Self, Error> {
        // A random stream that no microphone uses.
        let mut random = Random::stream(seed, array.channels() as u64);
        let phases: Vec<Complex64> = (0..array.channels())
            .map(|_| Complex64::cis(TAU * random.uniform()))
            .collect();
        let microphone = Microphone::default();
        let amplitude = 10_f64.powf(decibels / 20.0);
        let pressures = phases
            .iter()
            .map(|phase| microphone.full_scale * amplitude * phase);
        let tone = Hologram::new(*array, frame.frequency(bin), pressures.collect())?;
        let clocks = Self::LEAD_IN + frame.clocks();
        Ok(Self {
            stream: microphone.record(frame.packing(), &[tone], clocks, seed)?,
            phases,
            amplitude,
        })
    }

    /// Returns the amplitudes computed by a front end relative to the tone's, with time zero at the first clock cycle
    /// of the bitstream.
    ///
    /// # Errors
    /// Returns [`Error::Length`] for a front end of another frame.
    pub fn measure(&self, front_end: &mut dyn FrontEnd) -> Result<Vec<Complex64>, Error> {
        let frame = front_end.frame().clone();
        let channels = frame.packing().channels();
        let mut amplitudes = vec![Complex64::new(0.0, 0.0); channels * frame.bins().len()];
        let lead_in = front_end.lead_in();
        let words = self
            .stream
            .clocks_from(Self::LEAD_IN - lead_in, lead_in + frame.clocks())?;
        front_end.amplitudes(words, &mut amplitudes)?;
        for (&bin, amplitudes) in frame
            .bins()
            .iter()
            .zip(amplitudes.chunks_exact_mut(channels))
        {
            let turn = bin as f64 * Self::LEAD_IN as f64 / frame.clocks() as f64;
            for a in amplitudes {
                *a *= Complex64::from_polar(1.0 / self.amplitude, -TAU * turn);
            }
        }
        Ok(amplitudes)
    }

    /// Returns the RMS deviation of the amplitudes after removal of the gain common to all channels, in dB, and that
    /// gain.
    pub fn error_decibels(&self, signal: &[Complex64]) -> (f64, Complex64) {
        let ratios: Vec<Complex64> = signal
            .iter()
            .zip(&self.phases)
            .map(|(a, b)| a / b)
            .collect();
        let count = ratios.len() as f64;
        let gain = ratios.iter().sum::<Complex64>() / count;
        let power = ratios
            .iter()
            .map(|r| (r / gain - 1.0).norm_sqr())
            .sum::<f64>()
            / count;
        (10.0 * power.log10(), gain)
    }

    /// Computes the amplitude that a front end without filters must return at a bin: the DFT of the bits ±1 with the
    /// Hann window, for the channel at index `place` of a clock cycle; relative to the tone's amplitude, as in
    /// [`KnownTone::measure`].
    ///
    /// # Errors
    /// Returns [`Error::Length`] if the frame is longer than the bitstream.
    pub fn fourier_sum(&self, frame: &Frame, bin: usize, place: usize) -> Result<Complex64, Error> {
        let clocks = frame.clocks();
        let words = self.stream.clocks_from(Self::LEAD_IN, clocks)?;
        let per_clock = frame.packing().words();
        let sum: Complex64 = (0..clocks)
            .map(|n| {
                let bit = words[n * per_clock + place / 32] >> (place % 32) & 1;
                let hann = 0.5 - 0.5 * (TAU * n as f64 / clocks as f64).cos();
                let turn = (bin * n % clocks) as f64 + (bin * Self::LEAD_IN) as f64;
                let wave = Complex64::from_polar(hann, -TAU * turn / clocks as f64);
                (2.0 * f64::from(bit) - 1.0) * wave
            })
            .sum();
        Ok(sum / (0.25 * clocks as f64 * self.amplitude))
    }
}
