//! The analytical solver over sweeps: order of results, symmetry, cancellation, invalid specifications.

use wavefield_exact::{Error, Plan, Scattering, Solution, Spec};
use wavefield_numerics::cpu::CpuPool;
use wavefield_numerics::observe::{Cancel, Observer, Progress, Silent};
use wavefield_physics::far_field::Channel;

fn spec(text: &str) -> Spec {
    toml::from_str(text).unwrap()
}

fn solve(text: &str) -> Solution {
    Plan::new(&spec(text)).unwrap().execute(&Silent).unwrap()
}

const GRID: &str = r#"
    frequency = ["300 MHz", "1 GHz"]
    bodies = [{ geometry = { shape = "sphere", radius = "0.2 m" }, material = { permittivity = [3.0, -0.2] } }]
    excitation = { kind = "plane-wave", theta = ["40 deg", "90 deg"], phi = ["0 deg", "30 deg", "60 deg"] }
    observation = { kind = "bistatic", theta = "70 deg", phi = { start = "0 deg", stop = "90 deg", step = "10 deg" } }
"#;

#[test]
fn every_frequency_meets_every_pair_of_directions_in_order() {
    let solution = solve(GRID);
    let Scattering::Sphere {
        aspects, matrices, ..
    } = &solution.scattering
    else {
        panic!("expected a sphere");
    };
    assert_eq!(aspects.len(), 2 * (2 * 3) * 10);
    assert_eq!(matrices.len(), aspects.len());
    assert_eq!((aspects[0].frequency, aspects[60].frequency), (0, 1));
    // Observation varies fastest, then φ of incidence, then θ.
    assert_eq!(aspects[9].from, aspects[0].from);
    assert!(aspects[10].from.phi > aspects[9].from.phi);
    assert!(aspects[30].from.theta > aspects[29].from.theta);
}

#[test]
fn turning_source_and_receiver_together_about_the_axis_changes_nothing() {
    let at = |phi_i: u32, phi: u32| {
        let text = format!(
            r#"
            frequency = "2 GHz"
            bodies = [{{ geometry = {{ shape = "sphere", radius = "0.1 m" }}, material = "pec" }}]
            excitation = {{ kind = "plane-wave", theta = "50 deg", phi = "{phi_i} deg" }}
            observation = {{ kind = "bistatic", theta = "80 deg", phi = "{phi} deg" }}
            "#
        );
        match solve(&text).scattering {
            Scattering::Sphere { matrices, .. } => matrices[0],
            Scattering::Cylinder { .. } => panic!("expected a sphere"),
        }
    };
    let (here, there) = (at(0, 33), at(100, 133));
    for channel in Channel::ALL {
        // Rounding error of sums of some hundred numbers of order one.
        assert!((here.channel(channel) - there.channel(channel)).norm() < 1e-13);
    }
}

#[test]
fn a_cylinder_is_lit_from_where_the_problem_says() {
    let at = |phi_i: u32, phi: u32| {
        let text = format!(
            r#"
            frequency = "1 GHz"
            bodies = [{{ geometry = {{ shape = "circle", radius = "0.3 m" }}, material = "pec" }}]
            excitation = {{ kind = "plane-wave", phi = "{phi_i} deg" }}
            observation = {{ kind = "bistatic", phi = "{phi} deg" }}
            "#
        );
        match solve(&text).scattering {
            Scattering::Cylinder {
                amplitudes,
                currents,
                ..
            } => (amplitudes[0], currents),
            Scattering::Sphere { .. } => panic!("expected a cylinder"),
        }
    };
    let (first, currents) = at(40, 75);
    let (second, _) = at(0, 35);
    assert!((first.tm - second.tm).norm() < 1e-12 && (first.te - second.te).norm() < 1e-12);
    // The current is largest at the specular point.
    let strongest = currents
        .iter()
        .max_by(|a, b| a.tm.norm().total_cmp(&b.tm.norm()))
        .unwrap();
    assert!(
        (strongest.phi.to_degrees() - 40.0).abs() < 1.0,
        "{}",
        strongest.phi.to_degrees()
    );
    // Forward scattering is the strongest.
    let (forward, _) = at(40, 220);
    assert!(forward.tm_width > first.tm_width);
}

