//! `wavefield worker`: runs tasks for the process that started it.

use std::path::PathBuf;

use wavefield::Error;
use wavefield::run::{Options, RunRequest};
use wavefield_gpu::DeviceChoice;

/// Arguments of a worker.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
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

pub(super) fn worker(args: &Args) -> Result<(), Error> {
    let options = Options {
        device: args.device.clone(),
        threads: args.threads,
        ..Options::default()
    };
    RunRequest::read(&args.problem, args.solver.as_deref())?.serve(&options, &args.out)
}
