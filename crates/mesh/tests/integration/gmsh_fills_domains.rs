//! Gmsh runs the tasks, and its meshes have the requested volumes, surfaces, and groups.

use std::collections::HashMap;
use std::f64::consts::PI;
use std::path::PathBuf;
use std::process::Command;

use wavefield_mesh::gmsh::*;
use wavefield_mesh::primitive::{self, HelixAntenna, HelixSurfaces, WireSection};
use wavefield_mesh::{AnyMesh, Limits, TetrahedralMesh, TriangleMesh, read_msh};

/// Runs Gmsh on a task; `None` if Gmsh is missing, which is allowed only on a developer's machine.
fn run(name: &str, task: &Task, options: &[&str]) -> Option<AnyMesh> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    for file in &task.files {
        std::fs::write(folder.join(file.name), &file.bytes).unwrap();
    }
    let result = folder.join("result.msh");
    let output = Command::new("gmsh")
        .args(["-v", "2", "-nt", "1"])
        .arg(format!("-{}", task.dimension))
        .arg(folder.join(task.files[0].name))
        .arg("-o")
        .arg(&result)
        .args(options)
        .output();
    let output = match output {
        Ok(output) => output,
        Err(error) => {
            assert!(
                std::env::var_os("CI").is_none(),
                "gmsh cannot be started: {error}"
            );
            println!(
                "SKIPPED: gmsh cannot be started ({error}); install it with `pip install gmsh`"
            );
            return None;
        }
    };
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    // Gmsh may exit with success in spite of errors.
    assert!(output.status.success() && !said.contains("Error"), "{said}");
    let loaded = read_msh(&std::fs::read(&result).unwrap(), &Limits::default()).unwrap();
    Some(loaded.mesh)
}

fn mesh_with(name: &str, domain: &Domain, options: &[&str]) -> Option<TetrahedralMesh> {
    let mesh = run(name, &fill(domain).unwrap(), options)?;
    let mesh = mesh.into_volume().expect("tetrahedra");
    mesh.validate().unwrap();
    assert!((0..mesh.tetrahedra.len()).all(|t| mesh.tetrahedron_volume(t) > 0.0));
    check_faces(&mesh);
    println!("{name}: {}", mesh.quality().unwrap());
    Some(mesh)
}

fn mesh(name: &str, domain: &Domain) -> Option<TetrahedralMesh> {
    mesh_with(name, domain, &["-format", "msh41", "-bin"])
}

fn sorted(mut corners: [u32; 3]) -> [u32; 3] {
    corners.sort_unstable();
    corners
}

/// Returns for each face the volume groups of its tetrahedra, in alphabetical order.
fn volumes_at_faces(mesh: &TetrahedralMesh) -> HashMap<[u32; 3], Vec<&str>> {
    let mut faces: HashMap<[u32; 3], Vec<&str>> = HashMap::new();
    for (&[a, b, c, d], &group) in mesh.tetrahedra.iter().zip(&mesh.volume_group_of) {
        let name = mesh.volume_groups[group as usize].name.as_str();
        for face in [[a, b, c], [a, b, d], [a, c, d], [b, c, d]] {
            faces.entry(sorted(face)).or_default().push(name);
        }
    }
    for volumes in faces.values_mut() {
        volumes.sort_unstable();
    }
    faces
}

/// Checks that the mesh is conforming: every triangle is a face, no face has more than two tetrahedra, every
/// face with one tetrahedron is on a named surface, and so is every interface between volumes other than air
/// and PML.
fn check_faces(mesh: &TetrahedralMesh) {
    let faces = volumes_at_faces(mesh);
    let named: HashMap<[u32; 3], u32> = (mesh.triangles.iter().zip(&mesh.surface_group_of))
        .map(|(t, &group)| (sorted(*t), group))
        .collect();
    assert_eq!(named.len(), mesh.triangles.len(), "no triangle twice");
    assert!(named.keys().all(|face| faces.contains_key(face)));
    for (face, volumes) in &faces {
        match volumes[..] {
            [_] => assert!(named.contains_key(face), "{volumes:?}"),
            [a, b] if a == b => {}
            ["air" | "layer", "layer" | "scattered"] => assert!(!named.contains_key(face)),
            [_, _] => assert!(named.contains_key(face), "{volumes:?}"),
            _ => panic!("a face with {} tetrahedra", volumes.len()),
        }
    }
}

