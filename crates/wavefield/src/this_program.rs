//! Path of the running executable, which starts runs and ranks.

use std::path::{Path, PathBuf};

use crate::Error;

/// Returns the path of the executable. Under Python the command was started by a script.
///
/// # Errors
/// [`Error::runtime`] if the system does not report it.
pub fn this_program() -> Result<PathBuf, Error> {
    let program = std::env::current_exe().map_err(|error| {
        Error::runtime(format!("cannot find the path of this executable: {error}"))
    })?;
    let is_ours = |path: &Path| path.file_stem().is_some_and(|name| name == "wavefield");
    let script = std::env::args_os().map(PathBuf::from).find(|p| is_ours(p));
    Ok(match script {
        Some(script) if !is_ours(&program) => script,
        _ => program,
    })
}
