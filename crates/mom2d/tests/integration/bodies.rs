//! Bodies other than a single circle.

use std::sync::atomic::{AtomicUsize, Ordering};

use num_complex::Complex64;
use wavefield_mesh::AnyMesh;
use wavefield_mesh::gmsh::Task;
use wavefield_mom2d::{Case, Error, Mom2dSolver, Plan, Polarization, Spec};
use wavefield_numerics::cpu::CpuPool;
use wavefield_numerics::observe::{Cancel, Observer, Silent};
use wavefield_physics::exact::cylinder_group::{CylinderGroup, PlacedCylinder};
use wavefield_physics::exact::sphere::Core;
use wavefield_physics::material::{ComplexNumber, Material, SurfaceImpedance};
use wavefield_physics::medium::Medium;
use wavefield_solver::{Inputs, Solver};

fn spec(text: &str) -> Spec {
    toml::from_str(text).unwrap()
}

fn solve(text: &str) -> Case {
    let solution = Plan::new(&spec(text), Vec::new())
        .unwrap()
        .execute(&Silent)
        .unwrap();
    solution.cases.into_iter().next().unwrap()
}

fn strip(polarization: &str) -> Case {
    solve(&format!(
        r#"
        frequency = "299792458 Hz"
        bodies = [{{ geometry = {{ shape = "strip", points = [["-1 m", "0 m"], ["1 m", "0 m"]] }}, material = "pec" }}]
        excitation = {{ kind = "plane-wave", phi = "60 deg", polarization = "{polarization}" }}
        observation = {{ kind = "bistatic", phi = {{ start = "0 deg", stop = "180 deg", step = "1 deg" }} }}
        "#
    ))
}

/// Returns the exponent of |J| as a power of the distance from the end at x = −1, fitted by least squares between two
/// distances.
fn edge_exponent(case: &Case, from: f64, to: f64) -> f64 {
    let points: Vec<(f64, f64)> = case
        .nodes()
        .iter()
        .zip(case.current(0))
        .map(|(node, current)| (node.arc, current.norm()))
        .filter(|(d, _)| (from..to).contains(d))
        .map(|(d, j)| (d.ln(), j.ln()))
        .collect();
    let count = points.len() as f64;
    let mean = |f: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / count;
    let (x, y) = (mean(&|p| p.0), mean(&|p| p.1));
    let above = mean(&|p| (p.0 - x) * (p.1 - y));
    above / mean(&|p| (p.0 - x) * (p.0 - x))
}

#[test]
fn currents_at_the_edge_of_a_strip_have_their_exponents() {
    for (polarization, exponent) in [("tm", -0.5), ("te", 0.5)] {
        let case = strip(polarization);
        let found = edge_exponent(&case, 1e-5, 1e-2);
        println!("{polarization} {found} {:?}", case.checks);
        assert!((found - exponent).abs() <= 0.02, "{polarization} {found}");
        let refinement = case.checks.refinement.unwrap();
        assert!(refinement.deviation.amplitude < 1e-6, "{refinement:?}");
    }
}

/// Bistatic amplitudes are invariant under exchange of source and receiver.
#[test]
fn scattering_is_reciprocal() {
    for polarization in ["tm", "te"] {
        let at = |from: u32, to: u32| {
            let text = format!(
                r#"
                frequency = "300 MHz"
                bodies = [
                    {{ geometry = {{ shape = "polygon", points = [["0 m", "0 m"], ["1 m", "0.1 m"], ["0.3 m", "0.9 m"]] }}, material = "pec" }},
                    {{ geometry = {{ shape = "ellipse", semi_axes = ["0.5 m", "0.3 m"], rotation = "20 deg", center = ["2 m", "0.5 m"] }}, material = {{ permittivity = [3.0, -0.3] }} }},
                    {{ geometry = {{ shape = "strip", points = [["-1 m", "-1 m"], ["1 m", "-1.2 m"]] }}, material = "pec" }},
                    {{ geometry = {{ shape = "circle", radius = "0.3 m", center = ["-1 m", "1 m"] }}, material = {{ surface_impedance = [0.4, 0.2] }} }},
                ]
                excitation = {{ kind = "plane-wave", phi = "{from} deg", polarization = "{polarization}" }}
                observation = {{ kind = "bistatic", phi = "{to} deg" }}
                mom2d.method = {{ kind = "nystrom", order = 6, points_per_wavelength = 12.0, grading = 10 }}
                mom2d.error_estimate = "none"
                "#
            );
            solve(&text).amplitudes[0]
        };
        let (a, b) = (at(20, 130), at(130, 20));
        println!("{polarization} {a} {b} {:e}", (a - b).norm() / a.norm());
        // The meshes are coarse to keep the test fast.
        assert!((a - b).norm() < 1e-4 * a.norm(), "{a} {b}");
    }
}

