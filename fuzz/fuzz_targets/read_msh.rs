//! Whatever the bytes, `read_msh` either refuses them or returns a sound mesh that can be looked over.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wavefield_mesh::{AnyMesh, Limits, read_msh};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(loaded) = read_msh(bytes, &Limits::default()) {
        let mesh = loaded.mesh;
        mesh.validate().expect("a mesh that was read is sound");
        match mesh {
            AnyMesh::Contour(contour) => drop(contour.curves()),
            AnyMesh::Surface(surface) => drop(surface.inspect()),
            AnyMesh::Volume(volume) => drop(volume.surface().inspect()),
        }
    }
});
