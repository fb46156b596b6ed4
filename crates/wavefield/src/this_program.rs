//! Where this program is, to be started again.

use std::path::{Path, PathBuf};

use crate::Error;

/// Returns the path of this program. Inside Python the command was started by a script.
///
/// # Errors
/// [`Error::runtime`] where the system does not tell it.
pub fn this_program() -> Result<PathBuf, Error> {
    let program = std::env::current_exe()
        .map_err(|error| Error::runtime(format!("this program cannot find itself: {error}")))?;
    let is_ours = |path: &Path| path.file_stem().is_some_and(|name| name == "wavefield");
    let script = std::env::args_os().map(PathBuf::from).find(|p| is_ours(p));
    Ok(match script {
        Some(script) if !is_ours(&program) => script,
        _ => program,
    })
}
