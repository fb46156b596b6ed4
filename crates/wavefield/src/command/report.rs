//! `wavefield report`.

use std::path::Path;

use crate::failure::{Failure, shown};
use crate::report::page;
use crate::result;

pub(super) fn report(folder: &Path) -> Result<(), Failure> {
    let (record, outcome) = result::read(folder)?;
    let path = folder.join("report.html");
    result::write_file(&path, page(&record, &outcome).as_bytes())?;
    eprintln!("wrote {}", shown(&path));
    Ok(())
}
