//! `wavefield run --live`.

use std::path::Path;

use super::interrupt;
use crate::failure::Failure;
use crate::live::{Options, serve};
use crate::problem::{Problem, Spec};
use crate::sound_files::SoundFiles;

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
