//! A plan as it runs live: its stages, what they hear, and how their filters are found.

use crate::array::MicrophoneArray;
use crate::bitstream::Bitstream;
use crate::error::{Error, keyed};
use crate::filter::Filter;
use crate::front_end::Streaming;
use crate::input::{Heard, Input};
use crate::live::LiveHolography;
use crate::moving_sources::MovingSources;
use crate::plan::Plan;
use crate::reconstruction::PlanarHolography;
use crate::regularisation::Regularisation;
use crate::spec::FrontEndSpec;

/// Samples of a hop: 683 µs.
const HOP: usize = 32;

/// The filter of stages until one has been chosen from what they hear: it lets through what 60 dB above the noise can be
/// seen.
const BEFORE: Filter = Filter::ModifiedTikhonov { parameter: 1e-3 };

/// Stages laid out for a problem, and what they hear.
#[derive(Debug)]
pub struct LiveProblem {
    /// The stages; automatic filters are yet to be chosen from the first holograms.
    pub stages: LiveHolography,
    /// What they hear.
    pub sound: LiveSound,
    /// How filters are found: by [`PlanarHolography::filter`].
    pub holography: PlanarHolography,
    /// The microphones' grid.
    pub array: MicrophoneArray,
    /// Frequencies of the bins, Hz.
    pub frequencies: Vec<f64>,
    /// Words of a hop.
    pub hop_words: usize,
    /// Height of the array, metres.
    pub height: f64,
    /// Height of the plane, metres.
    pub plane: f64,
}

/// What live stages hear.
#[derive(Debug)]
pub enum LiveSound {
    /// Simulated sources, as long as one listens.
    Sources(Box<MovingSources>),
    /// Recorded bits.
    Bits(Bitstream),
}

impl Plan {
    /// Lays out the plan's problem as a stream.
    ///
    /// # Errors
    /// [`Error::Key`] with what is not computed live: another front end than `streaming`, recorded samples, planar
    /// linear prediction, simulated microphones of another order than 2.
    pub fn live(&self) -> Result<LiveProblem, Error> {
        let Input::Microphones(microphones) = self.input() else {
            let what = "a recording of samples";
            return keyed("measurement.file", Err(Error::NotLive { what }));
        };
        let FrontEndSpec::Streaming { order } = microphones.front_end else {
            let what = "a front end other than `streaming`";
            return keyed("front_end", Err(Error::NotLive { what }));
        };
        let (array, holography) = (self.array(), self.holography());
        let filter = match holography.regularisation {
            Regularisation::Fixed(filter) => filter,
            Regularisation::Automatic { .. } => BEFORE,
        };
        let frame = &microphones.frame;
        let stages = LiveHolography::new(
            *array,
            Streaming::new(frame.clone(), order, HOP)?,
            microphones.microphone.full_scale,
            &holography.fluid,
            &holography.border,
            self.distance(),
            &vec![filter; frame.bins().len()],
        );
        let stages = keyed("border", stages)?;
        let sound = match &microphones.heard {
            Heard::Bits(stream) => LiveSound::Bits(stream.clone()),
            Heard::Sources { sources, seed } => {
                let moving = MovingSources::new(
                    sources,
                    &holography.fluid,
                    array,
                    frame,
                    self.height(),
                    &microphones.microphone,
                    *seed,
                );
                LiveSound::Sources(Box::new(keyed("measurement.sources", moving)?))
            }
        };
        Ok(LiveProblem {
            hop_words: stages.hop_clocks() * frame.packing().words(),
            stages,
            sound,
            holography: *holography,
            array: *array,
            frequencies: self.frequencies(),
            height: self.height(),
            plane: self.height() - self.distance(),
        })
    }
}
