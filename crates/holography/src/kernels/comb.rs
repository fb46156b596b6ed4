//! CIC filters of 32 channels side by side (E. B. Hogenauer, IEEE Trans. ASSP 29 (1981) 155–162).
//!
//! n integrators run at the clock rate, n combs at the output rate. Integrators wrap around; the differences of the
//! combs are exact if a sample, at most Rⁿ for decimation by R, fits the integer. The sample Rⁿ alone may wrap to zero:
//! it differs from a true zero in its last clock cycles.

use std::slice::ChunksExact;

use wavefield_numerics::simd::InstructionSet;

use super::dispatch;

/// Channels in a word of bits.
pub(crate) const LANES: usize = 32;

/// An integer with wrapping arithmetic.
pub(crate) trait Counter: Copy + Default {
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn bit(word: u32, lane: usize) -> Self;
    /// Runs the integrators over the bits of one word of every clock cycle.
    ///
    /// # Safety
    /// The CPU must support AVX-512 F and BW.
    #[cfg(target_arch = "x86_64")]
    unsafe fn integrate_masked<const ORDER: usize>(
        sums: &mut [[Self; LANES]; ORDER],
        clocks: ChunksExact<'_, u32>,
        word: usize,
    );
    fn to_f32(self) -> f32;
    /// Number of representable values, the sample that wraps to zero.
    const WRAPPED: f32;
}

#[cfg(target_arch = "x86_64")]
macro_rules! integrate_masked {
    ($integer:ty, $lanes:literal, $mask:ty, $one:ident, $add:ident, $add_masked:ident) => {
        /// Increments the lanes in the mask of each word and runs the integrators.
        #[inline(always)]
        unsafe fn integrate_masked<const ORDER: usize>(
            sums: &mut [[$integer; LANES]; ORDER],
            clocks: ChunksExact<'_, u32>,
            word: usize,
        ) {
            use std::arch::x86_64::{
                _mm512_loadu_si512, _mm512_storeu_si512, $add, $add_masked, $one,
            };
            const PARTS: usize = LANES / $lanes;
            // SAFETY: the caller guarantees AVX-512 support; each vector covers $lanes counters.
            unsafe {
                let one = $one(1);
                let mut vectors = [[one; PARTS]; ORDER];
                for stage in 0..ORDER {
                    for part in 0..PARTS {
                        let from = sums[stage].as_ptr().add(part * $lanes);
                        vectors[stage][part] = _mm512_loadu_si512(from.cast());
                    }
                }
                for clock in clocks {
                    let bits = u64::from(clock[word]);
                    for part in 0..PARTS {
                        let mask = (bits >> (part * $lanes)) as $mask;
                        let sum = vectors[0][part];
                        vectors[0][part] = $add_masked(sum, mask, sum, one);
                        for stage in 1..ORDER {
                            vectors[stage][part] =
                                $add(vectors[stage][part], vectors[stage - 1][part]);
                        }
                    }
                }
                for stage in 0..ORDER {
                    for part in 0..PARTS {
                        let to = sums[stage].as_mut_ptr().add(part * $lanes);
                        _mm512_storeu_si512(to.cast(), vectors[stage][part]);
                    }
                }
            }
        }
    };
}

macro_rules! counter {
    ($integer:ty, $($masked:tt)*) => {
        impl Counter for $integer {
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn bit(word: u32, lane: usize) -> Self {
                <$integer>::from(word & 1 << lane != 0)
            }
            #[inline(always)]
            fn to_f32(self) -> f32 {
                self as f32
            }
            const WRAPPED: f32 = <$integer>::MAX as f32 + 1.0;
            #[cfg(target_arch = "x86_64")]
            integrate_masked!($integer, $($masked)*);
        }
    };
}
counter!(
    u16,
    32,
    u32,
    _mm512_set1_epi16,
    _mm512_add_epi16,
    _mm512_mask_add_epi16
);
counter!(
    u32,
    16,
    u16,
    _mm512_set1_epi32,
    _mm512_add_epi32,
    _mm512_mask_add_epi32
);

/// Integration over the bits of one word of every clock cycle.
trait Integrate {
    fn integrate<T: Counter, const ORDER: usize>(
        sums: &mut [[T; LANES]; ORDER],
        clocks: ChunksExact<'_, u32>,
        word: usize,
    );
}

/// Reference implementation.
struct Plainly;

impl Integrate for Plainly {
    #[inline(always)]
    fn integrate<T: Counter, const ORDER: usize>(
        sums: &mut [[T; LANES]; ORDER],
        clocks: ChunksExact<'_, u32>,
        word: usize,
    ) {
        for clock in clocks {
            let bits = clock[word];
            for lane in 0..LANES {
                sums[0][lane] = sums[0][lane].plus(T::bit(bits, lane));
            }
            for stage in 1..ORDER {
                for lane in 0..LANES {
                    sums[stage][lane] = sums[stage][lane].plus(sums[stage - 1][lane]);
                }
            }
        }
    }
}

/// Implementation by AVX-512 masks; used only in functions with these target features.
#[cfg(target_arch = "x86_64")]
struct Masked;

#[cfg(target_arch = "x86_64")]
impl Integrate for Masked {
    #[inline(always)]
    fn integrate<T: Counter, const ORDER: usize>(
        sums: &mut [[T; LANES]; ORDER],
        clocks: ChunksExact<'_, u32>,
        word: usize,
    ) {
        // SAFETY: this type is used only after AVX-512 was detected.
        unsafe { T::integrate_masked(sums, clocks, word) }
    }
}

/// Other architectures have no masks.
#[cfg(not(target_arch = "x86_64"))]
type Masked = Plainly;

