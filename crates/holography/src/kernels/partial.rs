//! Weighted sums over a few samples of every channel: the contribution of a hop to a DFT line.

use super::dispatch;

/// Samples processed in one pass over the sums.
const TOGETHER: usize = 4;

/// Computes Σᵢ wᵢ yᵢ for every channel, real parts followed by imaginary parts; `samples` holds all channels of the
/// first sample, then of the second.
#[inline(always)]
fn sums(samples: &[f32], weights: &[[f32; 2]], sums: &mut [f32]) {
    let channels = sums.len() / 2;
    let (real, imaginary) = sums.split_at_mut(channels);
    real.fill(0.0);
    imaginary.fill(0.0);
    let rows = samples.chunks_exact(TOGETHER * channels);
    let (left, quads) = (rows.remainder(), weights.chunks_exact(TOGETHER));
    let last = quads.remainder();
    for (rows, w) in rows.zip(quads) {
        let (a, rest) = rows.split_at(channels);
        let (b, rest) = rest.split_at(channels);
        let (c, d) = rest.split_at(channels);
        for i in 0..channels {
            real[i] = real[i] + w[0][0] * a[i] + w[1][0] * b[i] + w[2][0] * c[i] + w[3][0] * d[i];
            imaginary[i] =
                imaginary[i] + w[0][1] * a[i] + w[1][1] * b[i] + w[2][1] * c[i] + w[3][1] * d[i];
        }
    }
    for (row, w) in left.chunks_exact(channels).zip(last) {
        for i in 0..channels {
            real[i] += w[0] * row[i];
            imaginary[i] += w[1] * row[i];
        }
    }
}

dispatch! {
    /// Computes Σᵢ wᵢ yᵢ for every channel, real parts followed by imaginary parts; `samples` holds all channels of the
    /// first sample, then of the second.
    pub(crate) fn weighted_sums(samples: &[f32], weights: &[[f32; 2]], out: &mut [f32]) = sums
}

/// Channels filtered together: their sums stay in registers, and the rows of all taps in the L1 cache.
const WIDE: usize = 64;

/// Rows of samples with a constant stride.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    /// Samples of all rows.
    pub(crate) samples: &'a [f32],
    /// Stride between rows; not a power of two, to avoid cache set conflicts between the rows of a channel.
    pub(crate) stride: usize,
}

#[inline(always)]
fn filter(rows: Rows<'_>, taps: &[f32], step: usize, channels: usize, out: &mut [f32]) {
    for first in (0..channels).step_by(WIDE) {
        let width = WIDE.min(channels - first);
        for (i, out) in out.chunks_exact_mut(channels).enumerate() {
            let from = &rows.samples[step * i * rows.stride + first..];
            let mut sums = [0.0; WIDE];
            if width == WIDE {
                for (row, h) in from.chunks(rows.stride).zip(taps) {
                    for (sum, y) in sums.iter_mut().zip(&row[..WIDE]) {
                        *sum += h * y;
                    }
                }
            } else {
                for (row, h) in from.chunks(rows.stride).zip(taps) {
                    for (sum, y) in sums.iter_mut().zip(&row[..width]) {
                        *sum += h * y;
                    }
                }
            }
            out[first..first + width].copy_from_slice(&sums[..width]);
        }
    }
}

dispatch! {
    /// Computes Σₜ hₜ yₜ of every channel for rows that begin `step` rows after each other.
    pub(crate) fn filtered(rows: Rows<'_>, taps: &[f32], step: usize, channels: usize, out: &mut [f32]) = filter
}

/// Adds new values to the sums and subtracts old ones, quantized to 1/`steps`; sums of integers do not drift.
#[inline(always)]
fn slide(new: &[f32], steps: f32, old: &mut [i32], total: &mut [i32]) {
    for ((new, old), total) in new.iter().zip(old).zip(total) {
        let new = (new * steps).round_ties_even() as i32;
        *total += new - *old;
        *old = new;
    }
}

dispatch! {
    /// Adds new values to the sums and subtracts old ones, quantized to 1/`steps`; sums of integers do not drift.
    pub(crate) fn replace(new: &[f32], steps: f32, old: &mut [i32], total: &mut [i32]) = slide
}

#[cfg(test)]
mod tests {
    use super::*;
    use wavefield_numerics::simd::InstructionSet;

    #[test]
    fn vectors_give_the_sums_of_the_definition() {
        for (channels, hop) in [(64, 32), (33, 7)] {
            let samples: Vec<f32> = (0..(channels * hop) as i32)
                .map(|i| ((i * 7919) % 4001 - 2000) as f32)
                .collect();
            let weights: Vec<[f32; 2]> = (0..hop)
                .map(|i| [(i as f32 * 0.3).cos(), -(i as f32 * 0.3).sin()])
                .collect();
            let mut bits: Option<Vec<f32>> = None;
            for &instructions in InstructionSet::all() {
                let mut fast = vec![0.0; 2 * channels];
                weighted_sums(instructions, &samples, &weights, &mut fast);
                for channel in 0..channels {
                    for part in 0..2 {
                        let sum: f64 = (0..hop)
                            .map(|i| {
                                f64::from(weights[i][part])
                                    * f64::from(samples[i * channels + channel])
                            })
                            .sum();
                        // About thirty single-precision roundings in sums of magnitude 10⁴.
                        let error = f64::from(fast[part * channels + channel]) - sum;
                        assert!(error.abs() < 0.05, "{instructions:?} {error}");
                    }
                }
                let taps: Vec<f32> = weights.iter().map(|w| w[0]).collect();
                let (stride, step, count) = (channels + 3, 2, 3);
                let rows: Vec<f32> = (0..((hop + step * (count - 1)) * stride) as i32)
                    .map(|i| ((i * 7919) % 401 - 200) as f32)
                    .collect();
                let mut outputs = vec![0.0; count * channels];
                let all = Rows {
                    samples: &rows,
                    stride,
                };
                filtered(instructions, all, &taps, step, channels, &mut outputs);
                for (i, found) in outputs.iter().enumerate() {
                    let (row, channel) = (i / channels * step, i % channels);
                    let sum: f64 = (0..hop)
                        .map(|t| f64::from(taps[t]) * f64::from(rows[(row + t) * stride + channel]))
                        .sum();
                    // About thirty roundings in sums of magnitude 10³.
                    assert!((f64::from(*found) - sum).abs() < 5e-3, "{instructions:?}");
                }
                assert_eq!(bits.get_or_insert_with(|| fast.clone()), &fast);
            }
        }
    }

    #[test]
    fn sliding_sums_forget_what_has_left() {
        for &instructions in InstructionSet::all() {
            let (mut old, mut total) = (vec![[0; 8]; 3], vec![0; 8]);
            for hop in 0..20 {
                let new: Vec<f32> = (0..8).map(|i| ((hop * 8 + i) as f32 * 1.7).sin()).collect();
                replace(instructions, &new, 1000.0, &mut old[hop % 3], &mut total);
                let sums: Vec<i32> = (0..8).map(|i| old.iter().map(|o| o[i]).sum()).collect();
                assert_eq!(total, sums);
            }
        }
    }
}