#[test]
fn lengths_in_wavelengths_follow_the_frequency() {
    let solution = solve(
        r#"
        frequency = { start = "1 GHz", stop = "4 GHz", count = 4 }
        bodies = [{ geometry = { shape = "sphere", radius = "2 lambda" }, material = "pec" }]
        excitation = { kind = "plane-wave", phi = "0 deg" }
        observation = { kind = "monostatic" }
        "#,
    );
    let Scattering::Sphere { matrices, .. } = &solution.scattering else {
        panic!("expected a sphere");
    };
    for (at, matrix) in solution.frequencies.iter().zip(matrices) {
        assert!((at.ka - 4.0 * std::f64::consts::PI).abs() < 1e-12);
        // σ/λ² depends only on ka.
        let ratio = matrix.rcs(Channel::VV) / matrices[0].rcs(Channel::VV);
        let wavelengths = (solution.frequencies[0].frequency / at.frequency).powi(2);
        assert!((ratio / wavelengths - 1.0).abs() < 1e-12);
    }
}

#[test]
fn the_same_bits_on_any_number_of_threads() {
    let plan = Plan::new(&spec(GRID)).unwrap();
    let bits = |threads: usize| {
        let pool = CpuPool::new(Some(threads)).unwrap();
        match pool.install(|| plan.execute(&Silent)).unwrap().scattering {
            Scattering::Sphere {
                matrices, pattern, ..
            } => matrices
                .iter()
                .chain(&pattern.matrices)
                .flat_map(|m| [m.vv.re.to_bits(), m.hv.im.to_bits(), m.hh.re.to_bits()])
                .collect::<Vec<_>>(),
            Scattering::Cylinder { .. } => panic!("expected a sphere"),
        }
    };
    let one = bits(1);
    assert!([2, 3, 8].into_iter().all(|threads| bits(threads) == one));
}

#[test]
fn convergence_falls_to_rounding() {
    for at in solve(GRID).frequencies {
        assert!(at.convergence[0] > 1e-3);
        assert!(at.convergence.iter().any(|r| *r > 0.0 && *r < 1e-14));
        assert_eq!(at.convergence.len(), at.partial_waves);
    }
}

/// Cancels the run at the first progress report.
struct Impatient(Cancel);

impl Observer for Impatient {
    fn progress(&self, _: &Progress<'_>) {
        self.0.request();
    }

    fn stop_requested(&self) -> bool {
        self.0.is_requested()
    }
}

#[test]
fn a_run_stops_when_asked() {
    let long = spec(
        r#"
        frequency = "10 GHz"
        bodies = [{ geometry = { shape = "sphere", radius = "5 m" }, material = "pec" }]
        excitation = { kind = "plane-wave", phi = "0 deg" }
        observation = { kind = "bistatic", phi = { start = "0 deg", stop = "360 deg", count = 1000000 } }
        "#,
    );
    let stopped = Plan::new(&long).unwrap().execute(&Impatient(Cancel::new()));
    assert!(matches!(stopped, Err(Error::Cancelled(_))));
}

