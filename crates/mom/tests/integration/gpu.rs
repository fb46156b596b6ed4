//! Factors and solutions from a graphics card against the processor's.

use num_complex::Complex64;
use wavefield_compute::DeviceError;
use wavefield_compute::dense::Matrix;
use wavefield_compute::gpu::{Fault, Gpu};
use wavefield_compute::observe::Silent;
use wavefield_mom::surface;
use wavefield_mom::{Case, Error, Factors, GpuFactors, GpuPrecision, Operator, Plan, Spec};

fn gpu() -> Gpu {
    Gpu::open(None).expect("GPU tests do not skip: install mesa-vulkan-drivers")
}

/// Numbers spread over a square, the same on every run.
fn spread(count: usize, seed: f64) -> Vec<Complex64> {
    (1..=count)
        .map(|i| {
            let at = |factor: f64| 2.0 * (i as f64 * factor * seed).fract() - 1.0;
            Complex64::new(at(0.618_033_988_749_894_8), at(0.754_877_666_246_692_7))
        })
        .collect()
}

/// A matrix of such numbers with a heavier band in which no entry is on the diagonal.
fn matrix(size: usize) -> Matrix {
    let entries = spread(size * size, 1.37);
    let heavier = 2.0 * (size as f64).sqrt();
    Matrix::from_fn(size, size, |row, column| {
        let entry = entries[column * size + row];
        if row == (column + size / 3 + 1) % size {
            entry * heavier
        } else {
            entry
        }
    })
}

/// The largest difference over the largest number.
fn apart(found: &[Complex64], wanted: &[Complex64]) -> f64 {
    assert_eq!(found.len(), wanted.len());
    assert!(found.iter().all(|z| z.is_finite()));
    let largest = wanted.iter().map(|z| z.norm()).fold(0.0, f64::max);
    let differences = found.iter().zip(wanted).map(|(a, b)| (a - b).norm());
    differences.fold(0.0, f64::max) / largest
}

#[test]
fn factors_solve_as_the_processors_do() {
    let gpu = gpu();
    for (size, count) in [(1, 3), (5, 1), (64, 2), (65, 70), (200, 3)] {
        let matrix = matrix(size);
        let right = spread(size * count, 0.91);
        let mut wanted = right.clone();
        let on_processor = Factors::new(matrix.clone()).unwrap();
        on_processor.solve(&mut wanted);

        let single = GpuFactors::new(&gpu, &matrix).unwrap();
        let mut found = right.clone();
        single.solve_plain(&mut found).unwrap();
        let plain = apart(&found, &wanted);
        let mut found = right.clone();
        let refined = single.solve_refined(&matrix, &mut found).unwrap();
        let error = apart(&found, &wanted);
        println!("{size}: plain {plain:.1e}, {refined:?} {error:.1e}");
        // 6e-8 times a condition number of some tens to hundreds.
        assert!(plain < 1e-4, "{size}: {plain}");
        assert!(error < 1e-12, "{size}: {error}");
        assert!(refined.steps <= 4 && refined.residual <= 1e-13);

        let mut wanted = right.clone();
        on_processor.solve_adjoint(&mut wanted);
        let mut found = right.clone();
        single.solve_plain_adjoint(&mut found).unwrap();
        let adjoint = apart(&found, &wanted);
        assert!(adjoint < 1e-4, "{size}: {adjoint}");
        let ratio = single.condition().unwrap() / on_processor.condition();
        assert!((ratio - 1.0).abs() < 1e-2, "{size}: {ratio}");
    }
}

#[test]
fn factors_of_double_precision_need_no_refinement() {
    let gpu = gpu();
    let matrix = matrix(100);
    let made = GpuFactors::in_double(&gpu, &matrix);
    if !gpu.capabilities().f64 {
        // A card without double precision says so.
        assert!(matches!(
            made,
            Err(Error::Device(DeviceError::Missing { .. }))
        ));
        return;
    }
    let mut found = spread(200, 0.91);
    let mut wanted = found.clone();
    made.unwrap().solve_plain(&mut found).unwrap();
    Factors::new(matrix).unwrap().solve(&mut wanted);
    let error = apart(&found, &wanted);
    println!("double {error:.1e}");
    assert!(error < 1e-12, "{error}");
}

