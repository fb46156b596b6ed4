//! Coated bodies compared with closed forms and the Mie series of coated spheres.

use std::f64::consts::PI;

use num_complex::Complex64;
use wavefield_mesh::{TriangleMesh, primitive};
use wavefield_physics::constants::SPEED_OF_LIGHT;
use wavefield_physics::direction::Direction;
use wavefield_physics::exact::sphere::{Core, Layer, MieSeries, Sphere};
use wavefield_physics::far_field::Channel;
use wavefield_physics::layers::{PlaneLayer, PlaneLayers};
use wavefield_physics::material::{ComplexNumber, Material, MediumSpec, NamedMaterial};
use wavefield_physics::medium::Medium;
use wavefield_sbr::{Density, Error, LayeredCoating, Scatterer};

const FREQUENCY: f64 = 1e10;
const THICKNESS: f64 = 1.5e-3;
/// Magnetic absorber of the Austin suite at 10.24 GHz.
const ABSORBER: ([f64; 2], [f64; 2]) = ([16.9, -0.337], [1.45, -1.73]);

fn material((permittivity, permeability): ([f64; 2], [f64; 2])) -> Material {
    Material::Medium(MediumSpec {
        permittivity: ComplexNumber::Complex(permittivity),
        permeability: ComplexNumber::Complex(permeability),
        conductivity: None,
    })
}

fn medium((permittivity, permeability): ([f64; 2], [f64; 2])) -> Medium {
    Medium {
        permittivity: Complex64::new(permittivity[0], permittivity[1]),
        permeability: Complex64::new(permeability[0], permeability[1]),
    }
}

fn absorber() -> LayeredCoating {
    LayeredCoating {
        layers: vec![(THICKNESS, material(ABSORBER))],
        backing: Material::Named(NamedMaterial::Pec),
    }
}

fn absorbing_plane() -> PlaneLayers {
    PlaneLayers {
        layers: vec![PlaneLayer {
            thickness: THICKNESS,
            medium: medium(ABSORBER),
        }],
        backing: Core::Pec,
    }
}

fn coated(mesh: &TriangleMesh, coating: LayeredCoating) -> Scatterer {
    let triangles = mesh.triangles.len();
    Scatterer::new(mesh)
        .unwrap()
        .coated(vec![coating], vec![Some(0); triangles])
        .unwrap()
}

#[test]
fn a_bare_conductor_is_a_coat_without_layers() {
    let mesh = primitive::dihedral(0.2, 0.3, 0.5 * PI, 0.1).unwrap();
    let bare = Scatterer::new(&mesh).unwrap();
    let coated = coated(
        &mesh,
        LayeredCoating {
            layers: Vec::new(),
            backing: Material::Named(NamedMaterial::Pec),
        },
    );
    for (theta, phi) in [(90.0, 0.0), (70.0, 25.0)] {
        let from = Direction::from_degrees(theta, phi);
        let to = [from, Direction::from_degrees(60.0, -10.0)];
        let frequencies = [8e9, FREQUENCY];
        let [a, b] = [&bare, &coated].map(|body| {
            let found = body.scatter(from, &to, &frequencies, Density::default());
            found.unwrap().matrices
        });
        let largest = a.iter().map(|m| m.vv.norm()).fold(0.0, f64::max);
        for (a, b) in a.iter().zip(&b) {
            for (a, b) in [(a.vv, b.vv), (a.vh, b.vh), (a.hv, b.hv), (a.hh, b.hh)] {
                assert!((a - b).norm() < 1e-12 * largest, "{a} {b}");
            }
        }
    }
}

#[test]
fn a_coated_plate_mirrors_by_its_reflection() {
    // In the specular direction the field is Γ times that of a PEC, with its sign.
    let mesh = primitive::plate(0.3, 0.3, 0.3).unwrap();
    let bare = Scatterer::new(&mesh).unwrap();
    let body = coated(&mesh, absorber());
    for theta in [0.0, 30.0, 60.0, 80.0] {
        let from = Direction::from_degrees(theta, 0.0);
        let to = Direction::from_degrees(theta, 180.0);
        let at = |body: &Scatterer| {
            let found = body.scatter(from, &[to], &[FREQUENCY], Density::default());
            found.unwrap().matrices[0]
        };
        let (metal, coating) = (at(&bare), at(&body));
        let wanted = absorbing_plane().reflection(theta.to_radians().cos(), FREQUENCY);
        // H is perpendicular to the plane of incidence for V transmitted, E for H transmitted; a PEC has Γ = −1
        // for both.
        assert!(
            (coating.vv / metal.vv + wanted.tm).norm() < 1e-12,
            "{theta}"
        );
        assert!(
            (coating.hh / metal.hh + wanted.te).norm() < 1e-12,
            "{theta}"
        );
    }
}

