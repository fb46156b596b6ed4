//! Planar near-field acoustic holography from the raw bits of microphone arrays.

#![deny(unsafe_code)]

mod array;
mod bitstream;
mod error;
mod hologram;
mod microphone;
mod random;
mod sigma_delta;
mod source;

pub use array::{MicrophoneArray, Packing};
pub use bitstream::Bitstream;
pub use error::Error;
pub use hologram::Hologram;
pub use microphone::{CLOCK_RATE, Microphone};
pub use random::Random;
pub use sigma_delta::{Modulator, NoiseTransfer};
pub use source::{Source, exact_hologram};
