//! Fast Walsh–Hadamard transform by butterflies.

use super::dispatch;

#[inline(always)]
fn butterflies(data: &mut [i32], lanes: usize) {
    let mut half = lanes;
    while half < data.len() {
        for pair in data.chunks_exact_mut(2 * half) {
            let (left, right) = pair.split_at_mut(half);
            for (a, b) in left.iter_mut().zip(right) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
}

dispatch! {
    /// Transforms `lanes` series side by side in place, in Hadamard order: Σ xₙ (−1)^{popcount(k AND n)}. The number of
    /// points must be a power of two.
    pub(crate) fn transform(data: &mut [i32], lanes: usize) = butterflies
}

#[cfg(test)]
mod tests {
    use super::*;
    use wavefield_numerics::simd::InstructionSet;

    #[test]
    fn the_fast_transform_is_the_sum_it_stands_for() {
        let (points, lanes) = (64_usize, 5);
        let values: Vec<i32> = (0..(points * lanes) as i32)
            .map(|i| (i * i * 31 + 7 * i) % 101 - 50)
            .collect();
        for &instructions in InstructionSet::all() {
            let mut fast = values.clone();
            transform(instructions, &mut fast, lanes);
            for k in 0..points {
                for lane in 0..lanes {
                    let sum: i32 = (0..points)
                        .map(|n| {
                            let sign = 1 - 2 * ((k & n).count_ones() as i32 & 1);
                            sign * values[n * lanes + lane]
                        })
                        .sum();
                    assert_eq!(fast[k * lanes + lane], sum);
                }
            }
        }
    }
}
