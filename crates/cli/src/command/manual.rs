//! `wavefield man`.

use std::path::Path;

use wavefield::{Error, display_path};

/// Writes the man pages of the program and of every command.
pub(super) fn manual(folder: &Path) -> Result<(), Error> {
    std::fs::create_dir_all(folder).map_err(|error| Error::writing(folder, &error))?;
    clap_mangen::generate_to(super::definition(), folder)
        .map_err(|error| Error::writing(folder, &error))?;
    eprintln!(
        "wrote the man pages to {0}; read one with `man {0}/wavefield.1`",
        display_path(folder)
    );
    Ok(())
}
