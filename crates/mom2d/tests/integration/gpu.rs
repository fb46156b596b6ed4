//! Matrix fill, factorization, and solution on a GPU compared with the CPU.

use num_complex::Complex64;
use wavefield_gpu::{DeviceError, Fault, Gpu};
use wavefield_mom2d::{Case, Error, GpuPrecision, Plan, Spec};
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

/// Returns the plan of a circle of 1 m radius, by default at ka = 10.
fn plan(polarization: &str, material: &str, rest: &str) -> Plan {
    let unit = 299_792_458.0 / std::f64::consts::TAU;
    let text = format!(
        r#"
        frequency = "{:.17e} Hz"
        bodies = [{{ geometry = {{ shape = "circle", radius = "1 m" }}, material = {material} }}]
        excitation = {{ kind = "plane-wave", phi = ["180 deg", "90 deg"], polarization = "{polarization}" }}
        observation = {{ kind = "monostatic" }}
        mom2d.error_estimate = "none"
        {rest}
        "#,
        10.0 * unit
    );
    let spec: Spec = toml::from_str(&text).unwrap();
    Plan::new(&spec, Vec::new()).unwrap()
}

/// Returns the largest relative difference of u and p at the nodes.
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
fn circles_are_solved_as_on_the_cpu() {
    let gpu = gpu();
    for (polarization, material) in [
        ("tm", "\"pec\""),
        ("te", "\"pec\""),
        ("te", "{ permittivity = 2.5 }"),
        ("tm", "{ permittivity = [2.5, -0.4] }"),
        ("tm", "{ surface_impedance = [0.3, 0.2] }"),
    ] {
        let method = "mom2d.method = { kind = \"nystrom\", points_per_wavelength = 8.0 }";
        let plan = plan(polarization, material, method);
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
            "{polarization} {material}: single {:.1e}, refined {:.1e} in {:?}, {} unknowns, condition {:.0}",
            errors[0],
            errors[1],
            refined.checks.iterations,
            wanted.unknowns,
            wanted.checks.condition.unwrap()
        );
        assert!(errors[0] < 1e-3, "{polarization} {material}");
        assert!(errors[1] < 1e-11, "{polarization} {material}");
    }
}

#[test]
fn several_bodies_with_corners_are_filled_on_the_gpu() {
    let spec: Spec = toml::from_str(
        r#"
        frequency = "300 MHz"
        bodies = [
            { geometry = { shape = "polygon", points = [["0 m", "0 m"], ["1 m", "0 m"], ["1 m", "0.6 m"], ["0 m", "0.6 m"]] }, material = "pec" },
            { geometry = { shape = "circle", radius = "0.3 m", center = ["1.8 m", "0.2 m"] }, material = { permittivity = 3.0 } },
        ]
        excitation = { kind = "plane-wave", phi = "30 deg", polarization = "te" }
        observation = { kind = "monostatic" }
        mom2d.error_estimate = "none"
        mom2d.method = { kind = "nystrom", order = 4, grading = 6 }
        "#,
    )
    .unwrap();
    let plan = Plan::new(&spec, Vec::new()).unwrap();
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
fn what_the_gpu_does_not_do_is_refused() {
    let gpu = gpu();
    let iterated = plan(
        "tm",
        "\"pec\"",
        "mom2d.linear_solver = { kind = \"gmres\" }",
    );
    let told = iterated.execute_on(&gpu, &Silent).unwrap_err();
    assert_eq!(told, Error::GpuSolver);
    let spec: Spec = toml::from_str(
        r#"
        frequency = "300 GHz"
        bodies = [{ geometry = { shape = "circle", radius = "2 m" }, material = "pec" }]
        excitation = { kind = "plane-wave", phi = "0 deg", polarization = "tm" }
        observation = { kind = "monostatic" }
        mom2d.error_estimate = "none"
        mom2d.method = { kind = "nystrom", order = 2, panels = 8 }
        "#,
    )
    .unwrap();
    let wide = Plan::new(&spec, Vec::new()).unwrap();
    let told = wide.execute_in(&gpu, GpuPrecision::Single, &Silent);
    assert!(matches!(told, Err(Error::TooWideForSingle { .. })));
}

#[test]
fn a_gpu_that_fails_is_an_error() {
    let gpu = gpu();
    let plan = plan("tm", "\"pec\"", "");
    gpu.inject_fault(Fault::DeviceLost);
    for _ in 0..2 {
        let told = plan.execute_on(&gpu, &Silent).unwrap_err();
        assert!(matches!(told, Error::Device(DeviceError::Lost { .. })));
    }
}
