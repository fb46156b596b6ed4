//! Simulated sources with slowly drifting amplitudes and phases, recorded by simulated microphones in real time.
//!
//! For demonstration: second-order modulators with uniformly distributed noise, computed hop by hop. Validation uses
//! [`Microphone::record`](crate::Microphone::record).

use std::f64::consts::TAU;

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_numerics::simd::InstructionSet;
use wavefield_physics::medium::Fluid;

use crate::array::MicrophoneArray;
use crate::error::{Error, long_as, positive, within};
use crate::front_end::Frame;
use crate::kernels::comb::LANES;
use crate::kernels::modulate::{Clocks, Modulators, Tone, modulate};
use crate::microphone::{CLOCK_RATE, LOUDEST, Microphone};
use crate::source::{Source, exact_hologram};

/// Period of the amplitude modulation of the first source, s; longer for later sources.
const SWELL: f64 = 3.0;

/// Period of the phase rotation of the first source, s; longer for later sources.
const ROUND: f64 = 7.0;

/// Ratio of the periods of successive sources; not an integer, so that common periods are long.
const SLOWER: f64 = 1.37;

/// Minimum amplitude of a source relative to its maximum.
const FADED: f64 = 0.25;

/// Sources with drifting amplitudes and phases, and the microphones that record them.
#[derive(Debug)]
pub struct MovingSources {
    frame: Frame,
    /// Pressures relative to full scale for each source and tone, in the order of the bits.
    pressures: Vec<Vec<Vec<Complex64>>>,
    modulators: Vec<Modulators>,
    noise: f32,
    dither: f32,
    /// Number of clock cycles generated so far.
    clocks: u64,
    instructions: InstructionSet,
}

impl MovingSources {
    /// Creates sources that radiate at all bins of a frame, for an array at height `z`, m.
    ///
    /// # Errors
    /// Returns [`Error::NotLive`] for microphones of an order other than 2, [`Error::Field`] where the field of a
    /// source is undefined, and [`Error::OutOfRange`] for sources that would overload the microphones.
    pub fn new(
        sources: &[Source],
        fluid: &Fluid,
        array: &MicrophoneArray,
        frame: &Frame,
        z: f64,
        microphone: &Microphone,
        seed: u64,
    ) -> Result<Self, Error> {
        if microphone.order != 2 {
            return Err(Error::NotLive {
                what: "simulated microphones of an order other than 2",
            });
        }
        positive("the full scale of a microphone", microphone.full_scale)?;
        let packing = frame.packing();
        long_as("the array", packing.channels(), array.channels())?;
        let signal = |source: &Source, bin: usize| -> Result<Vec<Complex64>, Error> {
            let field = exact_hologram(&[*source], fluid, array, frame.frequency(bin), z)?;
            Ok((0..packing.channels())
                .map(|place| field.values()[packing.channel_at(place)] / microphone.full_scale)
                .collect())
        };
        let pressures = sources
            .iter()
            .map(|source| {
                frame
                    .bins()
                    .iter()
                    .map(|&bin| signal(source, bin))
                    .collect()
            })
            .collect::<Result<Vec<Vec<Vec<Complex64>>>, Error>>()?;
        let loudest = (0..packing.channels())
            .map(|place| {
                pressures
                    .iter()
                    .flatten()
                    .map(|tone| tone[place].norm())
                    .sum()
            })
            .max_by(f64::total_cmp)
            .unwrap_or(0.0);
        within(
            "the peak amplitude at a microphone, relative to full scale,",
            loudest,
            0.0,
            LOUDEST,
        )?;
        Ok(Self {
            frame: frame.clone(),
            pressures,
            modulators: (0..packing.words() as u64)
                .map(|word| Modulators::new(seed ^ word << 32))
                .collect(),
            // Uniform noise between ±√3 σ has the variance σ².
            noise: (3_f64.sqrt() * microphone.noise) as f32,
            dither: microphone.dither as f32,
            clocks: 0,
            instructions: InstructionSet::widest(),
        })
    }

    /// Returns the complex amplitude of a source at a time in seconds, relative to its maximum.
    fn drift(source: usize, seconds: f64) -> Complex64 {
        let slower = SLOWER.powi(source as i32);
        let swell = 0.5 + 0.5 * (TAU * seconds / (SWELL * slower)).cos();
        let size = FADED + (1.0 - FADED) * swell;
        Complex64::from_polar(size, TAU * seconds / (ROUND * slower))
    }

