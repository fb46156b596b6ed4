//! Whatever the bytes, `read_stl` either refuses them or returns a sound mesh that can be looked over.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wavefield_mesh::{Limits, read_stl};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(loaded) = read_stl(bytes, &Limits::default()) {
        let mut mesh = loaded.mesh;
        mesh.validate().expect("a mesh that was read is sound");
        mesh.orient();
        mesh.inspect();
    }
});
