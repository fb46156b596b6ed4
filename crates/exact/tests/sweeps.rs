//! The exact solver over sweeps: layout, symmetry, cancellation, refusals.

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
    target = { shape = "sphere", radius = "0.2 m", material = { permittivity = [3.0, -0.2] } }
    incidence = { theta = ["40 deg", "90 deg"], phi = ["0 deg", "30 deg", "60 deg"] }
    observation = { kind = "bistatic", theta = "70 deg", phi = { start = "0 deg", stop = "90 deg", step = "10 deg" } }
"#;

#[test]
fn every_frequency_meets_every_pair_of_directions_in_order() {
    let solution = solve(GRID);
    let Scattering::Sphere {
        aspects, matrices, ..
    } = &solution.scattering
    else {
        panic!("a sphere was asked for");
    };
    assert_eq!(aspects.len(), 2 * (2 * 3) * 10);
    assert_eq!(matrices.len(), aspects.len());
    assert_eq!((aspects[0].frequency, aspects[60].frequency), (0, 1));
    // Observation runs fastest, then φ of incidence, then θ.
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
            target = {{ shape = "sphere", radius = "0.1 m", material = "pec" }}
            incidence = {{ theta = "50 deg", phi = "{phi_i} deg" }}
            observation = {{ kind = "bistatic", theta = "80 deg", phi = "{phi} deg" }}
            "#
        );
        match solve(&text).scattering {
            Scattering::Sphere { matrices, .. } => matrices[0],
            Scattering::Cylinder { .. } => panic!("a sphere was asked for"),
        }
    };
    let (here, there) = (at(0, 33), at(100, 133));
    for channel in Channel::ALL {
        // Some hundred roundings of numbers of size one.
        assert!((here.channel(channel) - there.channel(channel)).norm() < 1e-13);
    }
}

#[test]
fn a_cylinder_is_lit_from_where_the_problem_says() {
    let at = |phi_i: u32, phi: u32| {
        let text = format!(
            r#"
            frequency = "1 GHz"
            target = {{ shape = "cylinder", radius = "0.3 m", material = "pec" }}
            incidence = {{ phi = "{phi_i} deg" }}
            observation = {{ kind = "bistatic", phi = "{phi} deg" }}
            "#
        );
        match solve(&text).scattering {
            Scattering::Cylinder {
                amplitudes,
                currents,
                ..
            } => (amplitudes[0], currents),
            Scattering::Sphere { .. } => panic!("a cylinder was asked for"),
        }
    };
    let (first, currents) = at(40, 75);
    let (second, _) = at(0, 35);
    assert!((first.tm - second.tm).norm() < 1e-12 && (first.te - second.te).norm() < 1e-12);
    // The current is strongest where the wave strikes.
    let strongest = currents
        .iter()
        .max_by(|a, b| a.tm.norm().total_cmp(&b.tm.norm()))
        .unwrap();
    assert!(
        (strongest.phi.to_degrees() - 40.0).abs() < 1.0,
        "{}",
        strongest.phi.to_degrees()
    );
    // Forward is where the most is scattered.
    let (forward, _) = at(40, 220);
    assert!(forward.tm_width > first.tm_width);
}

#[test]
fn lengths_in_wavelengths_follow_the_frequency() {
    let solution = solve(
        r#"
        frequency = { start = "1 GHz", stop = "4 GHz", count = 4 }
        target = { shape = "sphere", radius = "2 lambda", material = "pec" }
        incidence = { phi = "0 deg" }
        observation = { kind = "monostatic" }
        "#,
    );
    let Scattering::Sphere { matrices, .. } = &solution.scattering else {
        panic!("a sphere was asked for");
    };
    for (at, matrix) in solution.frequencies.iter().zip(matrices) {
        assert!((at.ka - 4.0 * std::f64::consts::PI).abs() < 1e-12);
        // σ/λ² depends on ka alone.
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
            Scattering::Cylinder { .. } => panic!("a sphere was asked for"),
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

/// Stops the run at its first sign of life.
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
        target = { shape = "sphere", radius = "5 m", material = "pec" }
        incidence = { phi = "0 deg" }
        observation = { kind = "bistatic", phi = { start = "0 deg", stop = "360 deg", count = 1000000 } }
        "#,
    );
    let stopped = Plan::new(&long).unwrap().execute(&Impatient(Cancel::new()));
    assert!(matches!(stopped, Err(Error::Cancelled(_))));
}

#[test]
fn what_cannot_be_is_refused_with_its_key() {
    let refused = |from: &str, to: &str| {
        let text = GRID.replace(from, to);
        assert_ne!(text, GRID);
        Plan::new(&spec(&text)).unwrap_err().to_string()
    };
    assert!(refused("\"0.2 m\"", "\"0 m\"").contains("`target.radius`"));
    assert!(refused("[3.0, -0.2]", "[3.0, 0.2]").contains("negative"));
    assert!(refused("[3.0, -0.2]", "0.0").contains("permittivity"));
    assert!(refused("step = \"10 deg\"", "step = \"7 deg\"").contains("`observation.phi`"));
    assert!(refused("[\"300 MHz\", \"1 GHz\"]", "\"0 Hz\"").contains("`frequency`"));
    assert!(refused("\"0.2 m\"", "\"100 km\"").contains("ka"));
    let oblique = GRID.replace("shape = \"sphere\"", "shape = \"cylinder\"");
    assert!(
        Plan::new(&spec(&oblique))
            .unwrap_err()
            .to_string()
            .contains("theta = 90 deg")
    );
    let coated = GRID.replace(
        "material = { permittivity = [3.0, -0.2] }",
        "material = \"pec\", coats = [{ thickness = \"1 mm\", material = \"pec\" }]",
    );
    assert!(matches!(
        Plan::new(&spec(&coated)),
        Err(Error::ConductingCoat)
    ));
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
        panic!("a sphere was asked for");
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