/// Returns the volumes on both sides of a named surface, which must be the same everywhere.
fn sides(mesh: &TetrahedralMesh, surface: &str) -> Vec<String> {
    let faces = volumes_at_faces(mesh);
    let mut found: Vec<&Vec<&str>> = (mesh.triangles.iter().zip(&mesh.surface_group_of))
        .filter(|(_, group)| mesh.surface_groups[**group as usize].name == surface)
        .map(|(t, _)| &faces[&sorted(*t)])
        .collect();
    found.dedup();
    assert_eq!(found.len(), 1, "{surface} lies between {found:?}");
    found[0].iter().map(ToString::to_string).collect()
}

fn names(groups: &[wavefield_mesh::Group]) -> Vec<&str> {
    let mut names: Vec<&str> = groups.iter().map(|g| g.name.as_str()).collect();
    names.sort_unstable();
    names
}

fn alone(air: Enclosure, edge: f64) -> Domain {
    Domain {
        bodies: vec![],
        sheets: vec![],
        huygens: None,
        air,
        air_edge: edge,
        layer: None,
        faces: Faces::Together,
    }
}

fn hollow(skin: TriangleMesh, surface: &str) -> Body {
    Body {
        skin,
        surface: surface.into(),
        interior: Interior::Hollow,
    }
}

fn meshed(skin: TriangleMesh, surface: &str, volume: &str) -> Body {
    Body {
        interior: Interior::Meshed {
            volume: volume.into(),
        },
        ..hollow(skin, surface)
    }
}

/// Returns a domain of bodies in a Huygens box, air, and a PML.
fn scattering(bodies: Vec<Body>, margin: f64, edge: f64) -> Domain {
    Domain {
        bodies,
        sheets: vec![],
        huygens: Some(Huygens {
            shape: Enclosure::BoxAround { margin },
            edge,
        }),
        air: Enclosure::BoxAround { margin },
        air_edge: edge,
        layer: Some(Layer {
            thickness: 2.0 * margin,
            edge: 1.2 * edge,
        }),
        faces: Faces::Together,
    }
}

const UNIT_BOX: Enclosure = Enclosure::Box {
    corner: [0.0; 3],
    size: [1.0; 3],
};

#[test]
fn box_is_filled_exactly_in_every_format() {
    let domain = alone(
        Enclosure::Box {
            corner: [-1.0, 0.0, 0.5],
            size: [2.0, 1.0, 0.5],
        },
        0.3,
    );
    let formats = ["msh41", "msh22"];
    for (format, binary) in formats.iter().flat_map(|f| [(f, false), (f, true)]) {
        let mut options = vec!["-format", format];
        options.extend(binary.then_some("-bin"));
        let Some(mesh) = mesh_with(&format!("box-{format}-{binary}"), &domain, &options) else {
            return;
        };
        // A box has flat faces; only rounding errors remain.
        assert!((mesh.volume() - 1.0).abs() < 1e-12, "{format} {binary}");
        assert_eq!(names(&mesh.volume_groups), ["air"]);
        assert_eq!(names(&mesh.surface_groups), ["outer"]);
        let surface = mesh.surface().inspect();
        assert!(surface.watertight);
        assert!((surface.area - 7.0).abs() < 1e-12);
    }
}

#[test]
fn curved_partitioned_and_parametric_files_hold_the_same_volume() {
    let task = fill(&alone(UNIT_BOX, 0.4)).unwrap();
    for (name, options) in [
        ("order", &["-order", "2"][..]),
        ("partition", &["-part", "2"]),
        ("parametric", &["-parametric"]),
    ] {
        for binary in [false, true] {
            let mut options = options.to_vec();
            options.extend(["-format", "msh41"]);
            options.extend(binary.then_some("-bin"));
            let Some(mesh) = run(&format!("{name}-{binary}"), &task, &options) else {
                return;
            };
            let mesh = mesh.into_volume().unwrap();
            // Flat faces; only rounding errors remain.
            assert!(
                (mesh.volume_of("air").unwrap() - 1.0).abs() < 1e-12,
                "{name}"
            );
            let skin = mesh.surface().part("outer").unwrap();
            assert!((skin.area() - 6.0).abs() < 1e-12, "{name}");
        }
    }
}

