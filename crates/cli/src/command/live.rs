//! `wavefield run --live`.

use std::path::Path;

use wavefield::failure::Failure;
use wavefield::live::{Options, serve};
use wavefield::problem::{Problem, Spec};
use wavefield::sound_files::SoundFiles;

use super::interrupt;

pub(super) fn live(path: &Path, port: u16) -> Result<(), Failure> {
    let problem = Problem::read(path)?;
    let Spec::Holography(spec) = &problem.spec else {
        return Err(Failure::Input(format!(
            "only sound can be shown live, by `solver = \"holography\"`; the {} solver runs without --live",
            problem.solver()
        )));
    };
    let files = SoundFiles::read(spec, &problem.folder)?;
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