/// CIC filter state of 32 channels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cascade<T, const ORDER: usize> {
    integrators: [[T; LANES]; ORDER],
    delayed: [[T; LANES]; ORDER],
}

impl<T: Counter, const ORDER: usize> Default for Cascade<T, ORDER> {
    fn default() -> Self {
        Self {
            integrators: [[T::default(); LANES]; ORDER],
            delayed: [[T::default(); LANES]; ORDER],
        }
    }
}

/// Processes `decimation` clock cycles of `cascades.len()` words each and computes a sample of every channel: its count
/// times `scale`, minus one.
#[inline(always)]
fn sample<I: Integrate, T: Counter, const ORDER: usize>(
    cascades: &mut [Cascade<T, ORDER>],
    words: &[u32],
    scale: f32,
    samples: &mut [f32],
) {
    let per_clock = cascades.len();
    for (word, (cascade, samples)) in cascades
        .iter_mut()
        .zip(samples.chunks_exact_mut(LANES))
        .enumerate()
    {
        let mut sums = cascade.integrators;
        let before = sums[0];
        I::integrate(&mut sums, words.chunks_exact(per_clock), word);
        cascade.integrators = sums;
        let mut values = sums[ORDER - 1];
        for delayed in &mut cascade.delayed {
            for lane in 0..LANES {
                let value = values[lane];
                values[lane] = value.minus(delayed[lane]);
                delayed[lane] = value;
            }
        }
        for lane in 0..LANES {
            let nothing = values[lane].to_f32() == 0.0;
            let signal = sums[0][lane].minus(before[lane]).to_f32() != 0.0;
            let count = if nothing && signal {
                T::WRAPPED
            } else {
                values[lane].to_f32()
            };
            samples[lane] = count * scale - 1.0;
        }
    }
}

macro_rules! orders {
    ($($name:ident: $integer:ty, $order:literal;)*) => {$(
        dispatch! {
            /// Computes one sample of every channel from the clock cycles in `words`: its count times `scale`, minus
            /// one.
            fn $name(
                cascades: &mut [Cascade<$integer, $order>],
                words: &[u32],
                scale: f32,
                samples: &mut [f32],
            ) = sample::<Masked, _, _>, sample::<Plainly, _, _>, sample::<Plainly, _, _>
        }
        impl Sample for Cascade<$integer, $order> {
            fn sample(
                instructions: InstructionSet,
                cascades: &mut [Self],
                words: &[u32],
                scale: f32,
                samples: &mut [f32],
            ) {
                $name(instructions, cascades, words, scale, samples);
            }
        }
    )*};
}

/// A cascade whose loop is compiled for each instruction set.
pub(crate) trait Sample: Clone + Default {
    /// Computes one sample of every channel from the clock cycles in `words`: its count times `scale`, minus one.
    fn sample(
        instructions: InstructionSet,
        cascades: &mut [Self],
        words: &[u32],
        scale: f32,
        samples: &mut [f32],
    );
}

orders! {
    u16_1: u16, 1;
    u16_2: u16, 2;
    u16_3: u16, 3;
    u16_4: u16, 4;
    u32_4: u32, 4;
    u32_5: u32, 5;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front_end::CicDecimator;

    /// A sample is the sum of the bits weighted by the n-fold running mean.
    fn cascades_give_the_sum_of_the_definition<C: Sample>(order: usize, decimations: &[usize]) {
        let (per_clock, samples) = (2, 12);
        for &decimation in decimations {
            let filter = CicDecimator::new(order, decimation).unwrap();
            let weights = filter.weights();
            let words: Vec<u32> = (0..(per_clock * samples * decimation) as u32)
                .map(|i| {
                    // A run of ones longer than the impulse response of any filter, so that the maximum sample occurs.
                    if (32..512).contains(&i) {
                        u32::MAX
                    } else {
                        i.wrapping_mul(0x9e37_79b9).rotate_left(i % 29)
                    }
                })
                .collect();
            for &instructions in InstructionSet::all() {
                let mut cascades = vec![C::default(); per_clock];
                let mut found = vec![0.0; per_clock * LANES];
                for sample in 0..samples {
                    let block = per_clock * decimation;
                    C::sample(
                        instructions,
                        &mut cascades,
                        &words[sample * block..(sample + 1) * block],
                        1.0,
                        &mut found,
                    );
                    let end = (sample + 1) * decimation;
                    for (place, &found) in found.iter().enumerate() {
                        let sum: u64 = weights
                            .iter()
                            .take(end)
                            .enumerate()
                            .map(|(age, weight)| {
                                let word = words[(end - 1 - age) * per_clock + place / LANES];
                                weight * (word >> (place % LANES) & 1) as u64
                            })
                            .sum();
                        // Counts are exact up to 2²⁴ and rounded above, up to 32⁵ = 2²⁵.
                        assert_eq!(found, sum as f32 - 1.0, "{instructions:?} {order} {place}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_order_gives_the_sum_of_the_definition() {
        cascades_give_the_sum_of_the_definition::<Cascade<u16, 1>>(1, &[16, 32]);
        cascades_give_the_sum_of_the_definition::<Cascade<u16, 2>>(2, &[16, 32]);
        cascades_give_the_sum_of_the_definition::<Cascade<u16, 3>>(3, &[16, 32]);
        cascades_give_the_sum_of_the_definition::<Cascade<u16, 4>>(4, &[16]);
        cascades_give_the_sum_of_the_definition::<Cascade<u32, 4>>(4, &[16, 32]);
        cascades_give_the_sum_of_the_definition::<Cascade<u32, 5>>(5, &[16, 32]);
    }
}
