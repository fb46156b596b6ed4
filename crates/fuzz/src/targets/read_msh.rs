//! Fuzz target `read_msh`.

use wavefield_mesh::{AnyMesh, Limits};

/// Whatever the bytes, `read_msh` either refuses them or returns a sound mesh that can be looked over.
pub fn read_msh(bytes: &[u8]) {
    if let Ok(loaded) = wavefield_mesh::read_msh(bytes, &Limits::default()) {
        let mesh = loaded.mesh;
        mesh.validate().expect("a mesh that was read is sound");
        match mesh {
            AnyMesh::Contour(contour) => drop(contour.curves()),
            AnyMesh::Surface(surface) => drop(surface.inspect()),
            AnyMesh::Volume(volume) => drop(volume.surface().inspect()),
        }
    }
}
