//! `wavefield worker`: tasks for another process that has started this one.

use std::path::PathBuf;

use clap::Args;
use wavefield::Error;
use wavefield::run::{Options, RunRequest};
use wavefield_gpu::DeviceChoice;

/// What a worker is told when it is started.
#[derive(Debug, Args)]
pub(super) struct Asked {
    /// The problem file
    problem: PathBuf,
    /// Solver, where the problem file is for several
    #[arg(long)]
    solver: Option<String>,
    /// Folder of the results of variations
    #[arg(long)]
    out: PathBuf,
    /// Where to compute
    #[arg(long, default_value = "auto")]
    device: DeviceChoice,
    /// Threads on the CPU
    #[arg(long)]
    threads: Option<usize>,
}

pub(super) fn worker(asked: &Asked) -> Result<(), Error> {
    let options = Options {
        device: asked.device.clone(),
        threads: asked.threads,
        ..Options::default()
    };
    RunRequest::read(&asked.problem, asked.solver.as_deref())?.serve(&options, &asked.out)
}
