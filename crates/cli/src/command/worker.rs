//! `wavefield worker`: runs tasks for the process that started it.

use std::path::PathBuf;

use clap::Args;
use wavefield::Error;
use wavefield::run::{Options, RunRequest};
use wavefield_gpu::DeviceChoice;

/// Arguments of a worker.
#[derive(Debug, Args)]
pub(super) struct Asked {
    /// The problem file
    problem: PathBuf,
    /// Solver, if the problem file is for several
    #[arg(long)]
    solver: Option<String>,
    /// Folder for the results of variations
    #[arg(long)]
    out: PathBuf,
    /// Device: auto, cpu, gpu, or gpu:NAME
    #[arg(long, default_value = "auto")]
    device: DeviceChoice,
    /// Number of CPU threads
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
