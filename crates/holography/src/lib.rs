//! Planar near-field acoustic holography from the raw bits of microphone arrays.

#![deny(unsafe_code)]

mod angular_spectrum;
mod array;
mod bitstream;
mod border;
mod burg;
mod deviation;
mod error;
mod filter;
pub mod front_end;
mod hologram;
mod hop_ring;
mod kernels;
mod latency;
mod live;
mod microphone;
mod noise_level;
mod plane_transform;
mod propagator;
mod random;
mod reconstruction;
mod regularisation;
mod sigma_delta;
mod source;
mod wavenumber;

pub use angular_spectrum::AngularSpectrum;
pub use array::{MicrophoneArray, Packing};
pub use bitstream::Bitstream;
pub use border::{Border, Extended, Padding};
pub use burg::LinearPrediction;
pub use deviation::{nsad, relative_error, rmsre};
pub use error::Error;
pub use filter::Filter;
pub use hologram::Hologram;
pub use hop_ring::{HopReader, HopSource, TakenHop, hop_ring};
pub use latency::LatencyHistogram;
pub use live::LiveHolography;
pub use microphone::{CLOCK_RATE, Microphone};
pub use noise_level::noise_level;
pub use propagator::Propagator;
pub use random::Random;
pub use reconstruction::{PlanarHolography, Reconstruction};
pub use regularisation::{Family, Regularisation, Rule};
pub use sigma_delta::{Modulator, NoiseTransfer};
pub use source::{Source, exact_hologram};
pub use wavenumber::Wavenumbers;
