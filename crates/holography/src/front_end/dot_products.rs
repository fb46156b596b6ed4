//! n dot products: the nominal samples, but only the sums of the bins of interest.
//!
//! Compensation and the sum are both linear: Σᵢ wᵢ Σₜ hₜ y₂ᵢ₊ₜ is one sum over the samples of the combs, whose weights
//! are made once. It pays as long as that sum costs less than an FFT, which computes everything else as well.

use num_complex::Complex64;

use super::FrontEnd;
use super::compensation::HALVING;
use super::decimated_sums::{DecimatedSums, narrowed};
use super::frame::Frame;
use super::nominal::Filters;
use crate::error::Error;

/// Cascaded combs, then one sum for each bin that compensates as well.
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
    /// The front end for a frame.
    ///
    /// # Errors
    /// None for a frame that was made.
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
                let (centre, response) = filters.centre_and_response(&frame, bin);
                let mut folded = vec![Complex64::new(0.0, 0.0); count];
                let weights = frame.weights(bin, centre, response);
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