#[test]
fn a_zero_on_the_diagonal_is_no_obstacle() {
    // Rows in reverse: every pivot lies in another row, often in another block.
    let size = 70;
    let mut matrix = Matrix::zeros(size, size);
    for column in 0..size {
        let value = Complex64::new(1.0 + column as f64, -0.5);
        matrix.column_mut(column)[size - 1 - column] = value;
    }
    let solution = spread(size, 0.77);
    let mut found = vec![Complex64::new(0.0, 0.0); size];
    matrix.apply(&solution, &mut found);
    let factors = GpuFactors::new(&gpu(), &matrix).unwrap();
    factors.solve_refined(&matrix, &mut found).unwrap();
    assert!(apart(&found, &solution) < 1e-14);
}

#[test]
fn a_singular_matrix_is_refused() {
    let gpu = gpu();
    let mut matrix = matrix(70);
    matrix.column_mut(40).fill(Complex64::new(0.0, 0.0));
    let told = GpuFactors::new(&gpu, &matrix).unwrap_err();
    assert_eq!(told, Error::Singular { index: 40 });
    matrix.column_mut(40)[3] = Complex64::new(1e50, 0.0);
    let told = GpuFactors::new(&gpu, &matrix).unwrap_err();
    assert_eq!(told, Error::BeyondSingle { row: 3, column: 40 });
}

#[test]
fn a_matrix_too_near_to_a_singular_one_is_an_error_in_words() {
    // Hilbert's matrix of order 12 has a condition number of 1e16.
    let size = 12;
    let matrix = Matrix::from_fn(size, size, |row, column| {
        Complex64::new(1.0 / (row + column + 1) as f64, 0.0)
    });
    let factors = GpuFactors::new(&gpu(), &matrix).unwrap();
    let mut columns = spread(size, 0.3);
    let told = factors.solve_refined(&matrix, &mut columns).unwrap_err();
    assert!(matches!(told, Error::NotRefined { .. }), "{told}");
    assert!(told.to_string().contains("badly conditioned"), "{told}");
}

#[test]
fn the_same_bits_every_time() {
    let gpu = gpu();
    let matrix = matrix(97);
    let run = || {
        let mut columns = spread(97 * 5, 0.91);
        let factors = GpuFactors::new(&gpu, &matrix).unwrap();
        factors.solve_plain(&mut columns).unwrap();
        columns
    };
    assert_eq!(run(), run());
}

/// A circle of 1 m radius at ka = 10 unless it says otherwise.
fn plan(polarisation: &str, material: &str, rest: &str) -> Plan {
    let unit = 299_792_458.0 / std::f64::consts::TAU;
    let text = format!(
        r#"
        frequency = "{:.17e} Hz"
        polarisation = "{polarisation}"
        bodies = [{{ shape = "circle", radius = "1 m", material = {material} }}]
        incidence = {{ phi = ["180 deg", "90 deg"] }}
        observation = {{ kind = "monostatic" }}
        certificate = "none"
        {rest}
        "#,
        10.0 * unit
    );
    let spec: Spec = toml::from_str(&text).unwrap();
    Plan::new(&spec, None).unwrap()
}

/// How far u and p at the nodes are apart.
fn cases_apart(found: &Case, wanted: &Case) -> f64 {
    let mut worst = 0.0_f64;
    for incidence in 0..wanted.incidences.len() {
        let both =
            |case: &Case| [case.axial_field(incidence), case.normal_slope(incidence)].concat();
        worst = worst.max(apart(&both(found), &both(wanted)));
    }
    worst
}

