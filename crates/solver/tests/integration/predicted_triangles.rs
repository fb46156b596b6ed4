//! The number of triangles that refuses a mesh before it is made is a lower bound.

use wavefield_physics::quantity::Length;
use wavefield_solver::scene::{Cuboid, Cylinder, Geometry};

#[test]
fn meshes_have_no_fewer_triangles_than_predicted() {
    let m = Length::Meters;
    let cylinder = |radius, length| {
        Geometry::Cylinder(Cylinder {
            radius: m(radius),
            length: m(length),
        })
    };
    let cuboid = |size: [f64; 3]| Geometry::Cuboid(Cuboid { size: size.map(m) });
    for geometry in [
        Geometry::sphere(m(0.5)),
        Geometry::plate(m(1.0), m(0.7)),
        Geometry::plate(m(1e-3), m(5.0)),
        Geometry::dihedral(m(1.0), m(1e-3)),
        Geometry::trihedral(m(1.0)),
        Geometry::almond(m(1.0)),
        cuboid([1.0, 0.8, 0.6]),
        cuboid([1e-3, 1e-3, 4.0]),
        cylinder(0.3, 1.0),
        cylinder(1e-2, 4.0),
    ] {
        let edge = 0.1;
        let predicted = geometry.least_triangles(1.0, |_| edge);
        let made = geometry.surface(None, 1.0, |_| edge).unwrap();
        let count = made.triangles.len() as f64;
        assert!(predicted <= count, "{geometry:?}: {predicted} > {count}");
        assert!(
            predicted > 0.05 * count,
            "{geometry:?}: {predicted} of {count}"
        );
    }
}

#[test]
fn thin_bodies_are_not_small() {
    let needle = Geometry::plate(Length::Meters(6e-7), Length::Meters(65536.0));
    assert!(needle.least_triangles(0.3, |_| 0.03) > 2e6);
}
