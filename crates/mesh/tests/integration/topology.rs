//! Edges, components, and orientation.

use wavefield_mesh::primitive::{cuboid, plate, sphere};
use wavefield_mesh::{Axis, Components, Edges, Transform, TriangleMesh};

#[test]
fn every_edge_of_a_closed_surface_has_two_triangles_that_agree() {
    let mesh = sphere(1.0, 0.2).unwrap();
    let edges = Edges::of(&mesh);
    assert_eq!(2 * edges.len(), 3 * mesh.triangles.len());
    for edge in edges.iter() {
        assert_eq!(edge.half_edges.len(), 2);
        assert!(edge.is_consistent(&mesh));
        for half_edge in edge.half_edges {
            let mut ends = half_edge.ends(&mesh);
            ends.sort_unstable();
            assert_eq!(ends, edge.ends);
        }
    }
}

#[test]
fn orient_repairs_a_shuffled_sphere() {
    let original = sphere(1.0, 0.2).unwrap();
    let mut mesh = original.clone();
    for triangle in mesh.triangles.iter_mut().step_by(3) {
        triangle.swap(0, 1);
    }
    assert!(mesh.inspect().inconsistent_edges > 0);
    let done = mesh.orient();
    assert_eq!(done.flipped_triangles, mesh.triangles.len().div_ceil(3));
    assert_eq!(
        (
            done.closed_components,
            done.open_components,
            done.unorientable_edges
        ),
        (1, 0, 0)
    );
    assert_eq!(mesh.inspect().outward, Some(true));
    // The same terms with their corners in another order.
    assert!((mesh.volume() - original.volume()).abs() < 1e-12);
}

#[test]
fn orient_turns_an_inside_out_body_far_from_the_origin() {
    let mut mesh = cuboid([1.0; 3], 0.5).unwrap();
    mesh.transform(&Transform::translation([1e6, 0.0, 0.0]));
    mesh.flip();
    assert_eq!(mesh.inspect().outward, Some(false));
    let done = mesh.orient();
    assert_eq!(done.flipped_triangles, mesh.triangles.len());
    assert_eq!(mesh.inspect().outward, Some(true));
}

#[test]
fn orient_keeps_the_side_of_most_triangles_of_a_plate() {
    let mut mesh = plate(1.0, 1.0, 0.2).unwrap();
    mesh.triangles[0].swap(0, 1);
    let done = mesh.orient();
    assert_eq!((done.flipped_triangles, done.open_components), (1, 1));
    assert_eq!(mesh.inspect().inconsistent_edges, 0);
    assert!((0..mesh.triangles.len()).all(|t| mesh.area_vector(t)[2] > 0.0));
}

#[test]
fn a_moebius_strip_cannot_be_oriented_and_says_so() {
    let n = 8;
    let points = (0..2 * n)
        .map(|k| {
            let angle = std::f64::consts::TAU * f64::from(k / 2) / f64::from(n);
            let width = if k % 2 == 0 { -0.2 } else { 0.2 };
            let r = 1.0 + width * (0.5 * angle).cos();
            [
                r * angle.cos(),
                r * angle.sin(),
                width * (0.5 * angle).sin(),
            ]
        })
        .collect();
    let mut triangles = Vec::new();
    for k in 0..n as u32 {
        let [a, b] = [2 * k, 2 * k + 1];
        // After one turn the two rims are exchanged.
        let [c, d] = if k as i32 == n - 1 {
            [1, 0]
        } else {
            [2 * k + 2, 2 * k + 3]
        };
        triangles.push([a, c, b]);
        triangles.push([b, c, d]);
    }
    let mut mesh = TriangleMesh::single_group(points, triangles, "strip");
    assert_eq!(mesh.orient().unorientable_edges, 1);
    assert_eq!(mesh.inspect().inconsistent_edges, 1);
}

#[test]
fn pieces_are_counted_and_numbered_in_order() {
    let mut mesh = sphere(1.0, 0.8).unwrap();
    let first = mesh.triangles.len();
    let mut other = cuboid([1.0; 3], 0.5).unwrap();
    other.transform(&Transform::translation([5.0, 0.0, 0.0]));
    mesh.append(&other);
    mesh.validate().unwrap();
    let components = Components::of(&mesh, &Edges::of(&mesh));
    assert_eq!(components.count, 2);
    assert!(components.of_triangle[..first].iter().all(|&c| c == 0));
    assert!(components.of_triangle[first..].iter().all(|&c| c == 1));
    assert_eq!(mesh.part("sphere").unwrap().triangles.len(), first);
}

