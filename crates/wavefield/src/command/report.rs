//! `wavefield report`.

use std::path::Path;

use crate::failure::{Failure, shown};
use crate::result;

pub(super) fn report(folder: &Path) -> Result<(), Failure> {
    let path = result::write_report(folder)?;
    eprintln!("wrote {}", shown(&path));
    Ok(())
}
