//! Fuzz target `read_stl`.

use wavefield_mesh::Limits;

/// Any bytes are rejected by `read_stl`, or give a valid mesh that can be inspected.
pub fn read_stl(bytes: &[u8]) {
    if let Ok(loaded) = wavefield_mesh::read_stl(bytes, &Limits::default()) {
        let mut mesh = loaded.mesh;
        mesh.validate().expect("a mesh that was read is sound");
        mesh.orient();
        mesh.inspect();
    }
}
