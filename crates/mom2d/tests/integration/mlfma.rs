//! MLFMA on large bodies.

use num_complex::Complex64;
use wavefield_mom2d::{Error, Plan, Solution, Spec};
use wavefield_numerics::observe::Silent;

fn solve(text: &str) -> Result<Solution, Error> {
    let spec: Spec = toml::from_str(text).unwrap();
    Plan::new(&spec, Vec::new())?.execute(&Silent)
}

fn circle(polarization: &str, more: &str) -> String {
    format!(
        r#"
        frequency = "300 MHz"
        excitation = {{ kind = "plane-wave", phi = "180 deg", polarization = "{polarization}" }}
        observation = {{ kind = "bistatic", phi = ["0 deg", "77 deg", "180 deg"] }}
        mom2d.error_estimate = "none"
        mom2d.linear_solver = {{ kind = "mlfma", tolerance = 1e-7 }}
        {more}
        "#
    )
}

/// A circumference of 60 wavelengths, of a conductor and of a surface impedance.
#[test]
fn a_large_circle_is_that_of_its_series_after_few_iterations() {
    for (polarization, material) in [
        ("tm", "\"pec\""),
        ("te", "\"pec\""),
        ("tm", "{ surface_impedance = [0.3, 0.2] }"),
    ] {
        let body = format!(
            "bodies = [{{ geometry = {{ shape = \"circle\", radius = \"10 m\" }}, material = {material} }}]"
        );
        let solution = solve(&circle(polarization, &body)).unwrap();
        let checks = &solution.cases[0].checks;
        // Sixteen nodes per wavelength in panels of eight.
        if let Some(exact) = checks.exact {
            assert!(
                exact.current_max < 1e-6,
                "{polarization} {material}: {checks:?}"
            );
        }
        assert!(
            checks.iterations.unwrap() <= 12,
            "{polarization} {material}: {checks:?}"
        );
        assert!(checks.verdict.is_trusted());
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let text = circle(
        "tm",
        r#"bodies = [
            { geometry = { shape = "circle", radius = "8 m" }, material = "pec" },
            { geometry = { shape = "polygon", points = [["12 m", "0 m"], ["20 m", "3 m"], ["14 m", "6 m"]] }, material = "pec" },
            { geometry = { shape = "ellipse", semi_axes = ["4 m", "2 m"], center = ["0 m", "14 m"] }, material = { permittivity = 2.0 } },
        ]"#,
    );
    let with = |threads: usize| -> Vec<Complex64> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let solution = pool.unwrap().install(|| solve(&text)).unwrap();
        solution.cases[0].current(0)
    };
    let bits = |values: Vec<Complex64>| -> Vec<[u64; 2]> {
        values
            .iter()
            .map(|z| [z.re.to_bits(), z.im.to_bits()])
            .collect()
    };
    assert_eq!(bits(with(1)), bits(with(3)));
}

#[test]
fn what_mlfma_does_not_support_is_refused() {
    let issue = |text: &str| match solve(text).unwrap_err() {
        Error::Invalid(invalid) => {
            let [issue] = &invalid.0[..] else {
                panic!("{invalid}")
            };
            assert_eq!(issue.path, "mom2d.linear_solver.kind");
            issue.message.clone()
        }
        other => panic!("{other}"),
    };
    let lossy = circle(
        "tm",
        r#"bodies = [{ geometry = { shape = "circle", radius = "2 m" }, material = { permittivity = [2.0, -0.1] } }]"#,
    );
    assert_eq!(issue(&lossy), "MLFMA supports lossless media only");
    let pulses = circle(
        "tm",
        r#"bodies = [{ geometry = { shape = "circle", radius = "2 m" }, material = "pec" }]
        mom2d.method = { kind = "pulse" }"#,
    );
    assert_eq!(issue(&pulses), "MLFMA needs the Nyström method");
}

#[test]
fn panels_too_large_for_iterations_are_no_reason_to_fail() {
    let asked = |certificate: &str| {
        let body = r#"bodies = [{ geometry = { shape = "circle", radius = "120 m" }, material = "pec" }]
        mom2d.method = { kind = "nystrom", points_per_wavelength = 10.0 }"#;
        let text = circle("tm", body)
            .replace("tolerance = 1e-7", "tolerance = 1e-5, max_iterations = 20")
            .replace("\"none\"", certificate);
        let spec: Spec = toml::from_str(&text).unwrap();
        let plan = Plan::new(&spec, Vec::new()).unwrap();
        let solution = plan.execute(&Silent).unwrap();
        [1, 3].map(|halvings| plan.coarser(&solution.cases[0], halvings, &Silent).unwrap())
    };
    let [half, eighth] = asked("\"coarser\"");
    assert!(half.is_some() && eighth.is_none(), "{half:?} {eighth:?}");
    assert_eq!(asked("\"none\""), [None, None]);
}
