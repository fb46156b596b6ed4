//! A single circle, compared with its exact series.

use wavefield_mom2d::{Case, Deviation, Plan, Spec, Verdict};
use wavefield_numerics::observe::Silent;

/// Frequency at which the circle of 1 m radius has ka = 1, Hz.
const UNIT: f64 = 299_792_458.0 / std::f64::consts::TAU;

/// Solves one case of a circle of 1 m radius.
fn solve(ka: f64, polarization: &str, material: &str, rest: &str) -> Case {
    let text = format!(
        r#"
        frequency = "{:.17e} Hz"
        bodies = [{{ geometry = {{ shape = "circle", radius = "1 m" }}, material = {material} }}]
        excitation = {{ kind = "plane-wave", phi = "180 deg", polarization = "{polarization}" }}
        observation = {{ kind = "bistatic", phi = {{ start = "0 deg", stop = "180 deg", step = "2 deg" }} }}
        mom2d.error_estimate = "none"
        {rest}
        "#,
        ka * UNIT
    );
    let spec: Spec = toml::from_str(&text).unwrap();
    let solution = Plan::new(&spec, Vec::new())
        .unwrap()
        .execute(&Silent)
        .unwrap();
    solution.cases.into_iter().next().unwrap()
}

fn exact(case: &Case) -> Deviation {
    case.checks.exact.unwrap()
}

fn nystrom(order: usize, panels: usize, equation: &str) -> String {
    format!(
        r#"
        mom2d.equation = {{ kind = "{equation}" }}
        mom2d.method = {{ kind = "nystrom", order = {order}, panels = {panels} }}
        "#
    )
}

/// Returns the order of convergence between two meshes, and the error of the current on both.
fn order(polarization: &str, q: usize, panels: [usize; 2], equation: &str) -> (f64, [f64; 2]) {
    let error = panels.map(|panels| {
        exact(&solve(
            10.0,
            polarization,
            "\"pec\"",
            &nystrom(q, panels, equation),
        ))
        .current_max
    });
    let order = (error[0] / error[1]).ln() / (panels[1] as f64 / panels[0] as f64).ln();
    println!("{polarization} {equation} q = {q}: {error:?}, order {order:.2}");
    (order, error)
}

#[test]
fn the_current_converges_with_the_order_of_the_panels() {
    for polarization in ["tm", "te"] {
        for equation in ["efie", "mfie", "cfie"] {
            for (q, panels, least) in [
                (2, [80, 160], 1.7),
                (4, [40, 80], 3.7),
                (6, [40, 80], 5.7),
                (8, [20, 40], 7.0),
            ] {
                let (order, _) = order(polarization, q, panels, equation);
                assert!(order >= least, "{polarization} {equation} {q} {order}");
            }
        }
    }
}

#[test]
fn six_nodes_and_480_unknowns_give_eight_digits() {
    for polarization in ["tm", "te"] {
        for equation in ["efie", "mfie", "cfie"] {
            let case = solve(10.0, polarization, "\"pec\"", &nystrom(6, 80, equation));
            let error = exact(&case);
            println!(
                "{polarization} {equation}: {error:?} condition {:?}",
                case.checks.condition
            );
            assert_eq!(case.unknowns, 480);
            assert!(
                error.current_max <= 2e-8,
                "{polarization} {equation} {error:?}"
            );
        }
    }
}

#[test]
fn pulses_converge_with_the_first_order() {
    let error = [160, 320, 640].map(|unknowns| {
        let rest = format!("mom2d.method = {{ kind = \"pulse\", unknowns = {unknowns} }}");
        exact(&solve(10.0, "tm", "\"pec\"", &rest)).current_max
    });
    println!("pulse {error:?}");
    for pair in error.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((order - 1.0).abs() <= 0.1, "{order}");
    }
    // An independent program gives 4.7e-2 and 1.1e-2.
    assert!((error[0] - 4.7e-2).abs() < 2e-3 && (error[2] - 1.1e-2).abs() < 1e-3);
}

#[test]
fn kress_converges_exponentially() {
    for polarization in ["tm", "te"] {
        for equation in ["efie", "mfie", "cfie"] {
            let error = [48, 64, 80].map(|unknowns| {
                let rest = format!(
                    "mom2d.equation = {{ kind = \"{equation}\" }}\nmom2d.method = {{ kind = \"kress\", unknowns = {unknowns} }}"
                );
                exact(&solve(10.0, polarization, "\"pec\"", &rest)).current_max
            });
            println!("kress {polarization} {equation} {error:?}");
            assert!(
                error[1] < 3e-8 && error[2] < 1e-11,
                "{polarization} {equation} {error:?}"
            );
        }
    }
}

