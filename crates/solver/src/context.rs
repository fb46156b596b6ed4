//! What a plan needs from its caller while it executes.

use wavefield_gpu::Device;
use wavefield_numerics::observe::Observer;

use crate::checkpoint::Keeper;
use crate::ranks::Ranks;

/// The surroundings of a run. The thread pool is the rayon pool that the caller has installed.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Where to compute.
    pub device: &'a Device,
    /// Progress and cancellation.
    pub observer: &'a dyn Observer,
    /// Storage of finished sections, and the executor of independent tasks.
    pub checkpoints: &'a dyn Keeper,
    /// The processes that share this run, if there are several.
    pub ranks: Option<&'a Ranks>,
}