#[test]
fn a_spline_through_points_of_a_circle_scatters_as_the_circle() {
    let points: Vec<String> = (0..48)
        .map(|i| f64::from(i) * std::f64::consts::TAU / 48.0)
        .map(|t| format!("[\"{:.16} m\", \"{:.16} m\"]", t.cos(), t.sin()))
        .collect();
    let body = |shape: &str| {
        solve(&format!(
            r#"
            frequency = "200 MHz"
            bodies = [{{ geometry = {{ {shape} }}, material = "pec" }}]
            excitation = {{ kind = "plane-wave", phi = "0 deg", polarization = "te" }}
            observation = {{ kind = "monostatic" }}
            mom2d.error_estimate = "none"
            "#
        ))
    };
    let circle = body("shape = \"circle\", radius = \"1 m\"");
    let spline = body(&format!(
        "shape = \"spline\", points = [{}]",
        points.join(", ")
    ));
    let ratio = (spline.amplitudes[0] / circle.amplitudes[0] - 1.0).norm();
    println!("{ratio:e}");
    // The spline deviates from the circle by 1e-6 (fourth power of 2π/48 over 384).
    assert!(ratio < 1e-5, "{ratio}");
}

#[test]
fn power_is_kept_by_conductors_and_lost_in_lossy_bodies() {
    for (material, absorbs) in [("\"pec\"", false), ("{ permittivity = [3.0, -1.0] }", true)] {
        let case = solve(&format!(
            r#"
            frequency = "300 MHz"
            bodies = [{{ geometry = {{ shape = "ellipse", semi_axes = ["1 m", "0.4 m"] }}, material = {material} }}]
            excitation = {{ kind = "plane-wave", phi = "35 deg", polarization = "tm" }}
            observation = {{ kind = "bistatic", phi = {{ start = "0 deg", stop = "359 deg", step = "1 deg" }} }}
            "#
        ));
        let scattered = case.widths().iter().sum::<f64>() / 360.0;
        let extinction = case.extinction_width(0);
        println!("{material} {scattered} {extinction}");
        if absorbs {
            assert!(extinction > 1.05 * scattered);
        } else {
            assert!((extinction - scattered).abs() < 1e-8 * extinction);
        }
    }
}

#[test]
fn the_near_field_meets_the_boundary_condition() {
    let case = solve(
        r#"
        frequency = "300 MHz"
        bodies = [{ geometry = { shape = "circle", radius = "0.7 m" }, material = "pec" }]
        excitation = { kind = "plane-wave", phi = "180 deg", polarization = "tm" }
        observation = { kind = "monostatic" }
        mom2d.method = { kind = "nystrom", order = 10, points_per_wavelength = 30.0 }
        "#,
    );
    for gap in [1e-2, 1e-4, 1e-8] {
        let radius = 0.7 + gap;
        let points: Vec<[f64; 2]> = (0..20)
            .map(|i| (0.1 + 0.3 * f64::from(i)).sin_cos())
            .map(|(sin, cos)| [radius * cos, radius * sin])
            .collect();
        let field = case.field_at(0, &points).unwrap();
        let worst = field.iter().map(|u| u.norm()).fold(0.0, f64::max);
        println!("{gap} {worst}");
        // E_z grows from zero as 2k times the distance at most.
        assert!(worst < 15.0 * gap + 1e-8, "{gap} {worst}");
    }
    assert_eq!(case.field_at(0, &[[0.1, 0.2]]).unwrap()[0].norm(), 0.0);
}

#[test]
fn the_field_is_continuous_through_the_surface_of_a_dielectric() {
    let case = solve(
        r#"
        frequency = "300 MHz"
        bodies = [{ geometry = { shape = "ellipse", semi_axes = ["0.7 m", "0.4 m"] }, material = { permittivity = [3.0, -0.2] } }]
        excitation = { kind = "plane-wave", phi = "100 deg", polarization = "te" }
        observation = { kind = "monostatic" }
        "#,
    );
    for i in 0..10 {
        let (sin, cos) = (0.2 + 0.6 * f64::from(i)).sin_cos();
        let at = |scale: f64| [0.7 * scale * cos, 0.4 * scale * sin];
        let field = case.field_at(0, &[at(1.0 + 1e-9), at(1.0 - 1e-9)]).unwrap();
        assert!((field[0] - field[1]).norm() < 1e-6, "{field:?}");
    }
}

