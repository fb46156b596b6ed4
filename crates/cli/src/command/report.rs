//! `wavefield report`.

use std::path::Path;

use wavefield::result;
use wavefield::{Error, display_path};

pub(super) fn report(folder: &Path, figures: bool, quiet: bool) -> Result<(), Error> {
    let path = result::write_report(folder)?;
    let mut wrote = vec![display_path(&path).to_string()];
    if figures {
        wrote.push(format!(
            "{}/*.svg",
            display_path(&result::write_figures(folder)?)
        ));
    }
    if !quiet {
        eprintln!("wrote {}", wrote.join(", "));
    }
    Ok(())
}
