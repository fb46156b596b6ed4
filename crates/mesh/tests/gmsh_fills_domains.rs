//! Gmsh understands the scripts, and its meshes have the volume and the groups that were asked for.

use std::f64::consts::PI;
use std::path::PathBuf;
use std::process::Command;

use wavefield_mesh::gmsh::{Body, Domain, Interior, ScriptError, Solid, gmsh_script};
use wavefield_mesh::{Limits, TetrahedralMesh, read_msh};

/// Runs Gmsh on a domain; `None` if there is no Gmsh here, which only a developer's machine may lack.
fn mesh(name: &str, domain: &Domain, options: &[&str]) -> Option<TetrahedralMesh> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let script = folder.join("domain.geo");
    let result = folder.join("domain.msh");
    std::fs::write(&script, gmsh_script(domain).unwrap()).unwrap();
    let output = Command::new("gmsh")
        .args(["-v", "2", "-nt", "1", "-3"])
        .arg(&script)
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
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    let loaded = read_msh(&std::fs::read(&result).unwrap(), &Limits::default()).unwrap();
    let mesh = loaded.mesh.into_volume().expect("tetrahedra");
    mesh.validate().unwrap();
    assert!((0..mesh.tetrahedra.len()).all(|t| mesh.tetrahedron_volume(t) > 0.0));
    Some(mesh)
}

fn names(groups: &[wavefield_mesh::Group]) -> Vec<&str> {
    let mut names: Vec<&str> = groups.iter().map(|g| g.name.as_str()).collect();
    names.sort_unstable();
    names
}

fn alone(solid: Solid, edge: f64) -> Domain {
    Domain {
        solid,
        volume: "air".into(),
        surface: "outer boundary".into(),
        edge,
        bodies: Vec::new(),
    }
}

const BALL: Solid = Solid::Sphere {
    centre: [0.1, 0.0, 0.0],
    radius: 1.0,
};

#[test]
fn box_is_filled_exactly() {
    let corner = [-1.0, 0.0, 0.5];
    let domain = alone(
        Solid::Cuboid {
            corner,
            size: [2.0, 1.0, 0.5],
        },
        0.3,
    );
    let formats = ["msh41", "msh22"];
    for (format, binary) in formats.iter().flat_map(|f| [(f, false), (f, true)]) {
        let mut options = vec!["-format", format];
        options.extend(binary.then_some("-bin"));
        let Some(mesh) = mesh(&format!("box-{format}-{binary}"), &domain, &options) else {
            return;
        };
        // A box is made of flat faces; only rounding is left.
        assert!((mesh.volume() - 1.0).abs() < 1e-12, "{format} {binary}");
        assert_eq!(names(&mesh.volume_groups), ["air"]);
        assert_eq!(names(&mesh.surface_groups), ["outer boundary"]);
        let surface = mesh.surface().inspect();
        assert!(surface.watertight);
        assert!((surface.area - 7.0).abs() < 1e-12);
    }
}

#[test]
fn curved_partitioned_and_parametric_files_hold_the_same_volume() {
    let domain = alone(
        Solid::Cuboid {
            corner: [0.0; 3],
            size: [1.0; 3],
        },
        0.4,
    );
    for (name, options) in [
        ("order", &["-order", "2"][..]),
        ("partition", &["-part", "2"]),
        ("parametric", &["-parametric"]),
    ] {
        for binary in [false, true] {
            let mut options = options.to_vec();
            options.extend(["-format", "msh41"]);
            options.extend(binary.then_some("-bin"));
            let Some(mesh) = mesh(&format!("{name}-{binary}"), &domain, &options) else {
                return;
            };
            // Flat faces: only rounding is left.
            assert!(
                (mesh.volume_of("air").unwrap() - 1.0).abs() < 1e-12,
                "{name}"
            );
            let skin = mesh.surface().part("outer boundary").unwrap();
            assert!((skin.area() - 6.0).abs() < 1e-12, "{name}");
        }
    }
}

#[test]
fn ball_and_cylinder_are_filled_up_to_their_curvature() {
    let Some(ball) = mesh("ball", &alone(BALL, 0.2), &["-format", "msh41"]) else {
        return;
    };
    // Flat facets of edge h on a sphere of radius R cut off about (h/R)²/4 of the volume: 1 % here.
    assert!((ball.volume() / (4.0 / 3.0 * PI) - 1.0).abs() < 0.02);
    let solid = Solid::Cylinder {
        base: [0.0; 3],
        axis: [0.0, 0.0, 2.0],
        radius: 0.5,
    };
    let Some(cylinder) = mesh("cylinder", &alone(solid, 0.15), &["-format", "msh41"]) else {
        return;
    };
    // For a cylinder (h/R)²/6: 1.5 % here.
    assert!((cylinder.volume() / (PI * 0.5) - 1.0).abs() < 0.02);
}

