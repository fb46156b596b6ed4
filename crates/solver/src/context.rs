//! The environment that the caller provides to a plan during execution.

use wavefield_gpu::Device;
use wavefield_numerics::observe::Observer;

use crate::checkpoint::CheckpointStore;
use crate::ranks::Ranks;

/// Execution environment of a run. The thread pool is the rayon pool that the caller has installed.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Device that computes: CPU or GPU.
    pub device: &'a Device,
    /// Receiver of progress, and source of cancellation.
    pub observer: &'a dyn Observer,
    /// Storage of checkpoint sections, and the executor of independent tasks.
    pub checkpoints: &'a dyn CheckpointStore,
    /// Processes (MPI ranks) that share this run; `None` for a single process.
    pub ranks: Option<&'a Ranks>,
}