#[test]
fn the_number_of_threads_does_not_change_a_bit() {
    let run = |threads: usize| {
        let pool = CpuPool::new(Some(threads)).unwrap();
        pool.install(|| strip("te"))
    };
    let (one, three) = (run(1), run(3));
    assert_eq!(one.current(0), three.current(0));
    assert_eq!(one.amplitudes, three.amplitudes);
}

#[test]
fn a_stop_is_obeyed() {
    let text = r#"
        frequency = "300 MHz"
        bodies = [{ geometry = { shape = "circle", radius = "1 m" }, material = "pec" }]
        excitation = { kind = "plane-wave", phi = "0 deg", polarization = "tm" }
        observation = { kind = "monostatic" }
    "#;
    let stop = Cancel::new();
    stop.request();
    let result = Plan::new(&spec(text), Vec::new()).unwrap().execute(&stop);
    assert!(matches!(result, Err(Error::Cancelled(_))));
}

#[test]
fn problems_that_make_no_sense_are_refused_with_a_reason() {
    let refused = |bodies: &str, rest: &str| {
        let text = format!(
            r#"
            frequency = "300 MHz"
            bodies = [{bodies}]
            excitation = {{ kind = "plane-wave", phi = "0 deg", polarization = "tm" }}
            observation = {{ kind = "monostatic" }}
            {rest}
            "#
        );
        Plan::new(&spec(&text), Vec::new()).unwrap_err().to_string()
    };
    let circle = r#"{ geometry = { shape = "circle", radius = "1 m" }, material = "pec" }"#;
    let small = r#"{ geometry = { shape = "circle", radius = "0.2 m" }, material = { permittivity = 2.0 } }"#;
    let line = r#"{ geometry = { shape = "strip", points = [["3 m", "0 m"], ["4 m", "0 m"]] }, material = "pec" }"#;
    let vacuum = r#"{ geometry = { shape = "circle", radius = "1 m" }, material = "vacuum" }"#;
    let air =
        r#"{ geometry = { shape = "circle", radius = "1 m" }, material = { permittivity = 1.0 } }"#;
    let sheet = r#"{ geometry = { shape = "strip", points = [["3 m", "0 m"], ["4 m", "0 m"]] }, material = { surface_impedance = 1.0 } }"#;
    let mesh = r#"{ geometry = { shape = "mesh", file = "a.msh", unit = "m" }, material = "pec" }"#;
    for (bodies, rest, words) in [
        ("", "", "`bodies` needs a body"),
        (&format!("{circle}, {small}"), "", "overlap"),
        (line, "mom2d.equation = { kind = \"mfie\" }", "open strip"),
        (
            line,
            "mom2d.method = { kind = \"kress\" }",
            "circles and ellipses",
        ),
        (small, "mom2d.method = { kind = \"pulse\" }", "TM EFIE"),
        (vacuum, "", "bodies of vacuum"),
        (air, "", "scatters nothing"),
        (sheet, "", "perfect conductor"),
        (
            circle,
            "mom2d.method = { kind = \"nystrom\", order = 13 }",
            "between 1 and 12",
        ),
        (
            circle,
            "mom2d.equation = { kind = \"cfie\", alpha = 1.5 }",
            "between 0 and 1",
        ),
        (mesh, "", "the contour of its file"),
        (
            r#"{ geometry = { shape = "polygon", points = [["0 m", "0 m"], ["0 m", "0 m"], ["1 m", "0 m"]] }, material = "pec" }"#,
            "",
            "coincide",
        ),
    ] {
        let message = refused(bodies, rest);
        assert!(message.contains(words), "{message}");
    }
}

