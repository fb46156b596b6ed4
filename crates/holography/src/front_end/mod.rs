//! From the bits of a frame to a hologram for each bin of interest: five ways behind one trait.
//!
//! | front end | filter | spectrum |
//! |---|---|---|
//! | [`Nominal`] | cascaded combs by 16, compensation by 2 | Hann, real FFT of every channel |
//! | [`DotProducts`] | the same | Hann, one sum for each bin |
//! | [`BasicAveraging`] | means of 32 bits | Hann, one sum for each bin |
//! | [`WalshFourier`] | none | the largest Walsh coefficients of Hann's window times the wave, or all |
//! | [`Streaming`] | cascaded combs by 32 | sums of hops, Hann in the spectrum |
//!
//! Each amounts to a sum of weighted bits, [`WeightedBits`], which is their plain twin.
//!
//! Each gives the complex amplitude a of the tone a·e^{jωt} at every channel, in full scales, with time zero at the
//! first clock of the frame. A frame begins after the clocks that filters need to fill ([`FrontEnd::lead_in`]).

mod averaging;
mod comb_filter;
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
pub use comb_filter::{CombFilter, Decimator};
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

/// A way from bits to complex amplitudes.
pub trait FrontEnd {
    /// What a frame is and which bins are computed.
    fn frame(&self) -> &Frame;

    /// Clocks before the frame that filters need.
    fn lead_in(&self) -> usize;

    /// The amplitudes of all channels, bin after bin, in full scales. `words` hold the lead-in and the frame.
    ///
    /// # Errors
    /// [`Error::Length`] when `words` or `amplitudes` do not have the length of the frame.
    fn amplitudes(&mut self, words: &[u32], amplitudes: &mut [Complex64]) -> Result<(), Error>;

    /// What each bit of lead-in and frame, as ±1, weighs in the amplitude at a bin of the frame: whatever a front end
    /// does on its way, what it computes is this sum.
    fn bit_weights(&self, bin: usize) -> Vec<Complex64>;

    /// Holograms of all bins in Pa, from the beginning of a stream of microphones with this full scale.
    ///
    /// # Errors
    /// [`Error::Length`] when the stream is too short or belongs to another array.
    fn holograms(
        &mut self,
        stream: &Bitstream,
        array: &MicrophoneArray,
        full_scale: f64,
    ) -> Result<Vec<Hologram>, Error> {
        self.holograms_from(0, stream, array, full_scale)
    }

    /// The same from a later clock of the stream on, where the lead-in begins.
    ///
    /// # Errors
    /// [`Error::Length`] when the stream is too short or belongs to another array.
    fn holograms_from(
        &mut self,
        first: usize,
        stream: &Bitstream,
        array: &MicrophoneArray,
        full_scale: f64,
    ) -> Result<Vec<Hologram>, Error> {
        let channels = self.frame().packing().channels();
        long_as("an array", channels, array.channels())?;
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