#[test]
fn waveguide_has_named_walls_and_ends() {
    let mut domain = alone(
        Enclosure::Box {
            corner: [0.0; 3],
            size: [0.4, 0.2, 1.0],
        },
        0.1,
    );
    domain.faces = Faces::Apart;
    let Some(mesh) = mesh("waveguide", &domain) else {
        return;
    };
    let surface = mesh.surface();
    for (axis, letter, area) in [(0, "x", 0.2), (1, "y", 0.4), (2, "z", 0.08)] {
        for (sign, place) in [("-", 0.0), ("+", [0.4, 0.2, 1.0][axis])] {
            let face = surface.part(&format!("{letter}{sign}")).unwrap();
            assert!((face.area() - area).abs() < 1e-12);
            // Gmsh converts planes to parametric coordinates and back, which rounds.
            assert!((face.points.iter()).all(|p| (p[axis] - place).abs() < 1e-15));
        }
    }
}

#[test]
fn sphere_and_cylinder_can_be_the_whole_domain() {
    let ball = alone(
        Enclosure::Sphere {
            center: [0.1, 0.0, 0.0],
            radius: 1.0,
        },
        0.2,
    );
    let Some(ball) = mesh("ball", &ball) else {
        return;
    };
    // Flat facets of edge h on a sphere of radius R reduce the volume by about (h/R)²/4, 1 % here.
    assert!((ball.volume() / (4.0 / 3.0 * PI) - 1.0).abs() < 0.02);
    assert_eq!(names(&ball.surface_groups), ["outer"]);
    let tube = primitive::cylinder(0.5, 2.0, 0.2).unwrap();
    let exactly = tube.volume();
    let mut domain = alone(Enclosure::Surface(tube), 0.2);
    domain.faces = Faces::Apart;
    let Some(tube) = mesh("tube", &domain) else {
        return;
    };
    assert_eq!(names(&tube.surface_groups), ["bottom", "side", "top"]);
    // The triangles are kept; only rounding errors remain.
    assert!((tube.volume() - exactly).abs() < 1e-12);
}

#[test]
fn sphere_lies_in_huygens_box_air_and_layer() {
    for (interior, name) in [("meshed", "dielectric"), ("hollow", "conductor")] {
        let skin = primitive::sphere(0.3, 0.15).unwrap();
        let inside = skin.volume();
        let body = match interior {
            "meshed" => meshed(skin, "sphere", "glass"),
            _ => hollow(skin, "sphere"),
        };
        let Some(mesh) = mesh(name, &scattering(vec![body], 0.2, 0.2)) else {
            return;
        };
        assert_eq!(names(&mesh.surface_groups), ["huygens", "outer", "sphere"]);
        // The boxes are exact, the sphere is the given polyhedron; only rounding errors remain. A point of
        // the sphere is on ±y and ±z, but not on every axis; boxes follow from the points.
        let surface = mesh.surface();
        let size = |part: &str| {
            let part = surface.part(part).unwrap();
            let seen = part.inspect();
            assert!(seen.watertight);
            let [x, y, z] = part.bounding_box().unwrap().size();
            assert!((part.area() - 2.0 * (x * y + y * z + z * x)).abs() < 1e-9);
            [x, y, z]
        };
        let (huygens, outer) = (size("huygens"), size("outer"));
        for axis in 0..3 {
            // Air and PML add 0.2 and 0.4 on either side.
            assert!((outer[axis] - huygens[axis] - 1.2).abs() < 1e-12);
        }
        let volume = |size: [f64; 3]| size.iter().product::<f64>();
        let air = volume(huygens.map(|side| side + 0.4));
        for (name, expected) in [
            ("total", volume(huygens) - inside),
            ("scattered", air - volume(huygens)),
            ("layer", volume(outer) - air),
        ] {
            assert!((mesh.volume_of(name).unwrap() - expected).abs() < 1e-9);
        }
        assert_eq!(sides(&mesh, "huygens"), ["scattered", "total"]);
        assert_eq!(sides(&mesh, "outer"), ["layer"]);
        match interior {
            "meshed" => {
                assert!((mesh.volume_of("glass").unwrap() - inside).abs() < 1e-9);
                assert_eq!(sides(&mesh, "sphere"), ["glass", "total"]);
            }
            _ => {
                assert_eq!(names(&mesh.volume_groups), ["layer", "scattered", "total"]);
                assert_eq!(sides(&mesh, "sphere"), ["total"]);
            }
        }
        let mut better = mesh.clone();
        better.raise_smallest_inradius();
        let [before, after] = [&mesh, &better].map(|mesh| mesh.quality().unwrap());
        assert!(after.smallest_inradius > before.smallest_inradius);
        check_faces(&better);
        // Edges on the sphere are at least 0.105; regular tetrahedra of that size have an inradius of 0.021,
        // slivers nearly zero.
        assert!(after.smallest_inradius > 0.8 * 0.021, "{after}");
    }
}

