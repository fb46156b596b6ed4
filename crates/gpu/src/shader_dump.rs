//! Text of every kernel that is compiled, written to the folder that `WAVEFIELD_SHADERS` names: for the translation to
//! other shading languages (`examples/translate_shaders.rs`).

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::PathBuf;

use crate::error::DeviceError;
use crate::kernel::KernelSource;

/// Name of the environment variable.
const FOLDER: &str = "WAVEFIELD_SHADERS";

/// Writes the text of a kernel with its entry point and constants as comments; equal kernels have one file.
pub(crate) fn write(source: &KernelSource<'_>) -> Result<(), DeviceError> {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else {
        return Ok(());
    };
    let mut text = format!("// entry: {}\n", source.entry);
    for (name, value) in source.constants {
        text += &format!("// constant: {name} = {value:?}\n");
    }
    text += source.wgsl;
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let name: String = (source.name.chars())
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let path = folder.join(format!("{name}-{:016x}.wgsl", hasher.finish()));
    let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, text));
    written.map_err(|error| DeviceError::Kernel {
        name: source.name.to_owned(),
        message: format!("cannot write {}: {error}", path.display()),
    })
}
