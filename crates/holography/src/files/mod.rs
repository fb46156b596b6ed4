//! Readers of recordings (WAV, Acoular's HDF5), microphone positions, and calibration factors (Acoular's XML). Readers
//! work on bytes in memory and never panic on malformed input; lengths are validated before memory is allocated.

mod acoular;
mod calibration;
mod error;
mod microphones;
mod wav;

pub use acoular::read_acoular;
pub use calibration::read_calibration;
pub use error::FileError;
pub use microphones::{MicrophonePlace, read_microphones};
pub use wav::read_wav;

/// Maximum number of channels of a recording.
const MAX_CHANNELS: usize = 1 << 15;

/// Minimum and maximum sampling rate, Hz.
const RATES: [f64; 2] = [100.0, 10e6];

/// Format of a recording, detected from its signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SoundFormat {
    /// PCM samples in RIFF/WAVE or RF64.
    Wav,
    /// PCM samples in Acoular's HDF5 format.
    Acoular,
    /// Packed PDM bits, which have no header; any other signature.
    Bits,
}

impl SoundFormat {
    /// Detects the format from the first bytes of a file.
    pub fn of(bytes: &[u8]) -> Self {
        if wav::is_wav(bytes) {
            Self::Wav
        } else if acoular::is_hdf5(bytes) {
            Self::Acoular
        } else {
            Self::Bits
        }
    }
}
