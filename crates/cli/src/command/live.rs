//! `wavefield run --live`.

use std::path::Path;

use wavefield::Error;
use wavefield::holography::{SoundFiles, Spec};
use wavefield::inputs::FolderInputs;
use wavefield::live::{Options, serve};
use wavefield::problem::Problem;

use super::interrupt;

pub(super) fn live(path: &Path, port: u16) -> Result<(), Error> {
    let problem = Problem::read(path)?;
    let Some(spec) = problem.spec.downcast::<Spec>() else {
        return Err(Error::input(format!(
            "only sound can be shown live, by `solver = \"holography\"`; the {} solver runs without --live",
            problem.solver()
        )));
    };
    let files = SoundFiles::read(spec, &FolderInputs::new(&problem.folder))?;
    let options = Options {
        port,
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
