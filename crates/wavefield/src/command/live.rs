//! `wavefield run --live`.

use std::path::Path;

use wavefield_compute::observe::Cancel;

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
    let stop = Cancel::new();
    let switch = stop.clone();
    // Inside Python another handler is in place already, which ends the program in its own way.
    if let Err(error) = ctrlc::try_set_handler(move || switch.request()) {
        tracing::debug!("no handler for interrupts: {error}");
    }
    let options = Options {
        port,
        title: problem.title.clone(),
        once: false,
    };
    serve(spec, &files.borrowed(), &options, &stop, &mut |address| {
        eprintln!("http://{address} shows the sound; Ctrl-C ends it");
    })
}