/// All conflicts of the settings are reported, each with its key.
#[test]
fn all_issues_are_found_at_once() {
    let text = r#"
        frequency = "300 MHz"
        bodies = [
            { geometry = { shape = "strip", points = [["0 m", "0 m"], ["1 m", "0 m"]] }, material = { permittivity = [2.0, -0.1] } },
            { geometry = { shape = "circle", radius = "-1 m" }, material = "pec", mesh_size = "1 cm" },
        ]
        excitation = { kind = "plane-wave", theta = "80 deg", phi = "0 deg" }
        observation = { kind = "monostatic" }
        mom2d.equation = { kind = "cfie", alpha = -0.1 }
        mom2d.method = { kind = "pulse", unknowns = 2 }
        mom2d.linear_solver = { kind = "mlfma", accuracy = 1.0, max_iterations = 0 }
    "#;
    match Plan::new(&spec(text), Vec::new()).unwrap_err() {
        Error::Invalid(invalid) => {
            let paths: Vec<&str> = invalid.0.iter().map(|issue| issue.path.as_str()).collect();
            assert_eq!(
                paths,
                [
                    "bodies.1.geometry.radius",
                    "bodies.0.material",
                    "bodies.1.mesh_size",
                    "mom2d.equation.alpha",
                    "mom2d.equation",
                    "mom2d.method.unknowns",
                    "mom2d.method.kind",
                    "mom2d.linear_solver.max_iterations",
                    "mom2d.linear_solver.accuracy",
                    "mom2d.linear_solver.kind",
                    "mom2d.linear_solver.kind",
                    "excitation.theta",
                ]
            );
        }
        other => panic!("{other}"),
    }
}

#[test]
fn a_surface_impedance_is_read_by_serde() {
    let with = |material: &str| {
        toml::from_str::<Spec>(&format!(
            r#"
            frequency = "300 MHz"
            excitation = {{ kind = "plane-wave", phi = "0 deg" }}
            observation = {{ kind = "monostatic" }}
            [[bodies]]
            geometry = {{ shape = "circle", radius = "0.5 m" }}
            material = {material}
            "#
        ))
    };
    let read = with("{ surface_impedance = [1.0, 0.5] }").unwrap();
    let wanted = Material::Surface(SurfaceImpedance {
        surface_impedance: ComplexNumber::Complex([1.0, 0.5]),
    });
    assert_eq!(read.bodies[0].material, wanted);
    let written = toml::to_string(&read).unwrap();
    assert_eq!(toml::from_str::<Spec>(&written).unwrap(), read, "{written}");
    let solution = Plan::new(&read, Vec::new()).unwrap().execute(&Silent);
    let [tm, te] = &solution.unwrap().cases[..] else {
        panic!("two polarizations")
    };
    assert!(tm.checks.verdict.is_trusted() && te.checks.verdict.is_trusted());
    assert!(with("{ impedance = [1.0, 0.5] }").is_err());
    let active = with("{ surface_impedance = [-1.0, 0.5] }").unwrap();
    let refused = Plan::new(&active, Vec::new()).unwrap_err().to_string();
    assert!(refused.contains("`bodies.0.material`"), "{refused}");
}

/// Input of two circles as groups of one file.
struct OneFile {
    text: String,
    reads: AtomicUsize,
}

impl Inputs for OneFile {
    fn file(&self, path: &str) -> Result<Vec<u8>, wavefield_solver::Error> {
        assert_eq!(path, "circles.msh");
        self.reads.fetch_add(1, Ordering::Relaxed);
        Ok(self.text.clone().into_bytes())
    }

    fn generate_mesh(
        &self,
        _: &Task,
        _: &dyn Observer,
    ) -> Result<AnyMesh, wavefield_solver::Error> {
        unreachable!("contours need no Gmsh")
    }
}

/// Returns circles of 60 points by radius and center, in centimeters, as physical groups "a", "b", …
fn circles(circles: &[(f64, [f64; 2])]) -> OneFile {
    let count = 60;
    let (mut names, mut nodes, mut lines) = (String::new(), String::new(), String::new());
    for (group, (radius, center)) in circles.iter().enumerate() {
        let name = char::from(b'a' + group as u8);
        names += &format!("1 {} \"{name}\"\n", group + 1);
        for i in 0..count {
            let (sin, cos) = (std::f64::consts::TAU * i as f64 / count as f64).sin_cos();
            let (x, y) = (center[0] + radius * cos, center[1] + radius * sin);
            let [own, next] = [i, (i + 1) % count].map(|i| group * count + i + 1);
            nodes += &format!("{own} {x:.15} {y:.15} 0\n");
            lines += &format!("{own} 1 2 {0} {0} {own} {next}\n", group + 1);
        }
    }
    let (groups, all) = (circles.len(), circles.len() * count);
    OneFile {
        text: format!(
            "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n{groups}\n{names}$EndPhysicalNames\n\
             $Nodes\n{all}\n{nodes}$EndNodes\n$Elements\n{all}\n{lines}$EndElements\n"
        ),
        reads: AtomicUsize::new(0),
    }
}

