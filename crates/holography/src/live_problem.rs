//! Real-time operation of a plan: stages, input, and choice of filters.

use crate::array::MicrophoneArray;
use crate::bitstream::Bitstream;
use crate::error::{Error, keyed};
use crate::filter::Filter;
use crate::front_end::Streaming;
use crate::input::{Input, Signal};
use crate::live::LiveHolography;
use crate::moving_sources::MovingSources;
use crate::plan::Plan;
use crate::reconstruction::PlanarHolography;
use crate::regularization::Regularization;
use crate::spec::FrontEndSpec;

/// Samples per hop: 683 µs.
const HOP: usize = 32;

/// Initial filter, until one is chosen from the first holograms; suited to a signal-to-noise ratio of 60 dB.
const BEFORE: Filter = Filter::ModifiedTikhonov { parameter: 1e-3 };

/// Streaming stages of a problem, and their input.
#[derive(Debug)]
pub struct LiveProblem {
    /// Stages; automatic filters have yet to be chosen from the first holograms.
    pub stages: LiveHolography,
    /// Input of the stages.
    pub sound: LiveSound,
    /// Reconstruction settings; [`PlanarHolography::filter`] chooses the filters.
    pub holography: PlanarHolography,
    /// Grid of the microphones.
    pub array: MicrophoneArray,
    /// Frequencies of the DFT bins, Hz.
    pub frequencies: Vec<f64>,
    /// Words per hop.
    pub hop_words: usize,
    /// z coordinate of the hologram plane, m.
    pub height: f64,
    /// z coordinate of the reconstruction plane, m.
    pub plane: f64,
}

/// Input of the streaming stages.
#[derive(Debug)]
pub enum LiveSound {
    /// Simulated sources, without end.
    Sources(Box<MovingSources>),
    /// Recorded PDM bits.
    Bits(Bitstream),
}

impl Plan {
    /// Prepares the problem for streaming.
    ///
    /// # Errors
    /// Returns [`Error::Key`] for unsupported features: a front end other than `streaming`, PCM samples, planar linear
    /// prediction, simulated microphones of an order other than 2.
    pub fn live(&self) -> Result<LiveProblem, Error> {
        let Input::Microphones(microphones) = self.input() else {
            let what = "recordings of PCM samples";
            return keyed("measurement.file", Err(Error::NotLive { what }));
        };
        let FrontEndSpec::Streaming { order } = microphones.front_end else {
            let what = "front ends other than `streaming`";
            return keyed("front_end", Err(Error::NotLive { what }));
        };
        let (array, holography) = (self.array(), self.holography());
        let filter = match holography.regularization {
            Regularization::Fixed(filter) => filter,
            Regularization::Automatic { .. } => BEFORE,
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
        let sound = match &microphones.signal {
            Signal::Bits(stream) => LiveSound::Bits(stream.clone()),
            Signal::Sources { sources, seed } => {
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
