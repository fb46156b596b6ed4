//! Fuzz target `read_msh`.

use wavefield_mesh::{AnyMesh, Limits};

/// Any bytes are rejected by `read_msh`, or give a valid mesh that can be inspected.
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