#[test]
fn bodies_are_groups_of_a_mesh_file_that_is_read_once() {
    let text = |bodies: [&str; 2], settings: &str| {
        format!(
            r#"
            frequency = "300 MHz"
            bodies = [{{ {}, material = "pec" }}, {{ {}, material = {{ permittivity = 3.0 }} }}]
            excitation = {{ kind = "plane-wave", phi = "20 deg", polarization = "tm" }}
            observation = {{ kind = "bistatic", phi = ["0 deg", "70 deg"] }}
            {settings}
            "#,
            bodies[0], bodies[1]
        )
    };
    let group = |name: &str| {
        format!(
            "geometry = {{ shape = \"mesh\", file = \"circles.msh\", unit = \"cm\", group = \"{name}\" }}"
        )
    };
    let [a, b, c] = ["a", "b", "c"].map(group);
    let file = circles(&[(30.0, [0.0, 0.0]), (20.0, [80.0, 10.0])]);
    let plan = |text: &str| Mom2dSolver.plan(&spec(text), &file, &Silent);
    assert!(plan(&text([&a, &b], "")).is_ok());
    assert_eq!(file.reads.load(Ordering::Relaxed), 1);

    let found = {
        let inputs: &dyn Inputs = &file;
        let mesh = wavefield_mesh::MeshFile {
            file: "circles.msh".to_owned(),
            unit: wavefield_mesh::MeshUnit::Centimeter,
        };
        let contour = inputs.contour(&mesh).unwrap();
        let contours = vec![Some(contour.clone()), Some(contour)];
        let plan = Plan::new(&spec(&text([&a, &b], "")), contours).unwrap();
        plan.execute(&Silent).unwrap()
    };
    let wanted = solve(&text(
        [
            "geometry = { shape = \"circle\", radius = \"30 cm\" }",
            "geometry = { shape = \"circle\", radius = \"20 cm\", center = [\"80 cm\", \"10 cm\"] }",
        ],
        "",
    ));
    for (found, wanted) in found.cases[0].amplitudes.iter().zip(&wanted.amplitudes) {
        assert!((found / wanted - 1.0).norm() < 1e-5, "{found} {wanted}");
    }

    let refused = |text: &str| plan(text).err().unwrap();
    let missing = refused(&text([&a, &c], ""));
    assert_eq!(missing.path(), Some("bodies.1.geometry"));
    assert!(missing.to_string().contains("no group named \"c\""));
}

#[test]
fn memory_is_known_before_the_run() {
    let text = r#"
        frequency = "300 MHz"
        bodies = [{ geometry = { shape = "circle", radius = "1 m" }, material = "pec" }]
        excitation = { kind = "plane-wave", phi = "0 deg", polarization = "both" }
        observation = { kind = "monostatic" }
        mom2d.error_estimate = "finer"
        mom2d.method = { kind = "nystrom", order = 5, panels = 20 }
    "#;
    let plan = Plan::new(&spec(text), Vec::new()).unwrap();
    assert_eq!(plan.unknowns(), 200);
    assert!(plan.memory() >= 200 * 200 * 16);
    assert_eq!(plan.cases(), 2);
}

