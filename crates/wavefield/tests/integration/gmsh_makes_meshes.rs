//! Runs of Gmsh: meshes, and errors of Gmsh.

use std::f64::consts::PI;
use std::path::Path;
use std::process::Command;

use wavefield::examples::Example;
use wavefield::gmsh;
use wavefield::inputs::FolderInputs;
use wavefield::problem::Problem;
use wavefield::run::Options;
use wavefield_mesh::gmsh::{Body, Domain, Enclosure, Faces, Huygens, Interior, Layer, OUTER, fill};
use wavefield_mesh::primitive;
use wavefield_numerics::observe::{Observer, Progress, Silent};
use wavefield_solver::{ErrorClass, Inputs};

/// Inputs from the current folder, with Gmsh as mesh generator.
fn inputs() -> Box<dyn Inputs> {
    Box::new(FolderInputs::default())
}

/// Returns whether Gmsh is installed; only a developer's machine may lack it.
fn gmsh_is_here() -> bool {
    let here = gmsh::version().is_some();
    if !here {
        eprintln!("SKIPPED: Gmsh is not installed");
        assert!(std::env::var_os("CI").is_none(), "in CI Gmsh must be there");
    }
    here
}

fn sphere_in_layer() -> Domain {
    Domain {
        bodies: vec![Body {
            skin: primitive::sphere(0.3, 0.12).unwrap(),
            surface: "sphere".into(),
            interior: Interior::Meshed {
                volume: "glass".into(),
            },
        }],
        sheets: vec![],
        huygens: Some(Huygens {
            shape: Enclosure::BoxAround { margin: 0.15 },
            edge: 0.15,
        }),
        air: Enclosure::BoxAround { margin: 0.2 },
        air_edge: 0.2,
        layer: Some(Layer {
            thickness: 0.3,
            edge: 0.2,
        }),
        faces: Faces::Together,
    }
}

#[test]
fn dielectric_sphere_gets_a_mesh_without_slivers() {
    if !gmsh_is_here() {
        return;
    }
    let mesh = inputs().tetrahedra(&sphere_in_layer(), &Silent).unwrap();
    mesh.validate().unwrap();
    println!("{}", mesh.quality().unwrap());
    // A polyhedron of edge h inside a sphere of radius R lacks about (h/R)²/4 of its volume.
    let exact = 4.0 / 3.0 * PI * 0.3_f64.powi(3);
    let glass = mesh.volume_of("glass").unwrap();
    assert!(glass < exact && glass > 0.96 * exact, "{glass}");
    let outer = mesh.surface().part(OUTER).unwrap();
    let box_volume = outer.bounding_box().unwrap().size().iter().product::<f64>();
    // Rounding error of sums of ten thousand terms.
    assert!((mesh.volume() - box_volume).abs() < 1e-9);
    // Triangles of 0.12 on the sphere have edges down to 0.09; a regular tetrahedron on them has an inradius
    // of 0.018, and slivers would have none of it.
    let quality = mesh.quality().unwrap();
    assert!(quality.smallest_inradius > 0.5 * 0.018, "{quality}");
}

#[test]
fn the_space_around_a_sharp_tip_is_filled_where_flat_tetrahedra_touch() {
    if !gmsh_is_here() {
        return;
    }
    for edge in [0.012, 0.016] {
        let domain = Domain {
            bodies: vec![Body {
                skin: primitive::almond(0.2523744, edge).unwrap(),
                surface: "almond".into(),
                interior: Interior::Hollow,
            }],
            huygens: Some(Huygens {
                shape: Enclosure::BoxAround { margin: 0.015 },
                edge: 0.028,
            }),
            air: Enclosure::BoxAround { margin: 0.02 },
            air_edge: 0.028,
            layer: Some(Layer {
                thickness: 0.045,
                edge: 0.028,
            }),
            ..sphere_in_layer()
        };
        let mesh = inputs().tetrahedra(&domain, &Silent).unwrap();
        mesh.validate().unwrap();
        let quality = mesh.quality().unwrap();
        assert!(quality.smallest_inradius > 1e-4, "{quality}");
    }
}

