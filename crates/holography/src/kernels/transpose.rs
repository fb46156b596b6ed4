//! Bit transposition from words of 32 channels at one clock cycle to words of 32 clock cycles of one channel.

use super::dispatch;

/// Blocks of bits transposed side by side.
const LANES: usize = 16;

/// Swaps the off-diagonal blocks of 2ʲ × 2ʲ bits for each j, which transposes row r and bit b.
#[inline(always)]
fn transpose(rows: &mut [[u32; LANES]; 32]) {
    for (width, mask) in [
        (16, 0x0000_ffff_u32),
        (8, 0x00ff_00ff),
        (4, 0x0f0f_0f0f),
        (2, 0x3333_3333),
        (1, 0x5555_5555),
    ] {
        for upper in (0..32).filter(|row| row & width == 0) {
            for lane in 0..LANES {
                let (a, b) = (rows[upper][lane], rows[upper | width][lane]);
                let swapped = (a >> width ^ b) & mask;
                rows[upper][lane] = a ^ swapped << width;
                rows[upper | width][lane] = b ^ swapped;
            }
        }
    }
}

#[inline(always)]
fn channel_words(words: &[u32], channels: &mut [u32]) {
    let per_clock = words.len() / 32;
    for first in (0..per_clock).step_by(LANES) {
        let count = LANES.min(per_clock - first);
        let mut rows = [[0; LANES]; 32];
        for (row, clock) in rows.iter_mut().zip(words.chunks_exact(per_clock)) {
            row[..count].copy_from_slice(&clock[first..first + count]);
        }
        transpose(&mut rows);
        for lane in 0..count {
            for (bit, row) in rows.iter().enumerate() {
                channels[(first + lane) * 32 + bit] = row[lane];
            }
        }
    }
}

dispatch! {
    /// Transposes 32 clock cycles of words to the 32 bits of every channel; the least significant bit is the first
    /// clock cycle.
    pub(crate) fn channel_bits(words: &[u32], channels: &mut [u32]) = channel_words
}

#[cfg(test)]
mod tests {
    use super::*;
    use wavefield_numerics::simd::InstructionSet;

    #[test]
    fn every_bit_arrives_at_its_channel_and_clock() {
        for per_clock in [2, 16, 32, 34] {
            let words: Vec<u32> = (0..32 * per_clock as u32)
                .map(|i| i.wrapping_mul(0x9e37_79b9).rotate_left(i % 31))
                .collect();
            for &instructions in InstructionSet::all() {
                let mut channels = vec![0; 32 * per_clock];
                channel_bits(instructions, &words, &mut channels);
                for (place, &bits) in channels.iter().enumerate() {
                    for clock in 0..32 {
                        let sent = words[clock * per_clock + place / 32] >> (place % 32) & 1;
                        assert_eq!(bits >> clock & 1, sent, "{instructions:?} {place} {clock}");
                    }
                }
            }
        }
    }
}
