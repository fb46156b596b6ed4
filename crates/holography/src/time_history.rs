//! Time history of the field: the field in the reconstruction plane at several times of a recording longer than a
//! frame.
//!
//! Frames are distributed over the recording and overlap by at most 75 %. All use the filter chosen for the first
//! frame, so that changes are those of the sound.

use num_complex::Complex64;
use wavefield_numerics::observe::{Observer, Progress};

use crate::error::Error;
use crate::filter::Filter;
use crate::hologram::Hologram;
use crate::input::{Input, Signal};
use crate::microphone::CLOCK_RATE;
use crate::plan::Plan;
use crate::reconstruction::PlanarHolography;
use crate::regularization::Regularization;

/// Maximum number of frames of a time history.
const MAX: usize = 48;

/// The field at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldSnapshot {
    /// Center of the frame, in seconds from the beginning of the recording.
    pub time: f64,
    /// Pressures in the reconstruction plane by frequency, row by row, Pa; time zero is the beginning of the frame.
    pub pressures: Vec<Vec<Complex64>>,
}

impl Plan {
    /// Returns the first clock cycle or sample of each frame; empty if there is only one frame.
    fn moments(&self) -> Vec<usize> {
        let (there, needed, frame) = match self.input() {
            Input::Microphones(microphones) => match &microphones.signal {
                Signal::Sources { .. } => return Vec::new(),
                Signal::Bits(stream) => {
                    let frame = microphones.frame.clocks();
                    (stream.clocks(), microphones.lead_in + frame, frame)
                }
            },
            Input::Samples(samples) => (samples.recording.frames(), samples.frame, samples.frame),
        };
        let Some(rest) = there.checked_sub(needed) else {
            return Vec::new();
        };
        let count = (1 + 4 * rest / frame).min(MAX);
        if count < 2 {
            return Vec::new();
        }
        (0..count).map(|k| k * rest / (count - 1)).collect()
    }

    /// Returns the number of frames in the time history.
    pub(crate) fn moment_count(&self) -> usize {
        self.moments().len()
    }

    /// Computes the fields of all frames with the filters of all frequencies.
    pub(crate) fn time_history(
        &self,
        filters: &[Filter],
        observer: &dyn Observer,
    ) -> Result<Vec<FieldSnapshot>, Error> {
        let moments = self.moments();
        let mut front_end = self.front_end()?;
        let total = moments.len() as u64;
        let mut fields = Vec::with_capacity(moments.len());
        for (number, first) in moments.into_iter().enumerate() {
            observer.checkpoint()?;
            let (time, holograms) = match (self.input(), &mut front_end) {
                (Input::Microphones(microphones), Some(front_end)) => {
                    let Signal::Bits(stream) = &microphones.signal else {
                        break;
                    };
                    let full_scale = microphones.microphone.full_scale;
                    let middle = first + microphones.lead_in + microphones.frame.clocks() / 2;
                    let found =
                        front_end.holograms_from(first, stream, self.array(), full_scale)?;
                    (middle as f64 / CLOCK_RATE, found)
                }
                (Input::Samples(samples), _) => {
                    let middle = (first + samples.frame / 2) as f64;
                    let time = middle / samples.recording.sample_rate();
                    (time, samples.holograms(first, self.array())?)
                }
                (Input::Microphones(_), None) => break,
            };
            let pressures = (holograms.iter().zip(filters))
                .map(|(hologram, filter)| self.pressures(hologram, filter))
                .collect::<Result<_, _>>()?;
            fields.push(FieldSnapshot { time, pressures });
            observer.progress(&Progress::new("time history", number as u64 + 1, total));
        }
        Ok(fields)
    }

    /// Returns the pressure in the reconstruction plane from a hologram and a filter.
    fn pressures(&self, hologram: &Hologram, filter: &Filter) -> Result<Vec<Complex64>, Error> {
        let holography = PlanarHolography {
            regularization: Regularization::Fixed(*filter),
            ..*self.holography()
        };
        let found = holography.back_propagate(hologram, self.distance())?;
        let field = found.spectrum.sound_field();
        Ok(field.iter().map(|field| field.pressure).collect())
    }
}
