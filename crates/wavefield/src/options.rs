//! Options of a run: device, threads, and checkpoints.

use std::time::Duration;

use wavefield_gpu::DeviceChoice;

use crate::ranks::Ranks;

/// Options of a run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Device.
    pub device: DeviceChoice,
    /// Number of CPU threads; all by default.
    pub threads: Option<usize>,
    /// Whether a run into a folder resumes from the checkpoint that an interrupted one left there.
    pub resume: bool,
    /// Interval between checkpoints; 30 s by default, or longer on a slow disk.
    pub checkpoint_interval: Option<Duration>,
    /// Whether results of single tasks stay in the folder, so that a larger sweep reuses them.
    pub keep_task_results: bool,
    /// MPI ranks of the run, if there are several. All of them call the same function.
    pub ranks: Option<Ranks>,
}

impl Options {
    /// Returns the same options for a run by this process alone.
    pub(crate) fn alone(&self) -> Options {
        Options {
            ranks: None,
            ..self.clone()
        }
    }
}
