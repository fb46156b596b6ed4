//! What digital microphones make of sound: noise, full scale, and the bits of their modulators.

use std::f64::consts::{SQRT_2, TAU};

use num_complex::Complex64;
use rayon::prelude::*;

use crate::array::Packing;
use crate::bitstream::Bitstream;
use crate::error::{Error, long_as, positive, within};
use crate::hologram::Hologram;
use crate::sigma_delta::{Modulator, NoiseTransfer};
use wavefield_numerics::random::Random;

/// Bits per second of a microphone in the arrays this crate is for, Hz.
pub const CLOCK_RATE: f64 = 1.5e6;

/// Clocks a modulator runs before the recording begins, to forget where it started.
const WARM_UP: usize = 4096;

/// Largest amplitude in full scales that is recorded: beyond, modulators are overloaded and their bits say nothing.
pub(crate) const LOUDEST: f64 = 0.7;

/// A digital microphone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Microphone {
    /// Amplitude of pressure at which all bits are ones, Pa.
    pub full_scale: f64,
    /// Root mean square of the noise added at every clock, in full scales.
    pub noise: f64,
    /// Order of the sigma–delta modulator, 2 to 5.
    pub order: usize,
    /// Dither of the modulator's decision, in full scales: up to ½ for order 2, ¼ for higher ones.
    pub dither: f64,
}

/// Full scale at 120 dB, a signal-to-noise ratio of 61 dB at 94 dB, second order.
impl Default for Microphone {
    fn default() -> Self {
        Self {
            full_scale: 20.0 * SQRT_2,
            noise: 2.6e-4,
            order: 2,
            dither: 0.5,
        }
    }
}

impl Microphone {
    /// Records tones, each given by the hologram of its pressures, for a number of clocks of [`CLOCK_RATE`].
    /// Time zero, to which phases refer, is the first clock recorded.
    ///
    /// # Errors
    /// [`Error::Length`] when a hologram has another number of microphones, [`Error::NotPositive`] and
    /// [`Error::OutOfRange`] for a microphone that makes no sense, or for tones so loud that it would be overloaded.
    pub fn record(
        &self,
        packing: Packing,
        tones: &[Hologram],
        clocks: usize,
        seed: u64,
    ) -> Result<Bitstream, Error> {
        positive("the full scale of a microphone", self.full_scale)?;
        let transfer = NoiseTransfer::new(self.order)?;
        for tone in tones {
            long_as("a tone", packing.channels(), tone.values().len())?;
        }
        let amplitude = |channel: usize| -> f64 {
            tones.iter().map(|tone| tone.values()[channel].norm()).sum()
        };
        // In this order what is no number is the largest of all.
        let loudest = (0..packing.channels())
            .map(amplitude)
            .max_by(f64::total_cmp)
            .unwrap_or(0.0);
        within(
            "the largest amplitude at a microphone, in full scales,",
            loudest / self.full_scale,
            0.0,
            LOUDEST,
        )?;
        let steps: Vec<Vec<Complex64>> = tones
            .iter()
            .map(|tone| {
                let step = TAU * tone.frequency() / CLOCK_RATE;
                (0..WARM_UP + clocks)
                    .map(|clock| Complex64::cis(step * (clock as f64 - WARM_UP as f64)))
                    .collect()
            })
            .collect();
        let bits_of = |place: usize| {
            let channel = packing.channel_at(place);
            let mut random = Random::stream(seed, channel as u64);
            let mut modulator = Modulator::new(&transfer, self.dither);
            let mut bits = vec![false; clocks];
            for clock in 0..WARM_UP + clocks {
                let heard: f64 = tones
                    .iter()
                    .zip(&steps)
                    .map(|(tone, steps)| (tone.values()[channel] * steps[clock]).re)
                    .sum();
                // Each part of the complex noise has half of its power.
                let noise = SQRT_2 * self.noise * random.gaussian().re;
                let bit = modulator.modulate(heard / self.full_scale + noise, &mut random);
                if clock >= WARM_UP {
                    bits[clock - WARM_UP] = bit;
                }
            }
            bits
        };
        let per_clock = packing.words();
        let by_word: Vec<Vec<u32>> = (0..per_clock)
            .into_par_iter()
            .map(|word| {
                let mut packed = vec![0; clocks];
                for bit in 0..32 {
                    for (word, set) in packed.iter_mut().zip(bits_of(32 * word + bit)) {
                        *word |= u32::from(set) << bit;
                    }
                }
                packed
            })
            .collect();
        let words = (0..clocks * per_clock)
            .map(|i| by_word[i % per_clock][i / per_clock])
            .collect();
        Bitstream::new(packing, words)
    }
}
