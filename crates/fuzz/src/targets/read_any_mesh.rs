//! Fuzz target `read_any_mesh`.

use wavefield_mesh::{AnyMesh, Limits, read_any};

/// File names with the extensions of all formats, and one without.
const NAMES: [&str; 5] = ["a.stl", "a.obj", "a.msh", "a.inp", "a"];

/// Any bytes with any name are rejected by `read_any`, or give a valid mesh of the reported size.
pub fn read_any_mesh(bytes: &[u8]) {
    let Some((&first, bytes)) = bytes.split_first() else {
        return;
    };
    let name = NAMES[usize::from(first) % NAMES.len()];
    if let Ok(loaded) = read_any(name, bytes, &Limits::default()) {
        let mut mesh = loaded.mesh;
        mesh.validate().expect("a mesh that was read is sound");
        let (points, elements) = match &mesh {
            AnyMesh::Contour(mesh) => (mesh.points.len(), mesh.segments.len()),
            AnyMesh::Surface(mesh) => (mesh.points.len(), mesh.triangles.len()),
            AnyMesh::Volume(mesh) => (mesh.points.len(), mesh.tetrahedra.len()),
        };
        assert_eq!(loaded.report.points, points);
        assert_eq!(loaded.report.elements, elements);
        assert!(elements > 0 && mesh.bounding_box().is_some());
        mesh.scale(1e-3);
        mesh.validate().expect("a smaller mesh is sound");
    }
}
