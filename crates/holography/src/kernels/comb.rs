//! Cascaded integrators and combs over 32 channels side by side (E. B. Hogenauer, IEEE Trans. ASSP 29 (1981) 155–162).
//!
//! n integrators run at the rate of the bits, n combs at the rate of the samples. Sums wrap around; the differences of
//! the combs are right as long as a sample, at most Rⁿ for decimation by R, fits the integer.

use super::dispatch;

/// Channels in a word of bits.
pub(crate) const LANES: usize = 32;

/// An integer that wraps around.
pub(crate) trait Counter: Copy + Default {
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn bit(word: u32, lane: usize) -> Self;
    fn to_f32(self) -> f32;
}

macro_rules! counter {
    ($($integer:ty),*) => {$(
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
        }
    )*};
}
counter!(u16, u32);

/// Integrators and combs of 32 channels.
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

/// Takes in `decimation` clocks of `cascades.len()` words each and gives a sample of every channel.
#[inline(always)]
fn sample<T: Counter, const ORDER: usize>(
    cascades: &mut [Cascade<T, ORDER>],
    words: &[u32],
    samples: &mut [T],
) {
    let per_clock = cascades.len();
    for (word, (cascade, samples)) in cascades
        .iter_mut()
        .zip(samples.chunks_exact_mut(LANES))
        .enumerate()
    {
        let mut sums = cascade.integrators;
        for clock in words.chunks_exact(per_clock) {
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
        cascade.integrators = sums;
        let mut values = sums[ORDER - 1];
        for delayed in &mut cascade.delayed {
            for lane in 0..LANES {
                let value = values[lane];
                values[lane] = value.minus(delayed[lane]);
                delayed[lane] = value;
            }
        }
        samples.copy_from_slice(&values);
    }
}

macro_rules! orders {
    ($($name:ident: $integer:ty, $order:literal;)*) => {$(
        dispatch! {
            /// One sample of every channel from the clocks in `words`.
            fn $name(
                cascades: &mut [Cascade<$integer, $order>],
                words: &[u32],
                samples: &mut [$integer],
            ) = sample
        }
        impl Sample for Cascade<$integer, $order> {
            type Counter = $integer;
            fn sample(
                instructions: super::Instructions,
                cascades: &mut [Self],
                words: &[u32],
                samples: &mut [$integer],
            ) {
                $name(instructions, cascades, words, samples);
            }
        }
    )*};
}

/// A cascade with its loop compiled for each instruction set.
pub(crate) trait Sample: Clone + Default {
    /// The integer it counts with.
    type Counter: Counter;
    /// One sample of every channel from the clocks in `words`.
    fn sample(
        instructions: super::Instructions,
        cascades: &mut [Self],
        words: &[u32],
        samples: &mut [Self::Counter],
    );
}

orders! {
    u16_1: u16, 1;
    u16_2: u16, 2;
    u16_3: u16, 3;
    u32_4: u32, 4;
    u32_5: u32, 5;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front_end::CombFilter;
    use crate::kernels::Instructions;

    /// A sample is the sum of the bits with the weights of the n-fold running mean.
    fn cascades_give_the_sum_of_the_definition<C: Sample>(order: usize)
    where
        u64: From<C::Counter>,
    {
        let (per_clock, samples) = (2, 6);
        for decimation in [16, 32] {
            let filter = CombFilter::new(order, decimation).unwrap();
            let weights = filter.weights();
            let words: Vec<u32> = (0..(per_clock * samples * decimation) as u32)
                .map(|i| {
                    if i < 128 {
                        u32::MAX
                    } else {
                        i.wrapping_mul(0x9e37_79b9).rotate_left(i % 29)
                    }
                })
                .collect();
            for instructions in Instructions::each() {
                let mut cascades = vec![C::default(); per_clock];
                let mut counts = vec![C::Counter::default(); per_clock * LANES];
                for sample in 0..samples {
                    let block = per_clock * decimation;
                    C::sample(
                        instructions,
                        &mut cascades,
                        &words[sample * block..(sample + 1) * block],
                        &mut counts,
                    );
                    let end = (sample + 1) * decimation;
                    for (place, &count) in counts.iter().enumerate() {
                        let sum: u64 = weights
                            .iter()
                            .take(end)
                            .enumerate()
                            .map(|(age, weight)| {
                                let word = words[(end - 1 - age) * per_clock + place / LANES];
                                weight * (word >> (place % LANES) & 1) as u64
                            })
                            .sum();
                        assert_eq!(u64::from(count), sum, "{instructions:?} {order} {place}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_order_gives_the_sum_of_the_definition() {
        cascades_give_the_sum_of_the_definition::<Cascade<u16, 1>>(1);
        cascades_give_the_sum_of_the_definition::<Cascade<u16, 2>>(2);
        cascades_give_the_sum_of_the_definition::<Cascade<u16, 3>>(3);
        cascades_give_the_sum_of_the_definition::<Cascade<u32, 4>>(4);
        cascades_give_the_sum_of_the_definition::<Cascade<u32, 5>>(5);
    }
}