#[test]
fn coated_sphere_keeps_its_core_apart() {
    for core_is_hollow in [true, false] {
        let coating = primitive::sphere(0.3, 0.1).unwrap();
        let core = primitive::sphere(0.2, 0.1).unwrap();
        let shell = coating.volume() - core.volume();
        let core = match core_is_hollow {
            true => hollow(core, "core"),
            false => meshed(core, "core", "water"),
        };
        // The order of the bodies does not matter.
        let bodies = vec![core, meshed(coating, "coating", "plastic")];
        let name = format!("coated-{core_is_hollow}");
        let Some(mesh) = mesh(&name, &scattering(bodies, 0.15, 0.15)) else {
            return;
        };
        assert!((mesh.volume_of("plastic").unwrap() - shell).abs() < 1e-9);
        assert_eq!(sides(&mesh, "coating"), ["plastic", "total"]);
        match core_is_hollow {
            true => assert_eq!(sides(&mesh, "core"), ["plastic"]),
            false => assert_eq!(sides(&mesh, "core"), ["plastic", "water"]),
        }
    }
}

#[test]
fn bodies_of_every_kind_fit_into_a_huygens_sphere() {
    let moved = |mut mesh: TriangleMesh, x: f64| {
        for point in &mut mesh.points {
            point[0] += x;
        }
        mesh
    };
    let skins = [
        ("almond", primitive::almond(0.3, 0.04).unwrap()),
        (
            "box",
            moved(primitive::cuboid([0.1; 3], 0.04).unwrap(), 0.3),
        ),
        (
            "can",
            moved(primitive::cylinder(0.05, 0.1, 0.04).unwrap(), 0.5),
        ),
        (
            "egg",
            moved(primitive::ellipsoid([0.05, 0.07, 0.1], 0.04).unwrap(), 0.7),
        ),
    ];
    let bodies = (skins.iter()).map(|(name, skin)| hollow(skin.clone(), name));
    let mut domain = scattering(bodies.collect(), 0.1, 0.1);
    domain.huygens = Some(Huygens {
        shape: Enclosure::SphereAround { margin: 0.1 },
        edge: 0.1,
    });
    let Some(mesh) = mesh("zoo", &domain) else {
        return;
    };
    let surface = mesh.surface();
    let huygens = surface.part("huygens").unwrap();
    assert!(huygens.inspect().watertight);
    let inside: f64 = skins.iter().map(|(_, skin)| skin.volume()).sum();
    let total = huygens.volume().abs() - inside;
    assert!((mesh.volume_of("total").unwrap() - total).abs() < 1e-9);
    for (name, skin) in &skins {
        let part = surface.part(name).unwrap();
        assert_eq!(part.triangles.len(), skin.triangles.len());
        assert!((part.area() - skin.area()).abs() < 1e-12);
        assert_eq!(sides(&mesh, name), ["total"]);
    }
}