#[test]
fn bodies_inside_share_their_skin_with_the_surroundings() {
    let domain = Domain {
        solid: Solid::Cuboid {
            corner: [-2.0; 3],
            size: [4.0; 3],
        },
        volume: "air".into(),
        surface: "absorber".into(),
        edge: 0.8,
        bodies: vec![
            Body {
                solid: Solid::Cuboid {
                    corner: [-1.0; 3],
                    size: [1.0; 3],
                },
                interior: Interior::Meshed {
                    volume: "glass".into(),
                },
                surface: "glass skin".into(),
                edge: 0.3,
            },
            Body {
                solid: Solid::Cuboid {
                    corner: [0.5; 3],
                    size: [0.5; 3],
                },
                interior: Interior::Hollow,
                surface: "metal".into(),
                edge: 0.2,
            },
        ],
    };
    let Some(mesh) = mesh("bodies", &domain, &["-format", "msh41"]) else {
        return;
    };
    assert_eq!(names(&mesh.volume_groups), ["air", "glass"]);
    assert_eq!(
        names(&mesh.surface_groups),
        ["absorber", "glass skin", "metal"]
    );
    // Flat faces again: only rounding is left.
    assert!((mesh.volume_of("glass").unwrap() - 1.0).abs() < 1e-10);
    assert!((mesh.volume_of("air").unwrap() - (64.0 - 1.0 - 0.125)).abs() < 1e-10);
    let surface = mesh.surface();
    for (name, area) in [("absorber", 96.0), ("glass skin", 6.0), ("metal", 1.5)] {
        let part = surface.part(name).unwrap().inspect();
        assert!(part.watertight, "{name}");
        assert!((part.area - area).abs() < 1e-10, "{name}");
    }
    // Each triangle of the glass skin is a face of one tetrahedron on either side.
    let group = mesh
        .surface_groups
        .iter()
        .position(|g| g.name == "glass skin")
        .unwrap();
    let key = |mut t: [u32; 3]| {
        t.sort_unstable();
        t
    };
    let mut faces: Vec<[u32; 3]> = (mesh.tetrahedra.iter())
        .flat_map(|&[a, b, c, d]| [[a, b, c], [a, b, d], [a, c, d], [b, c, d]])
        .map(key)
        .collect();
    faces.sort_unstable();
    for (triangle, _) in
        (mesh.triangles.iter().zip(&mesh.surface_group_of)).filter(|(_, g)| **g as usize == group)
    {
        let first = faces.partition_point(|f| *f < key(*triangle));
        assert_eq!(
            faces[first..]
                .iter()
                .take_while(|f| **f == key(*triangle))
                .count(),
            2
        );
    }
}

#[test]
fn a_ball_inside_a_ball_leaves_a_shell() {
    let mut domain = alone(BALL, 0.3);
    domain.bodies.push(Body {
        solid: Solid::Sphere {
            centre: [0.1, 0.0, 0.0],
            radius: 0.5,
        },
        interior: Interior::Hollow,
        surface: "target".into(),
        edge: 0.12,
    });
    let Some(mesh) = mesh("shell", &domain, &["-format", "msh41"]) else {
        return;
    };
    assert_eq!(names(&mesh.surface_groups), ["outer boundary", "target"]);
    // Facets cut off (h/R)²/4, at most 2 %, at either sphere.
    let exact = 4.0 / 3.0 * PI * (1.0 - 0.125);
    assert!((mesh.volume() / exact - 1.0).abs() < 0.04);
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
    for name in hostile {
        let mut domain = alone(BALL, 0.2);
        domain.volume = name.into();
        assert!(
            matches!(gmsh_script(&domain), Err(ScriptError::Name { .. })),
            "{name:?}"
        );
        let mut domain = alone(BALL, 0.2);
        domain.surface = name.into();
        assert!(
            matches!(gmsh_script(&domain), Err(ScriptError::Name { .. })),
            "{name:?}"
        );
    }
    for edge in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(
            gmsh_script(&alone(BALL, edge)),
            Err(ScriptError::Length { .. })
        ));
    }
    let centre = [f64::NAN, 0.0, 0.0];
    let solid = Solid::Sphere {
        centre,
        radius: 1.0,
    };
    assert!(matches!(
        gmsh_script(&alone(solid, 0.1)),
        Err(ScriptError::Coordinate { .. })
    ));
    let mut domain = alone(BALL, 0.2);
    domain.bodies.push(Body {
        solid: BALL,
        interior: Interior::Hollow,
        surface: domain.surface.clone(),
        edge: 0.1,
    });
    assert!(matches!(
        gmsh_script(&domain),
        Err(ScriptError::DuplicateName { .. })
    ));
}
