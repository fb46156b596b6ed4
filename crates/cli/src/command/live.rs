//! `wavefield live`.

use std::path::PathBuf;

use clap::Args;
use wavefield::Error;
use wavefield::holography::{SoundFiles, Spec};
use wavefield::inputs::FolderInputs;
use wavefield::live::{Options, serve};
use wavefield::problem::Problem;

use super::interrupt;

/// What `wavefield live` is asked for.
#[derive(Debug, Args)]
pub(super) struct Asked {
    /// The problem file
    #[arg(default_value = "problem.toml")]
    problem: PathBuf,
    /// Port of the page; a free one if 0
    #[arg(long, default_value_t = 0)]
    port: u16,
}

pub(super) fn live(asked: &Asked) -> Result<(), Error> {
    let problem = Problem::read(&asked.problem)?;
    let Some(spec) = problem.spec.downcast::<Spec>() else {
        return Err(Error::input(format!(
            "`wavefield live` needs the holography solver, and the problem is for {}; use `wavefield run`",
            problem.solver()
        )));
    };
    let files = SoundFiles::read(spec, &FolderInputs::new(&problem.folder))?;
    let options = Options {
        port: asked.port,
        title: problem.title.clone(),
        once: false,
    };
    serve(
        spec,
        &files.borrowed(),
        &options,
        &interrupt::switch(),
        &mut |address| {
            eprintln!("http://{address} shows the sound; Ctrl-C ends it");
        },
    )
}