    /// Writes the bits of the next clock cycles that fit into `words`.
    ///
    /// # Errors
    /// Returns [`Error::Length`] unless `words` is a whole number of clock cycles.
    pub fn next_clocks(&mut self, words: &mut [u32]) -> Result<(), Error> {
        let per_clock = self.frame.packing().words();
        let clocks = words.len() / per_clock;
        long_as(
            "the buffer of whole clock cycles",
            clocks * per_clock,
            words.len(),
        )?;
        let seconds = self.clocks as f64 / CLOCK_RATE;
        let (bins, in_frame) = (self.frame.bins(), self.frame.clocks() as u64);
        let turns: Vec<[f32; 2]> = (0..clocks as u64)
            .flat_map(|clock| bins.iter().map(move |&bin| (clock, bin)))
            .map(|(clock, bin)| {
                // Whole periods are removed in integer arithmetic, which is exact.
                let part = (bin as u64 * ((self.clocks + clock) % in_frame)) % in_frame;
                let turn = Complex64::cis(TAU * part as f64 / in_frame as f64);
                [turn.re as f32, turn.im as f32]
            })
            .collect();
        let drifts: Vec<Complex64> = (0..self.pressures.len())
            .map(|source| Self::drift(source, seconds))
            .collect();
        let hears = Clocks {
            turns: &turns,
            noise: self.noise,
            dither: self.dither,
        };
        let (pressures, instructions) = (&self.pressures, self.instructions);
        let by_word: Vec<Vec<u32>> = self
            .modulators
            .par_iter_mut()
            .enumerate()
            .map(|(word, modulators)| {
                let tones: Vec<Tone> = (0..bins.len())
                    .map(|tone| {
                        let sums: [Complex64; LANES] = std::array::from_fn(|lane| {
                            let place = LANES * word + lane;
                            let sources = pressures.iter().zip(&drifts);
                            sources.map(|(p, drift)| p[tone][place] * drift).sum()
                        });
                        [sums.map(|p| p.re as f32), sums.map(|p| p.im as f32)]
                    })
                    .collect();
                let mut bits = vec![0; clocks];
                modulate(instructions, modulators, &tones, hears, &mut bits);
                bits
            })
            .collect();
        for (clock, words) in words.chunks_exact_mut(per_clock).enumerate() {
            for (to, bits) in words.iter_mut().zip(&by_word) {
                *to = bits[clock];
            }
        }
        self.clocks += clocks as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Packing;
    use crate::deviation::relative_error;
    use crate::front_end::Streaming;

    #[test]
    fn bits_carry_the_field_of_the_moment_and_it_moves() {
        let array = MicrophoneArray::new(16, 8, 0.02).unwrap();
        let packing = Packing::new(&array).unwrap();
        let frame = Frame::new(packing, 1024, &[22, 61]).unwrap();
        let monopole = |x: f64| Source::Monopole {
            position: [x, 0.01, 0.0],
            volume_velocity: Complex64::new(2e-4, 0.0),
        };
        let sources = [monopole(0.05), monopole(-0.04)];
        let microphone = Microphone::default();
        let new = |microphone: &Microphone, sources: &[Source]| {
            MovingSources::new(sources, &Fluid::AIR, &array, &frame, 0.05, microphone, 1)
        };
        let mut moving = new(&microphone, &sources).unwrap();
        let mut front_end = Streaming::new(frame.clone(), 3, 32).unwrap();
        let mut words = vec![0; front_end.hop_clocks() * packing.words()];
        let mut signal = Vec::new();
        for hop in 0..400 {
            moving.next_clocks(&mut words).unwrap();
            front_end.push(&words).unwrap();
            if hop == 40 || hop == 399 {
                let mut amplitudes = vec![Complex64::new(0.0, 0.0); 2 * 128];
                front_end.read(&mut amplitudes).unwrap();
                // Amplitudes refer to the center of the frame; time zero is the first clock cycle of the frame.
                let first = (hop as u64 + 1) * 1024 - frame.clocks() as u64;
                let middle = first as f64 + 0.5 * frame.clocks() as f64;
                let mut wanted = vec![Complex64::new(0.0, 0.0); 2 * 128];
                for (tone, &bin) in frame.bins().iter().enumerate() {
                    let turn = (bin as u64 * first % frame.clocks() as u64) as f64;
                    let turn = Complex64::cis(TAU * turn / frame.clocks() as f64);
                    for place in 0..128 {
                        let sum: Complex64 = (0..2)
                            .map(|s| {
                                moving.pressures[s][tone][place]
                                    * MovingSources::drift(s, middle / CLOCK_RATE)
                            })
                            .sum();
                        wanted[tone * 128 + packing.channel_at(place)] = sum * turn;
                    }
                }
                let error = relative_error(&wanted, &amplitudes).unwrap();
                // Sources drift by some percent within a frame, linearly; noise is 60 dB below.
                assert!(error < 0.01, "{hop}: {error}");
                signal.push(amplitudes);
            }
        }
        let moved = relative_error(&signal[0], &signal[1]).unwrap();
        assert!(moved > 0.1, "{moved}");
        let third = Microphone {
            order: 3,
            ..microphone
        };
        assert!(matches!(new(&third, &sources), Err(Error::NotLive { .. })));
        assert!(new(&microphone, &[sources[0]; 90]).is_err());
        assert!(moving.next_clocks(&mut [0; 3]).is_err());
    }
}
