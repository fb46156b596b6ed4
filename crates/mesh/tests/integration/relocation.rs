//! Relocation of interior points increases the smallest inradius and changes nothing else.

use wavefield_mesh::primitive::{open_tetrahedral_box, tetrahedral_box};
use wavefield_mesh::{Group, TetrahedralMesh};

/// Returns a lattice with interior points perturbed by up to 0.3 of a cell, reproducibly.
fn shaken(mut mesh: TetrahedralMesh, cells: f64) -> TetrahedralMesh {
    let original = mesh.clone();
    let mut state = 1_u32;
    for (number, point) in mesh.points.iter_mut().enumerate() {
        let on_surface = original
            .triangles
            .iter()
            .flatten()
            .any(|&c| c as usize == number);
        // Points on the interface to the layer are on no named surface but must not move.
        let on_layer = point.iter().any(|c| c.abs() == 0.5 - 1.0 / cells);
        if on_surface || on_layer {
            continue;
        }
        for coordinate in point.iter_mut() {
            // Pseudorandom numbers by D. H. Lehmer's generator.
            state = (u64::from(state) * 48_271 % 0x7fff_ffff) as u32;
            *coordinate += 0.3 / cells * (f64::from(state) / f64::from(0x7fff_ffff) * 2.0 - 1.0);
        }
    }
    mesh
}

#[test]
fn smallest_inradius_grows_and_surfaces_stay() {
    let lattice = open_tetrahedral_box([1.0; 3], [8; 3], 1, 1).unwrap();
    let before = shaken(lattice.clone(), 8.0);
    assert!((0..before.tetrahedra.len()).all(|t| before.tetrahedron_volume(t) > 0.0));
    let mut after = before.clone();
    assert!(after.raise_smallest_inradius() > 0);
    let [shaken, raised] = [&before, &after].map(|mesh| mesh.quality().unwrap());
    // The lattice has 0.02; the perturbation leaves a fraction of that, most of which must be recovered.
    assert!(
        raised.smallest_inradius > 1.5 * shaken.smallest_inradius,
        "{shaken}\n{raised}"
    );
    assert!(raised.worst_shape >= shaken.worst_shape.min(0.4));
    assert!((0..after.tetrahedra.len()).all(|t| after.tetrahedron_volume(t) > 0.0));
    assert_eq!(after.tetrahedra, before.tetrahedra);
    for name in ["total", "scattered", "layer"] {
        // The rounding error of a sum of three thousand terms is at most 3000 machine epsilons.
        let difference = after.volume_of(name).unwrap() - lattice.volume_of(name).unwrap();
        assert!(difference.abs() < 1e-12, "{name}");
    }
    for &corner in after.triangles.iter().flatten() {
        let corner = corner as usize;
        assert_eq!(after.points[corner], lattice.points[corner]);
    }
}

#[test]
fn tetrahedron_bridging_a_hollow_is_cut_and_lifted_off() {
    // A shallow valley along x under a roof: a b c and a c d are its slopes, b d bridges it.
    let [a, b, c, d, e] = [0, 1, 2, 3, 4];
    let mut mesh = TetrahedralMesh {
        points: vec![
            [-1.0, 0.0, 0.0],
            [0.0, -1.0, 0.05],
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.05],
            [0.0, 0.0, 1.5],
        ],
        tetrahedra: vec![[a, b, c, d], [a, b, d, e], [b, c, d, e]],
        volume_group_of: vec![0; 3],
        volume_groups: vec![Group::named("air")],
        ..TetrahedralMesh::default()
    };
    assert_eq!(mesh.make_volumes_positive(), 0);
    let before = mesh.clone();
    mesh.raise_smallest_inradius();
    mesh.validate().unwrap();
    assert_eq!((mesh.points.len(), mesh.tetrahedra.len()), (6, 6));
    assert_eq!(mesh.points[..5], before.points[..]);
    assert!((0..6).all(|t| mesh.tetrahedron_volume(t) > 0.0));
    // Six terms, each rounded.
    assert!((mesh.volume() - before.volume()).abs() < 1e-14);
    let [flat, lifted] = [&before, &mesh].map(|mesh| mesh.quality().unwrap());
    // The flat one has 3V/S = 0.025; a tetrahedron on a slope with its apex in the middle of the roof has
    // 0.2.
    assert!(flat.smallest_inradius < 0.03);
    assert!(lifted.smallest_inradius > 0.15, "{lifted}");

    // Global ids cannot be created here, so a part of a larger mesh is not split.
    let mut part = before.clone();
    part.global_points = Some(vec![7, 8, 9, 10, 11]);
    assert_eq!(part.raise_smallest_inradius(), 0);
    assert_eq!(part.tetrahedra, before.tetrahedra);
}

#[test]
fn a_mesh_without_free_points_stays_as_it_is() {
    let mut mesh = tetrahedral_box([1.0, 2.0, 3.0], [1, 1, 2], [0; 3]).unwrap();
    let before = mesh.clone();
    assert_eq!(mesh.raise_smallest_inradius(), 0);
    assert_eq!(mesh, before);
    assert_eq!(TetrahedralMesh::default().raise_smallest_inradius(), 0);
}

#[test]
fn inradius_and_shape_are_those_of_the_formula() {
    // A regular tetrahedron of edge √2 a inside a cube of side a has the inradius √2 a/√24.
    let mesh = TetrahedralMesh {
        points: vec![[0.0; 3], [1.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]],
        tetrahedra: vec![[0, 1, 3, 2]],
        volume_group_of: vec![0],
        volume_groups: vec![Group::named("air")],
        ..TetrahedralMesh::default()
    };
    let quality = mesh.quality().unwrap();
    assert!((quality.smallest_inradius - (2.0_f64 / 24.0).sqrt()).abs() < 1e-15);
    assert!((quality.worst_shape - 1.0).abs() < 1e-15);
    assert!((quality.longest_edge - 2.0_f64.sqrt()).abs() < 1e-15);
    assert_eq!(quality.shortest_edge, quality.longest_edge);
    // Kuhn's tetrahedra in a unit cube: 3V/S with V = 1/6 and S = 1 + √2, longest edge √3.
    let quality = tetrahedral_box([1.0; 3], [1; 3], [0; 3])
        .unwrap()
        .quality()
        .unwrap();
    let inradius = 0.5 / (1.0 + 2.0_f64.sqrt());
    assert!((quality.smallest_inradius - inradius).abs() < 1e-15);
    assert!((quality.worst_shape - inradius / 3.0_f64.sqrt() * 24.0_f64.sqrt()).abs() < 1e-15);
    assert!(TetrahedralMesh::default().quality().is_none());
}
