//! Fuzz target `reference_mesh`.

use std::sync::LazyLock;

use crate::scratch::Scratch;
use wavefield_validation::reference_data::read_zipped_surface;

static FOLDER: LazyLock<Scratch> = LazyLock::new(Scratch::default);

/// Any bytes are rejected as a zipped mesh, or give a valid surface.
pub fn reference_mesh(bytes: &[u8]) {
    let path = FOLDER.write("mesh.zip", bytes);
    if let Ok(mesh) = read_zipped_surface(&path) {
        mesh.validate().expect("a mesh that was read is sound");
    }
}
