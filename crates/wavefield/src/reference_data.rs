//! Reference data that is not part of the program: measured and computed cross sections.

use std::path::PathBuf;

/// The folder of a data set: under `$WAVEFIELD_DATA`, or in `shared/data` beside this folder or
/// one above it.
pub fn find(set: &str) -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("WAVEFIELD_DATA") {
        let folder = PathBuf::from(folder).join(set);
        return folder.is_dir().then_some(folder);
    }
    let here = std::env::current_dir().ok()?;
    here.ancestors()
        .map(|above| above.join("shared").join("data").join(set))
        .find(|folder| folder.is_dir())
}

/// What to tell a person whose machine lacks the data.
pub fn missing(set: &str) -> String {
    format!("reference data `{set}` not found; set WAVEFIELD_DATA to the folder that holds it")
}