#[test]
fn inspection_finds_every_kind_of_trouble() {
    let points = vec![
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, -1.0, 0.0],
        [0.0, 0.0, 1.0],
        [2.0, 0.0, 0.0],
    ];
    // Three triangles on the edge 0–1, one of them twice, and a degenerate one.
    let triangles = vec![[0, 1, 2], [1, 0, 3], [0, 1, 4], [1, 4, 0], [0, 1, 5]];
    let mesh = TriangleMesh::single_group(points, triangles, "trouble");
    let seen = mesh.inspect();
    assert_eq!(seen.non_manifold_edges, 1);
    assert_eq!(seen.duplicate_triangles, 1);
    assert_eq!(seen.degenerate_triangles, 1);
    assert!(!seen.watertight && seen.outward.is_none());
    let text = seen.to_string();
    for words in [
        "not watertight",
        "duplicate triangles",
        "degenerate triangles",
        "more than two",
    ] {
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn an_empty_mesh_is_inspected_without_complaint() {
    let seen = TriangleMesh::default().inspect();
    assert_eq!(
        (seen.triangles, seen.components, seen.watertight),
        (0, 0, false)
    );
    assert_eq!(TriangleMesh::default().orient().flipped_triangles, 0);
}

#[test]
fn mirror_and_rotation_keep_the_outside_outside() {
    let mut mesh = cuboid([1.0, 2.0, 3.0], 0.7).unwrap();
    let turn = Transform::rotation([1.0, 2.0, 3.0], 0.7).unwrap();
    let both = Transform::mirror(Axis::X).then(&turn);
    mesh.transform(&both);
    let seen = mesh.inspect();
    assert_eq!(seen.outward, Some(true));
    // Rounding errors of rotations.
    assert!((seen.volume.unwrap() - 6.0).abs() < 1e-12);
    let quarter = Transform::rotation([0.0, 0.0, 2.0], std::f64::consts::FRAC_PI_2).unwrap();
    let p = quarter.apply([1.0, 0.0, 0.0]);
    assert!((p[0]).abs() < 1e-15 && (p[1] - 1.0).abs() < 1e-15);
    assert!(Transform::rotation([0.0; 3], 1.0).is_none());
}

#[test]
fn welding_closes_a_body_whose_faces_nearly_touch() {
    let mut mesh = cuboid([1.0; 3], 0.5).unwrap();
    let closed = mesh.points.len();
    // Every triangle has its own corners, perturbed by up to 1e-9.
    let mut loose = TriangleMesh::single_group(Vec::new(), Vec::new(), "loose");
    for t in 0..mesh.triangles.len() {
        let first = loose.points.len() as u32;
        for (k, p) in mesh.corners(t).into_iter().enumerate() {
            let shift = 1e-9 * ((3 * t + k) as f64).sin();
            loose.points.push(p.map(|c| c + shift));
        }
        loose.triangles.push([first, first + 1, first + 2]);
        loose.group_of.push(0);
    }
    assert!(!loose.inspect().watertight);
    let merged = loose.weld(1e-6).unwrap();
    assert_eq!(loose.points.len(), closed);
    assert_eq!(merged, 3 * mesh.triangles.len() - closed);
    assert!(loose.inspect().watertight);
    assert!(mesh.weld(0.0).is_err());
    assert!(mesh.weld(1e-20).is_err());
}

#[test]
fn a_million_triangles_are_inspected_in_seconds() {
    let mesh = sphere(1.0, 1.39 / 224.0).unwrap();
    assert!(mesh.triangles.len() > 1_000_000);
    let start = std::time::Instant::now();
    let seen = mesh.inspect();
    assert!(seen.watertight);
    // About 0.5 s on one slow core; ten times that would mean that the sorting is not linear.
    assert!(
        start.elapsed().as_secs_f64() < 10.0,
        "{:?}",
        start.elapsed()
    );
}