#[test]
fn the_same_domain_gives_the_same_mesh() {
    if !gmsh_is_here() {
        return;
    }
    let [first, second] =
        [(), ()].map(|()| inputs().tetrahedra(&sphere_in_layer(), &Silent).unwrap());
    assert!(first == second);
}

#[test]
fn surfaces_are_remeshed_with_their_outside_out() {
    if !gmsh_is_here() {
        return;
    }
    let ball = primitive::sphere(0.3, 0.04).unwrap();
    let coarse = inputs().remeshed(&ball, 0.1, 0.7, &Silent).unwrap();
    let seen = coarse.inspect();
    assert!(seen.watertight && seen.outward == Some(true), "{seen}");
    assert!(coarse.triangles.len() < ball.triangles.len() / 3);
}

/// Writes a STEP file of a box of 200 mm × 100 mm × 50 mm with Gmsh.
fn step_of_a_box(folder: &Path) -> Vec<u8> {
    let script = folder.join("box.geo");
    let lines = "SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0, 0, 200, 100, 50};\n";
    std::fs::write(&script, lines).unwrap();
    let step = folder.join("box.step");
    let done = Command::new(gmsh::program())
        .args(["-0", "-format", "step", "-v", "2", "-o"])
        .arg(&step)
        .arg(&script)
        .output()
        .unwrap();
    assert!(done.status.success());
    std::fs::read(&step).unwrap()
}

#[test]
fn step_file_becomes_a_body_in_meters() {
    if !gmsh_is_here() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let step = step_of_a_box(folder.path());
    let skin = inputs().step_surface(&step, 0.03, &Silent).unwrap();
    let seen = skin.inspect();
    assert!(seen.watertight && seen.outward == Some(true), "{seen}");
    // Flat faces: STEP keeps fifteen digits.
    assert!((skin.volume() - 0.001).abs() < 1e-12);
    assert!((skin.area() - 0.07).abs() < 1e-12);
    let domain = Domain {
        bodies: vec![Body {
            skin,
            surface: "body".into(),
            interior: Interior::Hollow,
        }],
        layer: None,
        huygens: None,
        ..sphere_in_layer()
    };
    let mesh = inputs().tetrahedra(&domain, &Silent).unwrap();
    assert!((mesh.volume() - (0.6 * 0.5 * 0.45 - 0.001)).abs() < 1e-10);
}

#[test]
fn bodies_that_cross_are_an_error_in_words() {
    if !gmsh_is_here() {
        return;
    }
    let mut domain = sphere_in_layer();
    let mut other = domain.bodies[0].clone();
    for point in &mut other.skin.points {
        point[0] += 0.31;
    }
    other.surface = "other".into();
    other.interior = Interior::Hollow;
    domain.bodies.push(other);
    assert!(fill(&domain).is_ok(), "only Gmsh can tell");
    let error = inputs().tetrahedra(&domain, &Silent).unwrap_err();
    assert!(error.class() == ErrorClass::Runtime, "{error}");
    let text = error.to_string();
    assert!(text.contains("touching or intersecting"), "{text}");
    assert!(text.contains("intersect"), "{text}");
}

/// Observer that requests a stop at once.
struct Impatient;

impl Observer for Impatient {
    fn progress(&self, _: &Progress<'_>) {}

    fn stop_requested(&self) -> bool {
        true
    }
}

#[test]
fn a_stop_ends_gmsh() {
    if !gmsh_is_here() {
        return;
    }
    let stopped = inputs().tetrahedra(&sphere_in_layer(), &Impatient);
    assert_eq!(stopped.unwrap_err().class(), ErrorClass::Interrupted);
}

#[test]
fn meshing_for_a_run_can_be_stopped() {
    if !gmsh_is_here() {
        return;
    }
    let example = Example::find("dgtd/sphere").unwrap();
    let problem = Problem::parse(example.problem, example.name, Path::new(".")).unwrap();
    let stopped = wavefield::run::run(&problem, &Options::default(), &Impatient);
    assert_eq!(stopped.unwrap_err().class(), ErrorClass::Interrupted);
}