#[test]
fn helix_stands_on_its_ground_with_a_feed_between() {
    let antenna = HelixAntenna {
        radius: 4e-3,
        pitch: 5e-3,
        turns: 1.5,
        section: WireSection::Square { width: 1.5e-3 },
        gap: 1e-3,
        ground_radius: 8e-3,
        edge: 1.2e-3,
        ground_edge: 2e-3,
    };
    let HelixSurfaces { wire, sheet } = primitive::helix_antenna(&antenna).unwrap();
    let areas = ["ground", "feed"].map(|name| sheet.part(name).unwrap().area());
    let inside = wire.volume();
    let mut domain = scattering(vec![hollow(wire, "wire")], 4e-3, 4e-3);
    domain.sheets.push(sheet);
    let Some(mut mesh) = mesh("helix", &domain) else {
        return;
    };
    // The wire is concave toward the axis, where flat tetrahedra connect adjacent points.
    let before = mesh.quality().unwrap().smallest_inradius;
    mesh.raise_smallest_inradius();
    assert!(mesh.quality().unwrap().smallest_inradius > before);
    check_faces(&mesh);
    let surface = mesh.surface();
    for (name, area) in ["ground", "feed"].into_iter().zip(areas) {
        assert!((surface.part(name).unwrap().area() - area).abs() < 1e-12);
        // There is air on both sides.
        assert_eq!(sides(&mesh, name), ["total", "total"]);
    }
    let huygens = surface.part("huygens").unwrap().bounding_box().unwrap();
    let total = huygens.size().iter().product::<f64>() - inside;
    assert!((mesh.volume_of("total").unwrap() - total).abs() < 1e-14);
}

#[test]
fn surfaces_are_covered_anew_at_another_size() {
    // Facets with long thin triangles, as in CAD exports.
    let mut skin = primitive::cylinder(0.2, 0.6, 0.05).unwrap();
    for group in &mut skin.group_of {
        *group = 0;
    }
    skin.groups.truncate(1);
    let task = remesh(&skin, 0.08, 0.7).unwrap();
    let Some(AnyMesh::Surface(new)) = run("remesh", &task, &["-format", "msh41"]) else {
        return;
    };
    let seen = new.inspect();
    assert!(seen.watertight, "{seen}");
    assert!(new.triangles.len() < skin.triangles.len());
    // Chords of 0.08 on a circle of 0.2 reduce the volume by (h/R)²/6, 3 %.
    assert!((new.volume().abs() / skin.volume() - 1.0).abs() < 0.04);
    // Both rims are preserved.
    let [_, _, height] = seen.bounding_box.unwrap().size();
    assert!((height - 0.6).abs() < 1e-9);
}

#[test]
fn nothing_from_a_name_or_number_can_become_a_command() {
    let hostile = [
        "a\"; SystemCall \"touch x\"; //",
        "a\nSystemCall \"x\"",
        "a\\\"",
        "",
        "7up",
        "a;b",
        "a{b}",
        "ключ",
        "a\0",
    ];
    let ball = || primitive::sphere(0.1, 0.1).unwrap();
    let refused = |domain: &Domain| matches!(fill(domain), Err(DomainError::Name { .. }));
    for name in hostile {
        let domain = scattering(vec![meshed(ball(), "skin", name)], 0.1, 0.1);
        assert!(refused(&domain), "{name:?}");
        let domain = scattering(vec![hollow(ball(), name)], 0.1, 0.1);
        assert!(refused(&domain), "{name:?}");
        let mut domain = alone(UNIT_BOX, 0.1);
        let mut sheet = primitive::plate(0.1, 0.1, 0.1).unwrap();
        sheet.groups[0].name = name.into();
        domain.sheets.push(sheet);
        assert!(refused(&domain), "{name:?}");
        let mut tube = primitive::cylinder(0.1, 0.1, 0.1).unwrap();
        tube.groups[1].name = name.into();
        let mut domain = alone(Enclosure::Surface(tube), 0.1);
        domain.faces = Faces::Apart;
        assert!(refused(&domain), "{name:?}");
    }
    // Names of a surface whose groups are not used are not written to any file.
    let mut skin = ball();
    skin.groups[0].name = hostile[0].into();
    let mut domain = scattering(vec![hollow(skin.clone(), "skin")], 0.1, 0.1);
    for task in [fill(&domain).unwrap(), remesh(&skin, 0.1, 0.5).unwrap()] {
        for file in &task.files {
            assert!(!String::from_utf8_lossy(&file.bytes).contains("SystemCall"));
        }
    }
    domain.bodies[0].surface = "huygens".into();
    assert!(matches!(
        fill(&domain),
        Err(DomainError::DuplicateName { .. })
    ));
    for value in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let length = |domain: &Domain| matches!(fill(domain), Err(DomainError::Length { .. }));
        assert!(length(&alone(UNIT_BOX, value)));
        assert!(length(&alone(Enclosure::BoxAround { margin: value }, 0.1)));
        assert!(length(&scattering(
            vec![hollow(ball(), "skin")],
            0.1,
            value
        )));
        assert!(matches!(
            step_surface(b"", value),
            Err(DomainError::Length { .. })
        ));
    }
    let center = [f64::NAN, 0.0, 0.0];
    let radius = 1.0;
    assert!(matches!(
        fill(&alone(Enclosure::Sphere { center, radius }, 0.1)),
        Err(DomainError::Coordinate { .. })
    ));
}

