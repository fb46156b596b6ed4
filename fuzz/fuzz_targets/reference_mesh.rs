//! Whatever the bytes, a zipped mesh is refused or is a sound surface.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use wavefield::reference_data::read_zipped_surface;
use wavefield_fuzz::Scratch;

static FOLDER: LazyLock<Scratch> = LazyLock::new(Scratch::default);

fuzz_target!(|bytes: &[u8]| {
    let path = FOLDER.write("mesh.zip", bytes);
    if let Ok(mesh) = read_zipped_surface(&path) {
        mesh.validate().expect("a mesh that was read is sound");
    }
});
