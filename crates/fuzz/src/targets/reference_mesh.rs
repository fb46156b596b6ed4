//! Fuzz target `reference_mesh`.

use std::sync::LazyLock;

use crate::scratch::Scratch;
use wavefield_validation::reference_data::read_zipped_surface;

static FOLDER: LazyLock<Scratch> = LazyLock::new(Scratch::default);

/// Whatever the bytes, a zipped mesh is refused or is a sound surface.
pub fn reference_mesh(bytes: &[u8]) {
    let path = FOLDER.write("mesh.zip", bytes);
    if let Ok(mesh) = read_zipped_surface(&path) {
        mesh.validate().expect("a mesh that was read is sound");
    }
}
