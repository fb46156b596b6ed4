//! Second-order sigma–delta modulators of 32 channels side by side, in real time.
//!
//! As in [`Modulator`](crate::sigma_delta::Modulator) of order 2, u = x − 2e₁ + e₂ with the last two errors e = v − u,
//! in single precision and with uniform noise of the same power: roundoff is shaped like the quantization error.

use super::comb::LANES;
use super::dispatch;

/// State of 32 modulators.
#[derive(Clone, Debug)]
pub(crate) struct Modulators {
    /// Errors of the last clock cycle and of the one before.
    errors: [[f32; LANES]; 2],
    /// State of Marsaglia's xorshift generator, by lane.
    random: [u32; LANES],
}

/// Input of all modulators at each clock cycle: e^{jωt} of the tones, and half-widths of noise and dither.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clocks<'a> {
    /// Real and imaginary parts, clock cycle after clock cycle, all tones of a clock cycle together.
    pub(crate) turns: &'a [[f32; 2]],
    pub(crate) noise: f32,
    pub(crate) dither: f32,
}

/// Amplitudes of a tone at 32 channels, real and imaginary parts, relative to full scale.
pub(crate) type Tone = [[f32; LANES]; 2];

impl Modulators {
    /// Creates modulators with zero state and random numbers derived from the seed.
    pub(crate) fn new(seed: u64) -> Self {
        let mut numbers = wavefield_numerics::random::Random::stream(seed, 7);
        Self {
            errors: [[0.0; LANES]; 2],
            // The state of xorshift must be nonzero.
            random: std::array::from_fn(|_| 1 + (numbers.uniform() * 4e9) as u32),
        }
    }
}

#[inline(always)]
fn bits(modulators: &mut Modulators, tones: &[Tone], clocks: Clocks<'_>, words: &mut [u32]) {
    let Modulators {
        errors: [last, before],
        random,
    } = modulators;
    // Maps 24-bit integers to ±1.
    const SCALE: f32 = 1.0 / (1 << 23) as f32;
    for (word, turns) in words.iter_mut().zip(clocks.turns.chunks_exact(tones.len())) {
        let mut signal = [0.0_f32; LANES];
        for ([re, im], [cos, sin]) in tones.iter().zip(turns) {
            for lane in 0..LANES {
                signal[lane] += re[lane] * cos - im[lane] * sin;
            }
        }
        let mut set = [0_u32; LANES];
        for lane in 0..LANES {
            let mut x = random[lane];
            x ^= x << 13;
            x ^= x >> 17;
            x ^= x << 5;
            random[lane] = x;
            let even = (x >> 8) as f32 * SCALE - 1.0;
            let other = (x.wrapping_mul(0x9e37_79b9) >> 8) as f32 * SCALE - 1.0;
            let input = signal[lane] + clocks.noise * other - 2.0 * last[lane] + before[lane];
            let positive = input + clocks.dither * even >= 0.0;
            let error = if positive { 1.0 - input } else { -1.0 - input };
            before[lane] = last[lane];
            last[lane] = error;
            set[lane] = u32::from(positive) << lane;
        }
        *word = set.iter().fold(0, |word, bit| word | bit);
    }
}

dispatch! {
    /// Writes a word of bits for every clock cycle.
    pub(crate) fn modulate(
        modulators: &mut Modulators,
        tones: &[Tone],
        clocks: Clocks<'_>,
        words: &mut [u32],
    ) = bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use wavefield_numerics::simd::InstructionSet;

    #[test]
    fn the_mean_of_the_bits_is_the_input_in_every_instruction_set() {
        let tones: [Tone; 1] = [[
            std::array::from_fn(|lane| 0.02 * lane as f32 - 0.3),
            [0.0; LANES],
        ]];
        let turns = vec![[1.0, 0.0]; 20_000];
        let clocks = Clocks {
            turns: &turns,
            noise: 1e-4,
            dither: 0.5,
        };
        let mut first: Option<Vec<u32>> = None;
        for &instructions in InstructionSet::all() {
            let mut words = vec![0; turns.len()];
            modulate(
                instructions,
                &mut Modulators::new(3),
                &tones,
                clocks,
                &mut words,
            );
            for lane in 0..LANES {
                let ones = words.iter().filter(|word| *word >> lane & 1 == 1).count();
                let mean = 2.0 * ones as f32 / turns.len() as f32 - 1.0;
                // The sum of shaped errors is bounded by a few bits for any length.
                assert!((mean - tones[0][0][lane]).abs() < 2e-3, "{lane} {mean}");
            }
            assert_eq!(first.get_or_insert_with(|| words.clone()), &words);
        }
    }
}