#[test]
fn invalid_problems_are_refused_with_their_keys() {
    let refused = |from: &str, to: &str| {
        let text = GRID.replace(from, to);
        assert_ne!(text, GRID);
        Plan::new(&spec(&text)).unwrap_err().to_string()
    };
    let material = "material = { permittivity = [3.0, -0.2] }";
    let coated = |layers: &str| format!("{material}, coatings = [{{ layers = [{layers}] }}]");
    for (from, to, words) in [
        ("\"0.2 m\"", "\"0 m\"", "`bodies.0.geometry.radius`"),
        ("[3.0, -0.2]", "[3.0, 0.2]", "negative"),
        ("[3.0, -0.2]", "0.0", "permittivity"),
        ("step = \"10 deg\"", "step = \"7 deg\"", "`observation.phi`"),
        ("[\"300 MHz\", \"1 GHz\"]", "\"0 Hz\"", "`frequency`"),
        ("\"0.2 m\"", "\"100 km\"", "ka"),
        (
            "shape = \"sphere\"",
            "shape = \"circle\"",
            "`excitation.theta`",
        ),
        (
            "shape = \"sphere\"",
            "shape = \"circle\"",
            "`observation.theta`",
        ),
        (material, "material = \"vacuum\"", "scatters nothing"),
        (
            material,
            "material = { surface_impedance = 1.0 }",
            "surface impedance",
        ),
        (
            "kind = \"bistatic\"",
            "kind = \"far-field\"",
            "plane waves are scattered",
        ),
        (
            material,
            &coated("{ thickness = \"1 mm\", material = \"pec\" }"),
            "must be a medium",
        ),
        (
            material,
            &coated("{ thickness = \"0.2 m\", material = { permittivity = 2.0 } }"),
            "the core has a radius of 0 m",
        ),
    ] {
        let message = refused(from, to);
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn a_circle_is_bare_and_around_the_origin() {
    let issues = |more: [&str; 2]| {
        let text = format!(
            r#"
            frequency = "1 GHz"
            bodies = [{{ geometry = {{ shape = "circle", radius = "0.3 m"{} }}, material = "vacuum"{} }}]
            excitation = {{ kind = "plane-wave", phi = "0 deg", polarization = "te" }}
            observation = {{ kind = "monostatic" }}
            "#,
            more[0], more[1]
        );
        match Plan::new(&spec(&text)) {
            Err(Error::Invalid(invalid)) => invalid.0.into_iter().map(|issue| issue.path).collect(),
            other => panic!("{other:?}"),
        }
    };
    let coatings = r#", coatings = [{ layers = [{ thickness = "1 mm", material = { permittivity = 2.0 } }] }]"#;
    let center = r#", center = ["1 mm", "0 m"]"#;
    let found: Vec<String> = issues([center, coatings]);
    assert_eq!(found, ["bodies.0.geometry.center", "bodies.0.coatings"]);
    let found: Vec<String> = issues(["", ""]);
    assert_eq!(found, ["bodies.0.material"]);
}

/// The radius is that of the outer surface.
#[test]
fn a_coating_lies_within_the_radius() {
    let solve_with = |radius: &str, material: &str, layers: &str| {
        let solution = solve(&format!(
            r#"
            frequency = "2 GHz"
            bodies = [{{ geometry = {{ shape = "sphere", radius = "{radius}" }}, material = {material}, coatings = [{{ layers = [{layers}] }}] }}]
            excitation = {{ kind = "plane-wave", phi = "0 deg" }}
            observation = {{ kind = "bistatic", phi = ["0 deg", "50 deg"] }}
            "#
        ));
        let ka = solution.frequencies[0].ka;
        match solution.scattering {
            Scattering::Sphere { matrices, .. } => (ka, matrices[1]),
            Scattering::Cylinder { .. } => panic!("expected a sphere"),
        }
    };
    let glass = "{ permittivity = 4.0 }";
    let layer = |thickness: &str, material: &str| {
        format!("{{ thickness = \"{thickness}\", material = {material} }}")
    };
    // A layer of the core's medium changes nothing; a vacuum layer only increases the number of partial
    // waves.
    let (ka, bare) = solve_with("10 cm", glass, "");
    let (same_ka, same) = solve_with("10 cm", glass, &layer("2 cm", glass));
    let layers = [layer("2 cm", glass), layer("3 cm", "\"vacuum\"")].join(", ");
    let (larger_ka, inside) = solve_with("13 cm", glass, &layers);
    assert_eq!(ka, same_ka);
    assert!((larger_ka / ka - 1.3).abs() < 1e-14);
    for found in [same, inside] {
        assert!((found.vv - bare.vv).norm() < 1e-13, "{found:?} {bare:?}");
        assert!((found.hh - bare.hh).norm() < 1e-13, "{found:?} {bare:?}");
    }
}

#[test]
fn memory_covers_what_the_result_holds() {
    let plan = Plan::new(&spec(GRID)).unwrap();
    let Scattering::Sphere {
        aspects,
        matrices,
        pattern,
    } = plan.execute(&Silent).unwrap().scattering
    else {
        panic!("expected a sphere");
    };
    let held = size_of_val(aspects.as_slice())
        + size_of_val(matrices.as_slice())
        + size_of_val(pattern.matrices.as_slice());
    assert!(
        plan.memory() >= held && plan.memory() < 2 * held,
        "{} {held}",
        plan.memory()
    );
}
