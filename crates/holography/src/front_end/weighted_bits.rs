//! Reference implementation of every front end: the sum of weighted bits of a channel.

use num_complex::Complex64;
use rayon::prelude::*;

use super::FrontEnd;
use super::frame::Frame;
use crate::error::Error;

/// Amplitudes of another front end as direct sums in double precision, with which fast implementations are compared.
#[derive(Clone, Debug)]
pub struct WeightedBits {
    frame: Frame,
    lead_in: usize,
    /// Weight of each bit of lead-in and frame, by bin.
    weights: Vec<Vec<Complex64>>,
}

impl WeightedBits {
    /// Creates the direct sums equivalent to `front_end`.
    pub fn new(front_end: &dyn FrontEnd) -> Self {
        let frame = front_end.frame().clone();
        Self {
            weights: frame
                .bins()
                .iter()
                .map(|&bin| front_end.bit_weights(bin))
                .collect(),
            lead_in: front_end.lead_in(),
            frame,
        }
    }

    /// Returns the weights of all bits, by bin.
    pub(crate) fn weights(&self) -> &[Vec<Complex64>] {
        &self.weights
    }
}

impl FrontEnd for WeightedBits {
    fn frame(&self) -> &Frame {
        &self.frame
    }

    fn lead_in(&self) -> usize {
        self.lead_in
    }

    fn amplitudes(&mut self, words: &[u32], amplitudes: &mut [Complex64]) -> Result<(), Error> {
        self.frame.check(self.lead_in, words, amplitudes)?;
        let packing = self.frame.packing();
        let (per_clock, channels) = (packing.words(), packing.channels());
        for (weights, amplitudes) in self
            .weights
            .iter()
            .zip(amplitudes.chunks_exact_mut(channels))
        {
            let sums: Vec<[Complex64; 32]> = (0..per_clock)
                .into_par_iter()
                .map(|word| {
                    let mut sums = [Complex64::new(0.0, 0.0); 32];
                    for (clock, weight) in words.chunks_exact(per_clock).zip(weights) {
                        for (bit, sum) in sums.iter_mut().enumerate() {
                            let is_one = clock[word] >> bit & 1 == 1;
                            *sum += if is_one { *weight } else { -weight };
                        }
                    }
                    sums
                })
                .collect();
            for (place, &sum) in sums.iter().flatten().enumerate() {
                amplitudes[packing.channel_at(place)] = sum;
            }
        }
        Ok(())
    }

    fn bit_weights(&self, bin: usize) -> Vec<Complex64> {
        match self.frame.bins().iter().position(|&other| other == bin) {
            Some(index) => self.weights[index].clone(),
            None => vec![Complex64::new(0.0, 0.0); self.lead_in + self.frame.clocks()],
        }
    }
}
