//! Fuzz target `read_inp`.

use wavefield_mesh::Limits;

/// Whatever the bytes, `read_inp` either refuses them or returns a sound mesh that can be looked over.
pub fn read_inp(bytes: &[u8]) {
    if let Ok(loaded) = wavefield_mesh::read_inp(bytes, &Limits::default()) {
        let mut mesh = loaded.mesh;
        mesh.validate().expect("a mesh that was read is sound");
        mesh.orient();
        mesh.inspect();
    }
}
