//! Front ends: from the PDM bits of a frame to a hologram for each bin of interest.
//!
//! | front end | decimation | spectrum |
//! |---|---|---|
//! | [`Nominal`] | CIC filter by 16, compensation by 2 | Hann window, real FFT of every channel |
//! | [`DotProducts`] | as nominal | Hann window, one dot product for each bin |
//! | [`BasicAveraging`] | means of 32 bits | Hann window, one dot product for each bin |
//! | [`WalshFourier`] | none | largest or all Walsh coefficients of the windowed wave |
//! | [`Streaming`] | CIC filter by 32 | sliding DFT by hops, Hann window in the frequency domain |
//!
//! Every front end is equivalent to a sum of weighted bits, [`WeightedBits`], the reference implementation.
//!
//! A front end computes the complex amplitude a of the tone a·e^{jωt} at every channel, relative to full scale, with
//! time zero at the first clock cycle of the frame. Filters settle during the lead-in before the frame
//! ([`FrontEnd::lead_in`]).

mod averaging;
mod cic;
mod compensation;
mod decimated_sums;
mod dot_products;
mod frame;
mod nominal;
mod streaming;
mod walsh;
mod walsh_fourier;
mod weighted_bits;

pub use averaging::BasicAveraging;
pub use cic::{CicDecimator, Decimator};
pub use compensation::Compensation;
pub use dot_products::DotProducts;
pub use frame::{DECIMATION, Frame};
pub use nominal::Nominal;
pub use streaming::Streaming;
pub use walsh::{rademacher, walsh, walsh_coefficient, walsh_fourier_row, walsh_transform};
pub use walsh_fourier::{Terms, WalshFourier};
pub use weighted_bits::WeightedBits;

use num_complex::Complex64;

use crate::array::MicrophoneArray;
use crate::bitstream::Bitstream;
use crate::error::{Error, long_as};
use crate::hologram::Hologram;

/// Conversion of PDM bits to complex amplitudes.
pub trait FrontEnd {
    /// Returns the frame and its bins.
    fn frame(&self) -> &Frame;

    /// Returns the clock cycles before the frame during which filters settle.
    fn lead_in(&self) -> usize;

    /// Computes the amplitudes of all channels, bin after bin, relative to full scale. `words` holds lead-in and frame.
    ///
    /// # Errors
    /// Returns [`Error::Length`] if `words` or `amplitudes` does not match the frame.
    fn amplitudes(&mut self, words: &[u32], amplitudes: &mut [Complex64]) -> Result<(), Error>;

    /// Returns the weight of each bit of lead-in and frame, as ±1, in the amplitude at a bin. The sum of weighted bits
    /// is equivalent to the front end.
    fn bit_weights(&self, bin: usize) -> Vec<Complex64>;

    /// Computes the holograms of all bins from the beginning of a bitstream, Pa, for microphones with the given full
    /// scale, Pa.
    ///
    /// # Errors
    /// Returns [`Error::Length`] if the bitstream is too short or belongs to another array.
    fn holograms(
        &mut self,
        stream: &Bitstream,
        array: &MicrophoneArray,
        full_scale: f64,
    ) -> Result<Vec<Hologram>, Error> {
        self.holograms_from(0, stream, array, full_scale)
    }

    /// Computes the holograms like [`FrontEnd::holograms`], with the lead-in beginning at a later clock cycle.
    ///
    /// # Errors
    /// Returns [`Error::Length`] if the bitstream is too short or belongs to another array.
    fn holograms_from(
        &mut self,
        first: usize,
        stream: &Bitstream,
        array: &MicrophoneArray,
        full_scale: f64,
    ) -> Result<Vec<Hologram>, Error> {
        let channels = self.frame().packing().channels();
        long_as("the array", channels, array.channels())?;
        let clocks = self.lead_in() + self.frame().clocks();
        let mut amplitudes = vec![Complex64::new(0.0, 0.0); channels * self.frame().bins().len()];
        self.amplitudes(stream.clocks_from(first, clocks)?, &mut amplitudes)?;
        self.frame()
            .bins()
            .iter()
            .zip(amplitudes.chunks_exact(channels))
            .map(|(&bin, values)| {
                let pressures = values.iter().map(|a| a * full_scale).collect();
                Hologram::new(*array, self.frame().frequency(bin), pressures)
            })
            .collect()
    }
}