/// Two cylinders compared with Graf's addition theorem: far-field amplitudes and currents.
#[test]
fn two_cylinders_agree_with_their_multipoles() {
    let pec = Core::Pec;
    let glass = Core::Medium(Medium {
        permittivity: Complex64::new(2.5, -0.1),
        permeability: Complex64::new(1.0, 0.0),
    });
    for (second, material) in [(pec, "\"pec\""), (glass, "{ permittivity = [2.5, -0.1] }")] {
        for (name, polarization) in [("tm", Polarization::Tm), ("te", Polarization::Te)] {
            let case = solve(&format!(
                r#"
                frequency = "300 MHz"
                bodies = [
                    {{ geometry = {{ shape = "circle", radius = "0.5 m" }}, material = "pec" }},
                    {{ geometry = {{ shape = "circle", radius = "0.4 m", center = ["1.2 m", "0.8 m"] }}, material = {material} }},
                ]
                excitation = {{ kind = "plane-wave", phi = "215 deg", polarization = "{name}" }}
                observation = {{ kind = "bistatic", phi = {{ start = "0 deg", stop = "350 deg", step = "10 deg" }} }}
                mom2d.method = {{ kind = "nystrom", order = 10, panels = 20 }}
                mom2d.error_estimate = "none"
                "#
            ));
            let cylinders = [
                PlacedCylinder {
                    center: [0.0, 0.0],
                    radius: 0.5,
                    material: Core::Pec,
                },
                PlacedCylinder {
                    center: [1.2, 0.8],
                    radius: 0.4,
                    material: second,
                },
            ];
            let travel = 35f64.to_radians();
            let exact = CylinderGroup::new(&cylinders, polarization, travel, 3e8).unwrap();
            let strongest = case.amplitudes.iter().map(|f| f.norm()).fold(0.0, f64::max);
            let mut worst: f64 = 0.0;
            for (&(_, phi), f) in case.aspects.iter().zip(&case.amplitudes) {
                worst = worst.max((f - exact.amplitude(phi)).norm() / strongest);
            }
            let current = case.current(0);
            let largest = current.iter().map(|j| j.norm()).fold(0.0, f64::max);
            let mut worst_current: f64 = 0.0;
            for (node, j) in case.nodes().iter().zip(&current) {
                let center = cylinders[node.body].center;
                let (x, y) = (node.position[0] - center[0], node.position[1] - center[1]);
                let other = exact.surface_current(node.body, y.atan2(x));
                worst_current = worst_current.max((j - other).norm() / largest);
            }
            println!(
                "{name} {material}: {worst:e} {worst_current:e} {:?}",
                case.checks.extinction
            );
            assert!(worst <= 1e-8 && worst_current <= 1e-8);
        }
    }
}

fn of_points(shape: &str, points: &[[f64; 2]], more: &str) -> Result<Plan, Error> {
    let points: Vec<String> = (points.iter())
        .map(|[x, y]| format!("[\"{x} m\", \"{y} m\"]"))
        .collect();
    let text = format!(
        r#"
        frequency = "299792458 Hz"
        bodies = [{{ geometry = {{ shape = "{shape}", points = [{}]{more} }}, material = "pec" }}]
        excitation = {{ kind = "plane-wave", phi = "60 deg", polarization = "tm" }}
        observation = {{ kind = "bistatic", phi = ["0 deg", "90 deg"] }}
        mom2d.method = {{ kind = "nystrom", grading = 8 }}
        "#,
        points.join(", ")
    );
    Plan::new(&spec(&text), Vec::new())
}

const SQUARE: [[f64; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];

#[test]
fn a_repeated_last_point_closes_the_curve() {
    let closed = [&SQUARE[..], &SQUARE[..1]].concat();
    let plan = |points: &[[f64; 2]]| of_points("polygon", points, "").unwrap();
    assert_eq!(plan(&closed).unknowns(), plan(&SQUARE).unknowns());
}

#[test]
fn curves_that_cross_themselves_are_refused_where_they_cross() {
    let [a, b, c, d] = SQUARE;
    for shape in ["polygon", "spline"] {
        let error = of_points(shape, &[a, c, b, d], "").unwrap_err();
        let Error::SelfIntersection { body: 0, x, y } = error else {
            panic!("{shape}: {error}");
        };
        assert!(
            (x - 0.5).abs() < 0.2 && (y - 0.5).abs() < 0.2,
            "{shape}: ({x}, {y})"
        );
        of_points(shape, &SQUARE, "").unwrap();
    }
}

#[test]
fn a_spline_with_corners_is_a_polygon_with_smooth_sides() {
    // Every corner of the square turns by 90°, so that the spline between them is straight.
    let polygon = of_points("polygon", &SQUARE, "").unwrap();
    let corners = of_points("spline", &SQUARE, r#", corner_angle = "60 deg""#).unwrap();
    let smooth = of_points("spline", &SQUARE, "").unwrap();
    assert_ne!(smooth.unknowns(), polygon.unknowns());
    let width = |plan: &Plan| {
        let case = plan.execute(&Silent).unwrap().cases.remove(0);
        case.widths()
    };
    for (a, b) in width(&polygon).iter().zip(&width(&corners)) {
        assert!((a - b).abs() < 1e-9 * a, "{a} {b}");
    }
}
