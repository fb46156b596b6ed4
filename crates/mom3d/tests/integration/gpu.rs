//! Matrix fill, factorization, and solution on a GPU compared with the CPU.

use num_complex::Complex64;
use wavefield_gpu::Gpu;
use wavefield_mom3d::{Plan, Solution};
use wavefield_numerics::observe::Silent;

fn gpu() -> Gpu {
    Gpu::open(None).expect("GPU tests do not skip: install mesa-vulkan-drivers")
}

/// Returns the largest difference over the largest value.
fn apart(found: &[Complex64], wanted: &[Complex64]) -> f64 {
    assert_eq!(found.len(), wanted.len());
    assert!(found.iter().all(|z| z.is_finite()));
    let largest = wanted.iter().map(|z| z.norm()).fold(0.0, f64::max);
    let differences = found.iter().zip(wanted).map(|(a, b)| (a - b).norm());
    differences.fold(0.0, f64::max) / largest
}

/// Returns the plan of a surface at a wavelength of 1 m.
fn surface(target: &str, more: &str) -> Plan {
    let text = format!(
        r#"
        frequency = "299792458 Hz"
        bodies = [{{ geometry = {target}, material = "pec" }}]
        mom3d.max_edge_length = "0.14 lambda"
        {more}
        "#
    );
    Plan::new(&toml::from_str(&text).unwrap(), None).unwrap()
}

#[test]
fn surfaces_are_filled_and_solved_as_on_the_cpu() {
    let gpu = gpu();
    let waves = r#"
        excitation = { kind = "plane-wave", theta = "70 deg", phi = ["0 deg", "50 deg"] }
        observation = { kind = "bistatic", phi = { start = "0 deg", stop = "180 deg", step = "10 deg" } }
    "#;
    // Closed with the CFIE, open with the EFIE, and with a corner at which three faces meet.
    for target in [
        r#"{ shape = "sphere", radius = "0.5 m" }"#,
        r#"{ shape = "plate", width = "1.3 m", height = "0.8 m" }"#,
        r#"{ shape = "trihedral", side = "0.9 m" }"#,
    ] {
        let plan = surface(target, waves);
        let wanted = plan.execute(&Silent).unwrap();
        let found = plan.execute_on(&gpu, &Silent).unwrap();
        let current = |solution: &Solution| -> Vec<Complex64> {
            let states = solution.states[0].iter();
            states
                .flat_map(|s| s.current.iter().flatten().copied())
                .collect()
        };
        let error = apart(&current(&found), &current(&wanted));
        let rounding = found.checks[0].rounding.unwrap();
        println!(
            "{target}: {error:.1e}, predicted {rounding:.1e}, {} unknowns",
            plan.unknowns()
        );
        assert!(
            error < 1e-4 && error < rounding,
            "{target}: {error:.1e} {rounding:.1e}"
        );
        assert!(wanted.checks[0].rounding.is_none());
        let scattered = |solution: &Solution| -> Vec<Complex64> {
            solution
                .matrices
                .iter()
                .flat_map(|m| [m.vv, m.vh, m.hv, m.hh])
                .collect()
        };
        assert!(apart(&scattered(&found), &scattered(&wanted)) < 1e-4);
        let again = plan.execute_on(&gpu, &Silent).unwrap();
        assert_eq!(again, found, "{target}");
    }
}

#[test]
fn surfaces_of_very_long_waves_and_ports_are_right_on_the_gpu() {
    let gpu = gpu();
    // Edges of λ/1000, and a port.
    let plan = surface(
        r#"{ shape = "plate", width = "0.002 m", height = "0.02 m" }"#,
        r#"excitation = { kind = "ports", ports = [{ kind = "delta-gap", position = ["0 m", "0 m", "0 m"], direction = [0, 1, 0], radius = "0.002 m" }] }"#,
    );
    let wanted = plan.execute(&Silent).unwrap();
    let found = plan.execute_on(&gpu, &Silent).unwrap();
    let impedance = |solution: &Solution| solution.network.as_ref().unwrap().impedances()[0];
    let (found, wanted) = (impedance(&found), impedance(&wanted));
    assert!(
        (found - wanted).norm() < 1e-3 * wanted.norm(),
        "{found} {wanted}"
    );
}

#[test]
fn surfaces_that_a_gpu_cannot_do_are_refused() {
    let gpu = gpu();
    let waves = r#"
        excitation = { kind = "plane-wave", phi = "0 deg" }
        observation = { kind = "monostatic" }
        mom3d.linear_solver = { kind = "aim" }
    "#;
    let plan = surface(
        r#"{ shape = "plate", width = "1 m", height = "1 m" }"#,
        waves,
    );
    let error = plan.execute_on(&gpu, &Silent).unwrap_err();
    assert!(error.to_string().contains("on a GPU is \"lu\""), "{error}");
}
