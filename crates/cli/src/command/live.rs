//! `wavefield live`.

use std::path::PathBuf;

use wavefield::Error;
use wavefield::holography::{SoundFiles, Spec};
use wavefield::inputs::FolderInputs;
use wavefield::live::{Options, serve};
use wavefield::problem::Problem;

use super::interrupt;

/// Arguments of `wavefield live`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The problem file
    #[arg(default_value = "problem.toml")]
    problem: PathBuf,
    /// Port of the page; 0 selects a free port
    #[arg(long, default_value_t = 0)]
    port: u16,
}

pub(super) fn live(args: &Args) -> Result<(), Error> {
    let problem = Problem::read(&args.problem)?;
    let Some(spec) = problem.spec.downcast::<Spec>() else {
        return Err(Error::input(format!(
            "`wavefield live` requires the holography solver, not {}; use `wavefield run`",
            problem.solver()
        )));
    };
    let files = SoundFiles::read(spec, &FolderInputs::new(&problem.folder))?;
    let options = Options {
        port: args.port,
        title: problem.title.clone(),
        once: false,
    };
    serve(
        spec,
        &files.borrowed(),
        &options,
        &interrupt::switch(),
        &mut |address| {
            eprintln!("live holography at http://{address}; stop with Ctrl-C");
        },
    )
}