#[test]
fn circles_are_solved_as_on_the_processor() {
    let gpu = gpu();
    for (polarisation, material) in [
        ("tm", "\"pec\""),
        ("te", "\"pec\""),
        ("te", "{ permittivity = 2.5 }"),
        ("tm", "{ permittivity = [2.5, -0.4] }"),
        ("tm", "{ impedance = [0.3, 0.2] }"),
    ] {
        let method = "method = { kind = \"nystrom\", points_per_wavelength = 8.0 }";
        let plan = plan(polarisation, material, method);
        let wanted = &plan.execute(&Silent).unwrap().cases[0];
        let [plain, refined] = [GpuPrecision::Single, GpuPrecision::Refined].map(|precision| {
            let found = plan.execute_in(&gpu, precision, &Silent).unwrap();
            let found = found.cases.into_iter().next().unwrap();
            let ratio = found.checks.condition.unwrap() / wanted.checks.condition.unwrap();
            assert!((ratio - 1.0).abs() < 0.05, "{ratio}");
            found
        });
        let errors = [&plain, &refined].map(|case| cases_apart(case, wanted));
        println!(
            "{polarisation} {material}: plain {:.1e}, refined {:.1e} in {:?}, {} unknowns, condition {:.0}",
            errors[0],
            errors[1],
            refined.checks.iterations,
            wanted.unknowns,
            wanted.checks.condition.unwrap()
        );
        assert!(errors[0] < 1e-3, "{polarisation} {material}");
        assert!(errors[1] < 1e-11, "{polarisation} {material}");
    }
}

#[test]
fn several_bodies_with_corners_are_filled_on_the_card() {
    let spec: Spec = toml::from_str(
        r#"
        frequency = "300 MHz"
        polarisation = "te"
        bodies = [
            { shape = "polygon", points = [["0 m", "0 m"], ["1 m", "0 m"], ["1 m", "0.6 m"], ["0 m", "0.6 m"]], material = "pec" },
            { shape = "circle", radius = "0.3 m", centre = ["1.8 m", "0.2 m"], material = { permittivity = 3.0 } },
        ]
        incidence = { phi = "30 deg" }
        observation = { kind = "monostatic" }
        certificate = "none"
        method = { kind = "nystrom", order = 4, grading = 6 }
        "#,
    )
    .unwrap();
    let plan = Plan::new(&spec, None).unwrap();
    let gpu = gpu();
    let wanted = &plan.execute(&Silent).unwrap().cases[0];
    let single = plan
        .execute_in(&gpu, GpuPrecision::Single, &Silent)
        .unwrap();
    let refined = plan.execute_on(&gpu, &Silent).unwrap();
    let errors = [single, refined].map(|found| cases_apart(&found.cases[0], wanted));
    println!("{} unknowns: {errors:?}", wanted.unknowns);
    assert!(errors[0] < 1e-3 && errors[1] < 1e-11, "{errors:?}");
}

#[test]
fn what_the_card_does_not_do_is_refused() {
    let gpu = gpu();
    let iterated = plan("tm", "\"pec\"", "linear_solver = { kind = \"gmres\" }");
    let told = iterated.execute_on(&gpu, &Silent).unwrap_err();
    assert_eq!(told, Error::CardSolver);
    let spec: Spec = toml::from_str(
        r#"
        frequency = "300 GHz"
        polarisation = "tm"
        bodies = [{ shape = "circle", radius = "2 m", material = "pec" }]
        incidence = { phi = "0 deg" }
        observation = { kind = "monostatic" }
        certificate = "none"
        method = { kind = "nystrom", order = 2, panels = 8 }
        "#,
    )
    .unwrap();
    let wide = Plan::new(&spec, None).unwrap();
    let told = wide.execute_in(&gpu, GpuPrecision::Single, &Silent);
    assert!(matches!(told, Err(Error::TooWideForSingle { .. })));
}

