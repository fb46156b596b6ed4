//! Boxes on a lattice are meshed conformingly, and their surfaces are faces of the expected tetrahedra.

use std::collections::HashMap;

use wavefield_mesh::primitive::{PrimitiveError, open_tetrahedral_box, tetrahedral_box};
use wavefield_mesh::{Group, TetrahedralMesh};

fn names(groups: &[Group]) -> Vec<&str> {
    groups.iter().map(|g| g.name.as_str()).collect()
}

fn sorted(mut corners: [u32; 3]) -> [u32; 3] {
    corners.sort_unstable();
    corners
}

/// Returns for each face the volume groups of its tetrahedra.
fn volumes_at_faces(mesh: &TetrahedralMesh) -> HashMap<[u32; 3], Vec<&str>> {
    let mut faces: HashMap<[u32; 3], Vec<&str>> = HashMap::new();
    for (&[a, b, c, d], &group) in mesh.tetrahedra.iter().zip(&mesh.volume_group_of) {
        let name = mesh.volume_groups[group as usize].name.as_str();
        for face in [[a, b, c], [a, b, d], [a, c, d], [b, c, d]] {
            faces.entry(sorted(face)).or_default().push(name);
        }
    }
    faces
}

fn check_sound(mesh: &TetrahedralMesh) {
    mesh.validate().unwrap();
    assert!((0..mesh.tetrahedra.len()).all(|t| mesh.tetrahedron_volume(t) > 0.0));
    // The mesh is conforming: no face has more than two tetrahedra, and the faces with one are the named
    // boundary.
    let faces = volumes_at_faces(mesh);
    assert!(faces.values().all(|volumes| volumes.len() <= 2));
    let boundary = faces.values().filter(|volumes| volumes.len() == 1).count();
    let on_boundary = (mesh.triangles.iter()).filter(|t| faces[&sorted(**t)].len() == 1);
    assert_eq!(on_boundary.count(), boundary);
}

#[test]
fn lattice_fills_the_box_and_names_its_faces() {
    let size = [0.3, 0.2, 0.5];
    let mesh = tetrahedral_box(size, [3, 2, 4], [0; 3]).unwrap();
    check_sound(&mesh);
    assert_eq!(mesh.tetrahedra.len(), 6 * 3 * 2 * 4);
    assert_eq!(mesh.points.len(), 4 * 3 * 5);
    assert_eq!(names(&mesh.volume_groups), ["air"]);
    assert_eq!(
        names(&mesh.surface_groups),
        ["x-", "x+", "y-", "y+", "z-", "z+"]
    );
    // Only rounding errors remain.
    assert!((mesh.volume() - 0.03).abs() < 1e-15);
    let surface = mesh.surface();
    let seen = surface.inspect();
    assert!(seen.watertight && seen.outward == Some(true), "{seen}");
    for (axis, letter) in ["x", "y", "z"].into_iter().enumerate() {
        for (sign, side) in [("-", -0.5), ("+", 0.5)] {
            let face = surface.part(&format!("{letter}{sign}")).unwrap();
            let area = 0.03 / size[axis];
            assert!((face.area() - area).abs() < 1e-15);
            assert!((face.points.iter()).all(|p| p[axis] == side * size[axis]));
            assert!(face.area_vector(0)[axis] * side > 0.0, "{letter}{sign}");
        }
    }
}

#[test]
fn waveguide_absorbs_at_its_ends() {
    let mesh = tetrahedral_box([1.0, 2.0, 6.0], [2, 2, 6], [0, 0, 1]).unwrap();
    check_sound(&mesh);
    assert_eq!(names(&mesh.volume_groups), ["layer", "air"]);
    // The rounding error of a sum of n terms is at most n machine epsilons, here 10⁻¹³.
    assert!((mesh.volume_of("layer").unwrap() - 4.0).abs() < 1e-12);
    assert!((mesh.volume_of("air").unwrap() - 8.0).abs() < 1e-12);
}

#[test]
fn open_box_has_a_closed_huygens_surface_between_total_and_scattered_field() {
    let mesh = open_tetrahedral_box([8.0, 9.0, 10.0], [8, 9, 10], 2, 1).unwrap();
    check_sound(&mesh);
    // Cells have unit volume; the rounding error of a sum of n terms is at most n machine epsilons, here
    // 6·10⁻¹⁰.
    for (name, volume) in [
        ("total", 2.0 * 3.0 * 4.0),
        ("scattered", 4.0 * 5.0 * 6.0 - 24.0),
        ("layer", 720.0 - 120.0),
    ] {
        assert!((mesh.volume_of(name).unwrap() - volume).abs() < 1e-9);
    }
    let surface = mesh.surface();
    for (name, volume) in [("huygens", 24.0), ("outer", 720.0)] {
        let part = surface.part(name).unwrap();
        let seen = part.inspect();
        assert!(seen.watertight && seen.outward == Some(true), "{seen}");
        assert!((part.volume() - volume).abs() < 1e-9);
    }
    let faces = volumes_at_faces(&mesh);
    for (triangle, &group) in mesh.triangles.iter().zip(&mesh.surface_group_of) {
        let mut sides = faces[&sorted(*triangle)].clone();
        sides.sort_unstable();
        match mesh.surface_groups[group as usize].name.as_str() {
            "outer" => assert_eq!(sides, ["layer"]),
            _ => assert_eq!(sides, ["scattered", "total"]),
        }
    }
    let bare = open_tetrahedral_box([3.0; 3], [3; 3], 0, 1).unwrap();
    check_sound(&bare);
    assert_eq!(names(&bare.volume_groups), ["scattered", "total"]);
}

#[test]
fn impossible_lattices_are_refused() {
    let refused = |made: Result<TetrahedralMesh, PrimitiveError>| match made {
        Err(PrimitiveError::OutOfRange { .. }) => "out of range",
        Err(PrimitiveError::TooFine { .. }) => "too fine",
        _ => "not refused",
    };
    for (size, cells, layer) in [
        ([0.0, 1.0, 1.0], [1; 3], 0),
        ([f64::NAN, 1.0, 1.0], [1; 3], 0),
        ([1.0; 3], [1, 0, 1], 0),
        ([1.0; 3], [4; 3], 2),
        ([1.0; 3], [4; 3], u32::MAX),
    ] {
        assert_eq!(
            refused(tetrahedral_box(size, cells, [layer; 3])),
            "out of range"
        );
    }
    assert_eq!(
        refused(tetrahedral_box([1.0; 3], [u32::MAX; 3], [0; 3])),
        "too fine"
    );
    assert_eq!(
        refused(open_tetrahedral_box([1.0; 3], [6; 3], 1, 0)),
        "out of range"
    );
    assert_eq!(
        refused(open_tetrahedral_box([1.0; 3], [6; 3], 1, 2)),
        "out of range"
    );
}
