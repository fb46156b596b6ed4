//! Detection of diffracting edges, and their shadowing.

use std::f64::consts::PI;
use std::sync::Arc;

use super::common::surface;
use num_complex::Complex64;
use wavefield_mesh::{Transform, TriangleMesh, primitive};
use wavefield_sbr::edge::Wedge;
use wavefield_sbr::{BvhTracer, EdgeOptions, Edges, Error, Strips};

fn edges(mesh: &TriangleMesh) -> Edges {
    Edges::new(mesh, Arc::new(BvhTracer::new(surface(mesh))), Edges::SHARP).unwrap()
}

/// Returns the backscatter at wavenumber 100 in two polarizations, from a direction in the x–z
/// plane.
fn backscatter(edges: &Edges, from_z: f64, strips: Strips) -> [[Complex64; 2]; 2] {
    let (s, c) = from_z.to_radians().sin_cos();
    let basis = [[c, 0.0, -s], [0.0, 1.0, 0.0]];
    let options = EdgeOptions {
        strips,
        curvature: false,
        ..EdgeOptions::default()
    };
    edges.scattering(100.0, [s, 0.0, c], [s, 0.0, c], basis, basis, &options)
}

fn largest(matrix: [[Complex64; 2]; 2]) -> f64 {
    let sizes = matrix.iter().flatten().map(|c| c.norm());
    sizes.fold(0.0, f64::max)
}

#[test]
fn a_smooth_sphere_has_no_edges_and_no_fringe_field() {
    let edges = edges(&primitive::sphere(0.5, 0.1).unwrap());
    assert!(edges.wedges().is_empty());
    assert_eq!(largest(backscatter(&edges, 30.0, Strips::TwoEdges)), 0.0);
}

#[test]
fn straight_edges_are_joined_over_their_triangles() {
    let box_edges = edges(&primitive::cuboid([0.3, 0.2, 0.1], 0.03).unwrap());
    assert_eq!(box_edges.wedges().len(), 12);
    for wedge in box_edges.wedges() {
        assert!((wedge.n - 1.5).abs() < 1e-12);
    }
    let total: f64 = box_edges.wedges().iter().map(Wedge::length).sum();
    assert!((total - 4.0 * 0.6).abs() < 1e-12);

    let plate = edges(&primitive::plate(0.3, 0.2, 0.03).unwrap());
    assert_eq!(plate.wedges().len(), 4);
    assert!(plate.wedges().iter().all(|wedge| wedge.n == 2.0));
}

#[test]
fn the_crease_of_a_sheet_is_an_edge_from_behind() {
    // Two square plates at a right angle, facing each other: six boundary edges and a crease.
    let mesh = primitive::dihedral(0.2, 0.3, 0.5 * PI, 0.1).unwrap();
    let mut turned = mesh.clone();
    turned.flip();
    for mesh in [mesh, turned] {
        let edges = edges(&mesh);
        let creases: Vec<_> = edges.wedges().iter().filter(|w| w.n < 1.9).collect();
        assert_eq!((edges.wedges().len(), creases.len()), (7, 1));
        assert!((creases[0].n - 1.5).abs() < 1e-12);
    }
}

#[test]
fn a_screen_takes_the_light_from_the_edges_behind_it() {
    let plate = primitive::plate(0.3, 0.2, 0.05).unwrap();
    let mut screen = primitive::plate(3.0, 3.0, 0.5).unwrap();
    screen.transform(&Transform::translation([0.0, 0.0, 0.4]));
    let mut both = screen.clone();
    both.append(&plate);
    let (both, screen, plate) = (edges(&both), edges(&screen), edges(&plate));
    assert_eq!(both.wedges().len(), 8);
    for from_z in [0.0, 20.0, 45.0] {
        let [b, s] = [&both, &screen].map(|e| backscatter(e, from_z, Strips::TwoEdges));
        for (b, s) in b.iter().flatten().zip(s.iter().flatten()) {
            assert!((b - s).norm() < 1e-12);
        }
    }
    // From the other side the plate shadows no edge of the screen.
    let [b, s, p] = [&both, &screen, &plate].map(|e| backscatter(e, 160.0, Strips::TwoEdges));
    for i in 0..4 {
        let [b, s, p] = [b, s, p].map(|m| m[i / 2][i % 2]);
        assert!((b - s - p).norm() < 1e-12);
    }
}

#[test]
fn grazing_light_reaches_every_rim_of_a_plate() {
    let plate = edges(&primitive::plate(0.3, 0.2, 0.02).unwrap());
    // A plate shadows none of its own edges, even edge-on; the field is continuous there.
    let [below, at, above] =
        [90.0 - 1e-7, 90.0, 90.0 + 1e-7].map(|from_z| backscatter(&plate, from_z, Strips::OneEdge));
    let size = largest(at);
    assert!(size > 1e-3);
    for i in 0..4 {
        let [below, at, above] = [below, at, above].map(|m| m[i / 2][i % 2]);
        assert!(
            (below - at).norm() + (above - at).norm() < 1e-4 * size,
            "{i} {below} {at} {above}"
        );
    }
}

#[test]
fn the_axes_of_a_box_are_like_their_neighbors() {
    let edges = edges(&primitive::cuboid([0.4, 0.3, 0.25], 0.2).unwrap());
    for axis in [0.0, 90.0, 180.0] {
        for strips in [Strips::Endless, Strips::OneEdge, Strips::TwoEdges] {
            for shift in [0.0, 1e-9, 1e-5, 7e-3] {
                let size = largest(backscatter(&edges, axis + shift, strips));
                // An edge of length L contributes about L/4π, eight edges are illuminated or at
                // grazing incidence, and waves along the faces double that.
                assert!(size < 0.3, "{axis} {strips:?} {shift} {size}");
            }
        }
    }
}

#[test]
fn triangles_that_touch_without_common_points_make_no_rim() {
    let mut mesh = primitive::plate(0.3, 0.2, 0.05).unwrap();
    let mut beside = primitive::plate(0.3, 0.2, 0.031).unwrap();
    beside.transform(&Transform::translation([0.3, 0.0, 0.0]));
    mesh.append(&beside);
    let mut upright = primitive::plate(0.2, 0.2, 0.04).unwrap();
    upright.transform(&Transform::rotation([0.0, 1.0, 0.0], 0.5 * PI).unwrap());
    upright.transform(&Transform::translation([-0.15, 0.0, -0.1]));
    mesh.append(&upright);
    let edges = edges(&mesh);
    assert!(edges.seams() > 0);
    // Of their twelve sides, two pairs touch: side by side, and at a right angle.
    assert_eq!(edges.wedges().len(), 8);
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let edges = edges(&primitive::cylinder(0.1, 0.3, 0.02).unwrap());
    assert!(edges.wedges().len() > 40);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().unwrap();
        pool.install(|| backscatter(&edges, 50.0, Strips::TwoEdges))
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn a_tracer_of_another_mesh_is_refused() {
    let (mesh, other) = (
        primitive::plate(0.3, 0.2, 0.1).unwrap(),
        primitive::plate(0.3, 0.3, 0.1).unwrap(),
    );
    let result = Edges::new(
        &mesh,
        Arc::new(BvhTracer::new(surface(&other))),
        Edges::SHARP,
    );
    assert!(matches!(result.err(), Some(Error::OtherSurface { .. })));
}
