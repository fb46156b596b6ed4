//! Dot products: the samples of the nominal front end, but only the DFT bins of interest.
//!
//! Compensation and DFT are linear: Σᵢ wᵢ Σₜ hₜ y₂ᵢ₊ₜ is one dot product with the CIC samples, whose weights are
//! precomputed. It is faster than an FFT, which computes all bins, if there are few bins.

use num_complex::Complex64;

use super::FrontEnd;
use super::compensation::HALVING;
use super::decimated_sums::{DecimatedSums, narrowed};
use super::frame::Frame;
use super::nominal::Filters;
use crate::error::Error;

/// CIC filter, then one dot product for each bin that includes the compensation.
pub struct DotProducts {
    frame: Frame,
    filters: Filters,
    sums: DecimatedSums,
}

impl std::fmt::Debug for DotProducts {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("DotProducts")
            .field("frame", &self.frame)
            .finish_non_exhaustive()
    }
}

impl DotProducts {
    /// Creates the front end for a frame.
    ///
    /// # Errors
    /// None for a valid frame.
    pub fn new(frame: Frame) -> Result<Self, Error> {
        let filters = Filters::new()?;
        let lead_in = filters.lead_in();
        let first = filters.first_sample();
        let count = (lead_in + frame.clocks()) / filters.combs.decimation();
        let taps = filters.compensation.taps();
        let weights = frame
            .bins()
            .iter()
            .map(|&bin| {
                let (center, response) = filters.center_and_response(&frame, bin);
                let mut folded = vec![Complex64::new(0.0, 0.0); count];
                let weights = frame.weights(bin, center, response);
                for (i, weight) in weights.iter().enumerate() {
                    let from = first + HALVING * i;
                    for (sum, tap) in folded[from..from + taps.len()].iter_mut().zip(taps) {
                        *sum += weight * tap;
                    }
                }
                narrowed(&folded)
            })
            .collect();
        Ok(Self {
            sums: DecimatedSums::new(frame.packing(), &filters.combs, weights),
            filters,
            frame,
        })
    }
}

impl FrontEnd for DotProducts {
    fn frame(&self) -> &Frame {
        &self.frame
    }

    fn lead_in(&self) -> usize {
        self.filters.lead_in()
    }

    fn bit_weights(&self, bin: usize) -> Vec<Complex64> {
        self.filters.bit_weights(&self.frame, bin)
    }

    fn amplitudes(&mut self, words: &[u32], amplitudes: &mut [Complex64]) -> Result<(), Error> {
        self.frame.check(self.lead_in(), words, amplitudes)?;
        self.sums.compute(words, amplitudes)
    }
}
