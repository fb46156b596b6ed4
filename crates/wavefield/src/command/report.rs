//! `wavefield report`.

use std::path::Path;

use crate::failure::{Failure, shown};
use crate::result;

pub(super) fn report(folder: &Path, figures: bool) -> Result<(), Failure> {
    let path = result::write_report(folder)?;
    eprintln!("wrote {}", shown(&path));
    if figures {
        let path = result::write_figures(folder)?;
        eprintln!("wrote the figures to {}", shown(&path));
    }
    Ok(())
}