#[test]
fn file_names_are_fixed_and_the_script_names_no_other() {
    let ball = primitive::sphere(0.1, 0.1).unwrap();
    let tasks = [
        fill(&scattering(vec![hollow(ball.clone(), "ball")], 0.1, 0.1)).unwrap(),
        remesh(&ball, 0.1, 0.5).unwrap(),
        step_surface(b"ISO-10303-21;", 0.1).unwrap(),
    ];
    for task in tasks {
        let script = String::from_utf8(task.files[0].bytes.clone()).unwrap();
        let merged: Vec<&str> = (script.lines())
            .filter_map(|line| line.strip_prefix("Merge \"")?.strip_suffix("\";"))
            .collect();
        let others: Vec<&str> = task.files[1..].iter().map(|file| file.name).collect();
        assert_eq!(merged, others);
    }
}

#[test]
fn impossible_domains_are_refused_with_the_reason() {
    let ball = |radius: f64| primitive::sphere(radius, 0.1).unwrap();
    let error = |domain: &Domain| fill(domain).unwrap_err();

    let mut open = ball(0.2);
    open.triangles.pop();
    open.group_of.pop();
    let domain = scattering(vec![hollow(open, "shell")], 0.1, 0.1);
    assert!(matches!(
        error(&domain),
        DomainError::NotClosed { open: 3, .. }
    ));

    let bodies = vec![hollow(ball(0.2), "pec"), meshed(ball(0.1), "core", "glass")];
    assert!(matches!(
        error(&scattering(bodies, 0.1, 0.1)),
        DomainError::InsideConductor { .. }
    ));

    let mut domain = scattering(vec![hollow(ball(0.2), "pec")], 0.1, 0.1);
    domain.air = Enclosure::Sphere {
        center: [0.0; 3],
        radius: 1.0,
    };
    assert_eq!(error(&domain), DomainError::LayerNeedsBox);
    domain.air = UNIT_BOX;
    assert!(matches!(error(&domain), DomainError::Outside { .. }));

    // Facets of 0.1 on a sphere of 0.21 have a sagitta of 0.01, so the inner sphere intersects them.
    let mut domain = scattering(vec![hollow(ball(0.2), "pec")], 0.1, 0.1);
    domain.huygens = Some(Huygens {
        shape: Enclosure::SphereAround { margin: 0.005 },
        edge: 0.1,
    });
    assert!(matches!(error(&domain), DomainError::Outside { .. }));

    let domain = alone(Enclosure::BoxAround { margin: 0.1 }, 0.1);
    assert!(matches!(error(&domain), DomainError::NothingInside { .. }));
    let mut domain = alone(UNIT_BOX, 0.1);
    domain.sheets.push(TriangleMesh::default());
    assert_eq!(error(&domain), DomainError::EmptySheet { number: 1 });
}
