//! Planar near-field acoustic holography from the raw bits of microphone arrays.

#![deny(unsafe_code)]

mod array;
mod bitstream;
mod deviation;
mod error;
pub mod front_end;
mod hologram;
mod kernels;
mod microphone;
mod random;
mod sigma_delta;
mod source;

pub use array::{MicrophoneArray, Packing};
pub use bitstream::Bitstream;
pub use deviation::{nsad, relative_error, rmsre};
pub use error::Error;
pub use hologram::Hologram;
pub use microphone::{CLOCK_RATE, Microphone};
pub use random::Random;
pub use sigma_delta::{Modulator, NoiseTransfer};
pub use source::{Source, exact_hologram};
