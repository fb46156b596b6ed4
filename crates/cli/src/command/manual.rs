//! `wavefield man`.

use std::path::Path;

use wavefield::result::write_file;
use wavefield::{Error, display_path};

/// Writes the man pages of the program and of every command.
pub(super) fn manual(folder: &Path) -> Result<(), Error> {
    std::fs::create_dir_all(folder).map_err(|error| Error::writing(folder, &error))?;
    let mut definition = super::definition().disable_help_subcommand(true);
    definition.build();
    let commands = definition
        .get_subcommands()
        .filter(|command| !command.is_hide_set());
    for command in commands.chain([&definition]) {
        let page = clap_mangen::Man::new(command.clone());
        let path = folder.join(page.get_filename());
        let mut text = Vec::new();
        page.render(&mut text)
            .map_err(|error| Error::writing(&path, &error))?;
        // `clap_mangen` would follow a link of this name.
        write_file(&path, &text)?;
    }
    eprintln!(
        "wrote the man pages to {0}; read one with `man {0}/wavefield.1`",
        display_path(folder)
    );
    Ok(())
}
