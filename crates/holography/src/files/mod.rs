//! Recordings and what belongs to them, from the bytes of files: sounds as WAV or Acoular's HDF5, places and
//! calibrations of microphones as Acoular's XML. Nothing here touches a disk, and whatever the bytes, readers refuse
//! them with a reason or return what is sound; lengths are checked before anything is allocated for them.

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

/// Most channels of a recording.
const MOST_CHANNELS: usize = 1 << 15;

/// Least and most samples per second that make sense.
const RATES: [f64; 2] = [100.0, 10e6];

/// The kinds of files that hold sound, known by how they begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SoundFormat {
    /// Samples as RIFF/WAVE or RF64.
    Wav,
    /// Samples as HDF5 with Acoular's names.
    Acoular,
    /// Anything else: the packed bits of microphones, which have no head.
    Bits,
}

impl SoundFormat {
    /// What a file holds that begins like this.
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