/// The fourth zero of J₀, 11.7915 to four places.
const RESONANCE: f64 = 11.791_534_439_014_281;

#[test]
fn a_resonance_of_the_inside_spoils_the_efie_and_the_program_says_so() {
    let efie = solve(RESONANCE, "tm", "\"pec\"", &nystrom(6, 80, "efie"));
    println!("{:?} {:?}", efie.checks, efie.checks.verdict.to_string());
    // The magnitude of the spurious current depends on rounding; it is five decades above the discretization error.
    assert!(exact(&efie).current_max > 1e-4);
    // The interior resonance does not radiate.
    assert!(exact(&efie).amplitude < 1e-6);
    assert!(matches!(efie.checks.verdict, Verdict::Resonant { .. }));
    let cfie = solve(RESONANCE, "tm", "\"pec\"", &nystrom(6, 80, "cfie"));
    println!("{:?} {:?}", cfie.checks, cfie.checks.verdict.to_string());
    assert!(exact(&cfie).current_max <= 1e-7);
    assert!(cfie.checks.verdict.is_trusted());
    assert!(cfie.checks.condition.unwrap() < 1e3);
}

#[test]
fn dielectric_cylinders_agree_with_their_series() {
    for material in [
        "{ permittivity = 4.0 }",
        "{ permittivity = [4.0, -1.0] }",
        "{ permittivity = [2.0, -0.5], permeability = [1.5, -0.2] }",
        "{ permittivity = [20.0, -60.0] }",
    ] {
        for polarization in ["tm", "te"] {
            let rest = "mom2d.method = { kind = \"nystrom\", order = 10, panels = 24 }";
            let case = solve(5.0, polarization, material, rest);
            let error = exact(&case);
            println!(
                "{material} {polarization} {error:?} {:?}",
                case.checks.extinction
            );
            assert!(
                error.current_max <= 1e-8,
                "{material} {polarization} {error:?}"
            );
            assert!(
                error.amplitude <= 1e-8,
                "{material} {polarization} {error:?}"
            );
        }
    }
}

#[test]
fn kress_solves_dielectric_cylinders_too() {
    for material in ["{ permittivity = 4.0 }", "{ permittivity = [4.0, -1.0] }"] {
        for polarization in ["tm", "te"] {
            let rest = "mom2d.method = { kind = \"kress\", unknowns = 80 }";
            let error = exact(&solve(5.0, polarization, material, rest));
            println!("kress {material} {polarization} {error:?}");
            assert!(
                error.current_max <= 1e-10,
                "{material} {polarization} {error:?}"
            );
        }
    }
}

#[test]
fn solvers_agree() {
    let lu = solve(10.0, "tm", "\"pec\"", &nystrom(6, 40, "cfie"));
    let rest = format!(
        "{}\nmom2d.linear_solver = {{ kind = \"gmres\", tolerance = 1e-12 }}",
        nystrom(6, 40, "cfie")
    );
    let other = solve(10.0, "tm", "\"pec\"", &rest);
    println!("iterations {:?}", other.checks.iterations);
    for (a, b) in lu.current(0).iter().zip(other.current(0)) {
        assert!((a - b).norm() < 1e-11 * 2.0 / 377.0 * 10.0, "{a} {b}");
    }
}

#[test]
fn an_impedance_of_vacuum_is_nearly_black_and_zero_impedance_is_a_conductor() {
    for polarization in ["tm", "te"] {
        let rest = nystrom(8, 20, "cfie");
        let conductor = solve(6.0, polarization, "\"pec\"", &rest);
        let limit = solve(6.0, polarization, "{ surface_impedance = 0.0 }", &rest);
        for (a, b) in conductor.amplitudes.iter().zip(&limit.amplitudes) {
            assert!((a - b).norm() < 1e-12);
        }
        let black = solve(6.0, polarization, "{ surface_impedance = 1.0 }", &rest);
        // The backscatter, at 180 deg, of a matched surface is far below that of a conductor.
        let ratio = black.widths().last().unwrap() / conductor.widths().last().unwrap();
        assert!(ratio < 0.01, "{polarization} {ratio}");
        assert!(black.checks.extinction.unwrap() < 1e-5);
    }
}
