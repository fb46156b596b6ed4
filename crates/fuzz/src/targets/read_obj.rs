//! Fuzz target `read_obj`.

use wavefield_mesh::Limits;

/// Any bytes are rejected by `read_obj`, or give a valid mesh that can be inspected.
pub fn read_obj(bytes: &[u8]) {
    if let Ok(loaded) = wavefield_mesh::read_obj(bytes, &Limits::default()) {
        let mut mesh = loaded.mesh;
        mesh.validate().expect("a mesh that was read is sound");
        mesh.orient();
        mesh.inspect();
    }
}
