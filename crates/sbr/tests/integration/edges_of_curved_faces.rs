//! Curvature correction by the bends of smooth faces, compared with the next term of geometrical optics.

use std::f64::consts::PI;
use std::sync::Arc;

use super::common::surface;
use num_complex::Complex64;
use wavefield_mesh::{TriangleMesh, primitive};
use wavefield_physics::constants::SPEED_OF_LIGHT;
use wavefield_physics::direction::Direction;
use wavefield_sbr::{BvhTracer, Density, EdgeOptions, Edges, Scatterer};

/// Returns √σ of physical optics and of the bends alone, VV and HH.
fn optics_and_bends(
    mesh: &TriangleMesh,
    wavenumber: f64,
    from: Direction,
) -> ([Complex64; 2], [Complex64; 2]) {
    let edges = Edges::new(mesh, Arc::new(BvhTracer::new(surface(mesh))), Edges::SHARP).unwrap();
    let basis = [from.theta_hat(), from.phi_hat()];
    let with = |curvature| {
        let options = EdgeOptions {
            curvature,
            ..EdgeOptions::default()
        };
        edges.scattering(wavenumber, from.unit(), from.unit(), basis, basis, &options)
    };
    let (all, sharp) = (with(true), with(false));
    let bends = [0, 1].map(|p| (4.0 * PI).sqrt() * (all[p][p] - sharp[p][p]));
    let frequency = wavenumber * SPEED_OF_LIGHT / (2.0 * PI);
    let optics = Scatterer::new(mesh)
        .unwrap()
        .monostatic(from, frequency, Density::default())
        .unwrap();
    ([optics.vv, optics.hh], bends)
}

#[test]
fn a_cylinder_gets_the_next_term_of_geometrical_optics_on_any_mesh() {
    // The reflection of a cylinder is 1 − 5j/16ka for E along the axis and 1 + 11j/16ka across it (e^{+jωt}),
    // that of physical optics 1 + 3j/16ka for both: the bends must add ∓j/2ka.
    let (radius, ka) = (0.1, 20.0);
    let from = Direction::from_degrees(90.0, 10.0);
    for edge in [0.01, 0.02] {
        let mesh = primitive::cylinder(radius, 0.5, edge).unwrap();
        let (optics, bends) = optics_and_bends(&mesh, ka / radius, from);
        for (polarization, wanted) in [(0, -0.5), (1, 0.5)] {
            let found = ka * bends[polarization] / optics[polarization];
            // The shadow boundaries are a separate term, of relative size 0.1 here.
            assert!(
                (found - Complex64::new(0.0, wanted)).norm() < 0.2,
                "{edge} {polarization} {found}"
            );
        }
    }
}

#[test]
fn on_a_sphere_the_two_curvatures_cancel() {
    // Either term alone would be 1/2ka of the reflection. The remainder is equal in both polarizations: the
    // shadow boundary, at most the end-point contribution of the physical-optics current, 1/2ka.
    let radius = 0.1;
    let mesh = primitive::sphere(radius, 0.006).unwrap();
    let from = Direction::from_degrees(50.0, 10.0);
    for ka in [10.0, 20.0] {
        let (optics, bends) = optics_and_bends(&mesh, ka / radius, from);
        // The mesh is not exactly isotropic.
        let apart = (bends[0] - bends[1]).norm() / optics[0].norm();
        assert!(apart < 0.2 / (2.0 * ka), "{ka} {apart}");
        for p in 0..2 {
            let size = bends[p].norm() / optics[p].norm();
            assert!(size < 1.0 / (2.0 * ka), "{ka} {size}");
        }
    }
}

#[test]
fn flat_faces_have_no_bends() {
    for mesh in [
        primitive::plate(0.3, 0.2, 0.03).unwrap(),
        primitive::cuboid([0.3, 0.2, 0.1], 0.03).unwrap(),
    ] {
        let (_, bends) = optics_and_bends(&mesh, 100.0, Direction::from_degrees(40.0, 25.0));
        assert_eq!(bends, [Complex64::ZERO; 2]);
    }
}
