//! Options of a run: device, threads, checkpoints, and the executor of tasks.

use std::time::Duration;

use wavefield_gpu::DeviceChoice;

use crate::ranks::Ranks;
use crate::workers::jobs::WorkerCommand;

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
    /// Executor of the tasks of a sweep.
    pub execution: Execution,
    /// Whether results of single tasks stay in the folder, so that a larger sweep reuses them.
    pub keep_task_results: bool,
    /// MPI ranks of the run, if there are several. All of them call the same function.
    pub ranks: Option<Ranks>,
}

/// Executor of the tasks of a sweep.
#[derive(Clone, Debug, Default)]
pub enum Execution {
    /// The threads of this process.
    #[default]
    Threads,
    /// Worker processes on this machine.
    Workers {
        /// Number of processes.
        count: usize,
        /// Command that starts a worker.
        command: WorkerCommand,
    },
}

impl Options {
    /// Returns the same options for a run by this process alone.
    pub(crate) fn alone(&self) -> Options {
        Options {
            execution: Execution::Threads,
            ranks: None,
            ..self.clone()
        }
    }
}
