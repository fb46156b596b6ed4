//! Simulation of digital microphones: noise, full scale, and PDM bits of sigma–delta modulators.

use std::f64::consts::{SQRT_2, TAU};

use num_complex::Complex64;
use rayon::prelude::*;

use crate::array::Packing;
use crate::bitstream::Bitstream;
use crate::error::{Error, long_as, positive, within};
use crate::hologram::Hologram;
use crate::sigma_delta::{Modulator, NoiseTransfer};
use wavefield_numerics::random::Random;

/// PDM clock rate, Hz.
pub const CLOCK_RATE: f64 = 1.5e6;

/// Clock cycles for which a modulator settles before the recording begins.
const WARM_UP: usize = 4096;

/// Maximum amplitude relative to full scale, above which the modulators are overloaded.
pub(crate) const LOUDEST: f64 = 0.7;

/// A digital microphone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Microphone {
    /// Pressure amplitude at which all bits are ones, Pa.
    pub full_scale: f64,
    /// RMS noise at every clock cycle, relative to full scale.
    pub noise: f64,
    /// Order of the sigma–delta modulator, 2 to 5.
    pub order: usize,
    /// Dither of the quantizer, relative to full scale: up to ½ for order 2, ¼ for higher orders.
    pub dither: f64,
}

/// Returns a second-order microphone with full scale at 120 dB and a signal-to-noise ratio of 61 dB at 94 dB.
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
    /// Records tones, each given by the hologram of its pressures, for a number of clock cycles at [`CLOCK_RATE`]. Time
    /// zero, to which phases refer, is the first recorded clock cycle.
    ///
    /// # Errors
    /// Returns [`Error::Length`] if the number of microphones of a hologram differs, and [`Error::NotPositive`] or
    /// [`Error::OutOfRange`] for invalid parameters or for tones that would overload the microphone.
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
            long_as(
                "the hologram of a tone",
                packing.channels(),
                tone.values().len(),
            )?;
        }
        let amplitude = |channel: usize| -> f64 {
            tones.iter().map(|tone| tone.values()[channel].norm()).sum()
        };
        // `total_cmp` orders NaN above all numbers.
        let loudest = (0..packing.channels())
            .map(amplitude)
            .max_by(f64::total_cmp)
            .unwrap_or(0.0);
        within(
            "the peak amplitude at a microphone, relative to full scale,",
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
                let signal: f64 = tones
                    .iter()
                    .zip(&steps)
                    .map(|(tone, steps)| (tone.values()[channel] * steps[clock]).re)
                    .sum();
                // Each part of the complex noise has half of its power.
                let noise = SQRT_2 * self.noise * random.gaussian().re;
                let bit = modulator.modulate(signal / self.full_scale + noise, &mut random);
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