#[test]
fn a_card_that_fails_is_an_error() {
    let gpu = gpu();
    let matrix = matrix(40);
    let factors = GpuFactors::new(&gpu, &matrix).unwrap();
    let mut columns = spread(40, 0.91);
    factors.solve_plain(&mut columns).unwrap();
    gpu.inject_fault(Fault::Validation);
    let told = factors.solve_plain(&mut columns).unwrap_err();
    assert!(matches!(
        told,
        Error::Device(DeviceError::Validation { .. })
    ));
    gpu.inject_fault(Fault::DeviceLost);
    for _ in 0..2 {
        for told in [
            factors.solve_plain(&mut columns).unwrap_err(),
            factors.solve_refined(&matrix, &mut columns).unwrap_err(),
            GpuFactors::new(&gpu, &matrix).unwrap_err(),
            plan("tm", "\"pec\"", "")
                .execute_on(&gpu, &Silent)
                .unwrap_err(),
        ] {
            assert!(matches!(told, Error::Device(DeviceError::Lost { .. })));
        }
    }
}

/// A surface at a wavelength of one metre.
fn surface(target: &str, more: &str) -> surface::Plan {
    let text = format!(
        r#"
        frequency = "299792458 Hz"
        target = {target}
        edge = "0.14 lambda"
        {more}
        "#
    );
    surface::Plan::new(&toml::from_str(&text).unwrap(), None).unwrap()
}

#[test]
fn surfaces_are_filled_and_solved_as_on_the_processor() {
    let gpu = gpu();
    let waves = r#"
        incidence = { theta = "70 deg", phi = ["0 deg", "50 deg"] }
        observation = { kind = "bistatic", phi = { start = "0 deg", stop = "180 deg", step = "10 deg" } }
    "#;
    // Closed with both equations, open with one, and with a corner at which both equations and three faces meet.
    for target in [
        r#"{ shape = "sphere", radius = "0.5 m" }"#,
        r#"{ shape = "plate", width = "1.3 m", height = "0.8 m" }"#,
        r#"{ shape = "trihedral", side = "0.9 m" }"#,
    ] {
        let plan = surface(target, waves);
        let wanted = plan.execute(&Silent).unwrap();
        let found = plan.execute_on(&gpu, &Silent).unwrap();
        let current = |solution: &surface::Solution| -> Vec<Complex64> {
            let states = solution.states[0].iter();
            states
                .flat_map(|s| s.current.iter().flatten().copied())
                .collect()
        };
        let error = apart(&current(&found), &current(&wanted));
        let rounding = found.checks[0].rounding.unwrap();
        println!(
            "{target}: {error:.1e}, foreseen {rounding:.1e}, {} unknowns",
            plan.unknowns()
        );
        assert!(
            error < 1e-4 && error < rounding,
            "{target}: {error:.1e} {rounding:.1e}"
        );
        assert!(wanted.checks[0].rounding.is_none());
        let scattered = |solution: &surface::Solution| -> Vec<Complex64> {
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
fn surfaces_of_very_long_waves_and_ports_are_right_on_the_card() {
    let gpu = gpu();
    // Edges of a thousandth of a wavelength, and a port.
    let plan = surface(
        r#"{ shape = "plate", width = "0.002 m", height = "0.02 m" }"#,
        r#"ports = [{ at = ["0 m", "0 m", "0 m"], direction = [0, 1, 0], radius = "0.002 m" }]"#,
    );
    let wanted = plan.execute(&Silent).unwrap();
    let found = plan.execute_on(&gpu, &Silent).unwrap();
    let impedance =
        |solution: &surface::Solution| solution.network.as_ref().unwrap().impedances()[0];
    let (found, wanted) = (impedance(&found), impedance(&wanted));
    assert!(
        (found - wanted).norm() < 1e-3 * wanted.norm(),
        "{found} {wanted}"
    );
}

#[test]
fn surfaces_that_a_card_cannot_do_are_refused() {
    let gpu = gpu();
    let waves = r#"
        incidence = { phi = "0 deg" }
        observation = { kind = "monostatic" }
        linear_solver = { kind = "fft" }
    "#;
    let plan = surface(
        r#"{ shape = "plate", width = "1 m", height = "1 m" }"#,
        waves,
    );
    let error = plan.execute_on(&gpu, &Silent).unwrap_err();
    assert!(
        error.to_string().contains("the solver is \"lu\""),
        "{error}"
    );
}