#[test]
fn a_coated_dihedral_reflects_twice() {
    let mesh = primitive::dihedral(0.2, 0.3, 0.5 * PI, 0.1).unwrap();
    let bare = Scatterer::new(&mesh).unwrap();
    let body = coated(&mesh, absorber());
    let from = Direction::from_degrees(90.0, 0.0);
    let density = Density::default();
    let metal = bare.monostatic(from, FREQUENCY, density).unwrap();
    let coating = body.monostatic(from, FREQUENCY, density).unwrap();
    // Two reflections at 45°: E is perpendicular to the plane of incidence for V, H for H transmitted. The field
    // radiates as Γ² of the PEC's: the first reflection lies in nulls of both faces at this aspect.
    let once = absorbing_plane().reflection(0.5_f64.sqrt(), FREQUENCY);
    assert!((coating.vv / metal.vv - once.te * once.te).norm() < 0.02);
    assert!((coating.hh / metal.hh - once.tm * once.tm).norm() < 0.02);
}

#[test]
fn coated_spheres_agree_with_the_series() {
    // The series includes creeping waves and curvature, of the order of 1/ka.
    let radius = 80.0 * SPEED_OF_LIGHT / (2.0 * PI * FREQUENCY);
    let mesh = primitive::sphere(radius, 0.1 * SPEED_OF_LIGHT / FREQUENCY).unwrap();
    let from = Direction::from_degrees(60.0, 30.0);
    let to = [
        from,
        Direction::from_degrees(60.0, 90.0),
        Direction::from_degrees(20.0, 10.0),
    ];
    let glass = ([2.6, -0.3], [1.0, 0.0]);
    let two_layers = LayeredCoating {
        layers: vec![(2e-3, material(glass)), (THICKNESS, material(ABSORBER))],
        backing: Material::Named(NamedMaterial::Pec),
    };
    let solid = LayeredCoating {
        layers: Vec::new(),
        backing: material(([3.0, -1.5], [1.0, 0.0])),
    };
    let core = |thickness: f64, coatings: Vec<(f64, Medium)>, core: Core| {
        let mut outer_radius = radius - thickness;
        Sphere {
            core_radius: outer_radius,
            core,
            coatings: coatings
                .into_iter()
                .map(|(thickness, medium)| {
                    outer_radius += thickness;
                    Layer {
                        outer_radius,
                        medium,
                    }
                })
                .collect(),
        }
    };
    let one = core(THICKNESS, vec![(THICKNESS, medium(ABSORBER))], Core::Pec);
    let two = core(
        2e-3 + THICKNESS,
        vec![(2e-3, medium(glass)), (THICKNESS, medium(ABSORBER))],
        Core::Pec,
    );
    let none = core(
        0.0,
        Vec::new(),
        Core::Medium(medium(([3.0, -1.5], [1.0, 0.0]))),
    );
    for (coating, sphere) in [(absorber(), one), (two_layers, two), (solid, none)] {
        let series = MieSeries::new(&sphere, FREQUENCY).unwrap();
        let body = coated(&mesh, coating);
        let found = body
            .scatter(from, &to, &[FREQUENCY], Density::default())
            .unwrap();
        for (to, found) in to.iter().zip(&found.matrices) {
            let exact = series.scattering(from, *to);
            for channel in [Channel::VV, Channel::HH] {
                let off = found.dbsm(channel) - exact.dbsm(channel);
                assert!(off.abs() < 0.1, "{to:?} {channel:?} {off}");
            }
            let turned = (found.vv / exact.vv).arg().to_degrees();
            assert!(turned.abs() < 2.0, "{to:?} {turned}");
        }
    }
}

#[test]
fn what_cannot_be_coated_is_refused() {
    let mesh = primitive::plate(0.3, 0.3, 0.3).unwrap();
    let all = vec![Some(0); mesh.triangles.len()];
    let with_edges = Scatterer::with_edges(&mesh).unwrap();
    let refused = with_edges.coated(vec![absorber()], all.clone());
    assert_eq!(refused.err(), Some(Error::CoatedEdges));
    let body = || Scatterer::new(&mesh).unwrap();
    let short = body().coated(vec![absorber()], vec![Some(0)]);
    assert!(matches!(short.err(), Some(Error::CoatList { .. })));
    let missing = body().coated(Vec::new(), all.clone());
    assert!(matches!(missing.err(), Some(Error::CoatList { .. })));
    let metal = LayeredCoating {
        layers: vec![(1e-3, Material::Named(NamedMaterial::Pec))],
        ..absorber()
    };
    let metal = body().coated(vec![metal], all).unwrap();
    let found = metal.monostatic(
        Direction::from_degrees(0.0, 0.0),
        FREQUENCY,
        Density::default(),
    );
    assert_eq!(found.err(), Some(Error::ConductingCoat));
}
