//! `wavefield report`.

use std::path::Path;

use wavefield::failure::{Failure, shown};
use wavefield::result;

pub(super) fn report(folder: &Path, figures: bool, quiet: bool) -> Result<(), Failure> {
    let path = result::write_report(folder)?;
    let mut wrote = vec![shown(&path).to_string()];
    if figures {
        wrote.push(format!("{}/*.svg", shown(&result::write_figures(folder)?)));
    }
    if !quiet {
        eprintln!("wrote {}", wrote.join(", "));
    }
    Ok(())
}
