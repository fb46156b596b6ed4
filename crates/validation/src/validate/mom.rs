//! 2-D method of moments against exact series.

use std::f64::consts::TAU;

use num_complex::Complex64;
use wavefield_mom2d::{Case as Solved, Deviation, GpuPrecision, Plan, Polarisation, Spec};
use wavefield_numerics::observe::Silent;
use wavefield_physics::constants::SPEED_OF_LIGHT;
use wavefield_physics::exact::cylinder_group::{CylinderGroup, PlacedCylinder};
use wavefield_physics::exact::sphere::Core;
use wavefield_physics::medium::Medium;

use super::open_gpu;
use crate::measure::{Case, Limit, Measured, Metrics};
use wavefield::Error;
use wavefield::numerics::worst::Worst;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case::new(
            "mom2d/circle-tm",
            "the current of a conducting circle, ka = 10, TM: order of convergence of panels with 2 to 8 nodes and of pulses",
            || circle("tm"),
        )
        .limits(CIRCLE_LIMITS)
        .limits([("order_pulse_off_1", Limit::AtMost(0.1))]),
        Case::new(
            "mom2d/circle-te",
            "the current of a conducting circle, ka = 10, TE: order of convergence of panels with 2 to 8 nodes",
            || circle("te"),
        )
        .limits(CIRCLE_LIMITS),
        Case::new(
            "mom2d/resonance",
            "a resonance of the inside, ka = 11.7915: the EFIE's current fails, the CFIE's does not, and the program says so",
            resonance,
        )
        .limits([
            // What the same mesh gives away from the resonance is 2e-8.
            ("efie_current_error", Limit::AtLeast(1e-5)),
            ("cfie_current_error", Limit::AtMost(1e-7)),
            ("efie_trusted", Limit::AtMost(0.0)),
            ("cfie_trusted", Limit::AtLeast(1.0)),
        ]),
        Case::new(
            "mom2d/dielectric-cylinder",
            "current and far field of lossless and lossy dielectric circles against their series, TM and TE",
            dielectric_cylinder,
        )
        .limits([("error", Limit::AtMost(1e-8))]),
        Case::new(
            "mom2d/strip",
            "how the TM current rises towards the edge of a strip: |J| ~ d^(-1/2)",
            strip,
        )
        .limits([
            ("exponent_off", Limit::AtMost(0.02)),
            ("exponent_te_off", Limit::AtMost(0.02)),
        ]),
        Case::new(
            "mom2d/fast-vs-dense",
            "currents of bodies with 5,000 unknowns, conducting with corners and dielectric, by fast products and by LU factors, TM and TE",
            fast_vs_dense,
        )
        .limits([("error", Limit::AtMost(1e-6))]),
        Case::new(
            "mom2d/gpu",
            "currents of a conducting and a dielectric circle on the GPU against the CPU: in single precision, and refined",
            on_gpu,
        )
        .limits([
            ("error_f32", Limit::AtMost(1e-3)),
            ("error_refined", Limit::AtMost(1e-11)),
        ]),
        Case::new(
            "mom2d/two-cylinders",
            "two circles, conducting and dielectric, against their multipoles by Graf's theorem, TM and TE",
            two_cylinders,
        )
        .limits([("error", Limit::AtMost(1e-8))]),
    ]
}

/// The first case of a problem of this solver, from its text.
fn solve(text: &str) -> Result<Solved, Error> {
    let mut cases = plan(text)?.execute(&Silent)?.cases;
    Ok(cases.swap_remove(0))
}

fn plan(text: &str) -> Result<Plan, Error> {
    let spec: Spec = toml::from_str(text).map_err(|error| Error::runtime(error.to_string()))?;
    Ok(Plan::new(&spec, None)?)
}

/// A circle of 1 m radius under a wave from −x, with a method and an equation.
fn circle_problem(ka: f64, polarisation: &str, material: &str, method: &str) -> String {
    format!(
        r#"
        frequency = "{:e} Hz"
        polarisation = "{polarisation}"
        bodies = [{{ shape = "circle", radius = "1 m", material = {material} }}]
        incidence = {{ phi = "180 deg" }}
        observation = {{ kind = "bistatic", phi = {{ start = "0 deg", stop = "180 deg", step = "2 deg" }} }}
        certificate = "none"
        {method}
        "#,
        ka * SPEED_OF_LIGHT / TAU
    )
}

fn on_circle(ka: f64, polarisation: &str, material: &str, method: &str) -> Result<Solved, Error> {
    solve(&circle_problem(ka, polarisation, material, method))
}

fn exact(case: &Solved) -> Result<Deviation, Error> {
    let missing = || Error::runtime("a single circle has no exact series".to_owned());
    case.checks.exact.ok_or_else(missing)
}

fn panels(equation: &str, order: usize, panels: usize) -> String {
    format!(
        "equation = {{ kind = \"{equation}\" }}\nmethod = {{ kind = \"nystrom\", order = {order}, panels = {panels} }}"
    )
}

/// Least orders of panels with 2 to 8 nodes, and the error that the literature has.
const CIRCLE_LIMITS: [(&str, Limit); 5] = [
    ("order_q2", Limit::AtLeast(1.7)),
    ("order_q4", Limit::AtLeast(3.7)),
    ("order_q6", Limit::AtLeast(5.7)),
    ("order_q8", Limit::AtLeast(7.0)),
    ("current_error_q6_n480", Limit::AtMost(2e-8)),
];

/// The order of convergence of the EFIE's current, and its error where the literature has one.
fn circle(polarisation: &str) -> Result<Measured, Error> {
    let error = |method: &str| -> Result<f64, Error> {
        let case = on_circle(10.0, polarisation, "\"pec\"", method)?;
        Ok(exact(&case)?.current_max)
    };
    let mut metrics = Metrics::new();
    let mut put = |name: &str, value: f64| {
        metrics.insert(name.to_owned(), value);
    };
    // Panels of the coarser of two meshes.
    for (name, order, coarse) in [
        ("order_q2", 2, 80),
        ("order_q4", 4, 40),
        ("order_q6", 6, 40),
        ("order_q8", 8, 20),
    ] {
        let [coarser, finer] =
            [coarse, 2 * coarse].map(|count| error(&panels("efie", order, count)));
        put(name, (coarser? / finer?).log2());
    }
    put("current_error_q6_n480", error(&panels("efie", 6, 80))?);
    put("cfie_current_error_q6_n480", error(&panels("cfie", 6, 80))?);
    put(
        "kress_current_error_n64",
        error("equation = { kind = \"efie\" }\nmethod = { kind = \"kress\", unknowns = 64 }")?,
    );
    // Pulses are the TM EFIE alone.
    if polarisation == "tm" {
        let pulses = |unknowns: usize| {
            error(&format!(
                "method = {{ kind = \"pulse\", unknowns = {unknowns} }}"
            ))
        };
        let order = (pulses(320)? / pulses(640)?).log2();
        put("order_pulse", order);
        put("order_pulse_off_1", (order - 1.0).abs());
    }
    Ok(metrics.into())
}

/// The fourth zero of J₀.
const RESONANCE: f64 = 11.791_534_439_014_281;

fn resonance() -> Result<Measured, Error> {
    let efie = on_circle(RESONANCE, "tm", "\"pec\"", &panels("efie", 6, 80))?;
    let cfie = on_circle(RESONANCE, "tm", "\"pec\"", &panels("cfie", 6, 80))?;
    let trusted = |case: &Solved| f64::from(u8::from(case.checks.verdict.is_trusted()));
    let condition = |case: &Solved| case.checks.condition.unwrap_or(f64::INFINITY);
    Ok([
        ("efie_current_error", exact(&efie)?.current_max),
        ("cfie_current_error", exact(&cfie)?.current_max),
        ("efie_amplitude_error", exact(&efie)?.amplitude),
        ("efie_condition", condition(&efie)),
        ("cfie_condition", condition(&cfie)),
        ("efie_trusted", trusted(&efie)),
        ("cfie_trusted", trusted(&cfie)),
    ]
    .into())
}

fn dielectric_cylinder() -> Result<Measured, Error> {
    let method = "method = { kind = \"nystrom\", order = 10, panels = 24 }";
    let worst = |materials: &[&str]| -> Result<f64, Error> {
        let mut worst = Worst::default();
        for material in materials {
            for polarisation in ["tm", "te"] {
                let error = exact(&on_circle(5.0, polarisation, material, method)?)?;
                worst.see(error.current_max.max(error.amplitude));
            }
        }
        Ok(worst.value())
    };
    let lossless = worst(&["{ permittivity = 4.0 }"])?;
    let lossy = worst(&[
        "{ permittivity = [4.0, -1.0] }",
        "{ permittivity = [2.0, -0.5], permeability = [1.5, -0.2] }",
        "{ permittivity = [20.0, -60.0] }",
    ])?;
    Ok([
        ("error", lossless.max(lossy)),
        ("lossless_error", lossless),
        ("lossy_error", lossy),
    ]
    .into())
}

fn on_gpu() -> Result<Measured, Error> {
    let (_, gpu) = open_gpu()?;
    let (mut single, mut refined) = (Worst::default(), Worst::default());
    for polarisation in ["tm", "te"] {
        for material in ["\"pec\"", "{ permittivity = 2.5 }"] {
            let text = circle_problem(
                10.0,
                polarisation,
                material,
                "method = { kind = \"nystrom\", order = 6, panels = 40 }",
            );
            let plan = plan(&text)?;
            let wanted = plan.execute(&Silent)?;
            for (precision, worst) in [
                (GpuPrecision::Single, &mut single),
                (GpuPrecision::Refined, &mut refined),
            ] {
                let found = plan.execute_in(&gpu, precision, &Silent)?;
                let (found, wanted) = (found.cases[0].current(0), wanted.cases[0].current(0));
                let largest = wanted.iter().map(|z| z.norm()).fold(0.0, f64::max);
                for (found, wanted) in found.iter().zip(&wanted) {
                    worst.see((found - wanted).norm() / largest);
                }
            }
        }
    }
    Ok([
        ("error_f32", single.value()),
        ("error_refined", refined.value()),
    ]
    .into())
}

/// A smooth conductor, one with corners and a dielectric, side by side.
fn fast_vs_dense() -> Result<Measured, Error> {
    let mut worst = Worst::default();
    let mut unknowns = 0;
    for polarisation in ["tm", "te"] {
        let text = |solver: &str| {
            format!(
                r#"
                frequency = "{SPEED_OF_LIGHT:e} Hz"
                polarisation = "{polarisation}"
                bodies = [
                    {{ shape = "circle", radius = "36 m", material = "pec" }},
                    {{ shape = "polygon", points = [["50 m", "-10 m"], ["80 m", "0 m"], ["55 m", "15 m"]], material = "pec" }},
                    {{ shape = "ellipse", semi_axes = ["20 m", "6 m"], centre = ["-60 m", "10 m"], material = {{ permittivity = 2.25 }} }},
                ]
                incidence = {{ phi = "150 deg" }}
                observation = {{ kind = "monostatic" }}
                method = {{ kind = "nystrom", points_per_wavelength = 10.0 }}
                certificate = "none"
                linear_solver = {solver}
                "#
            )
        };
        let wanted = solve(&text("{ kind = \"lu\" }"))?;
        let found = solve(&text(
            "{ kind = \"fast\", accuracy = 1e-8, tolerance = 1e-9, restart = 400 }",
        ))?;
        unknowns = wanted.unknowns;
        let (found, wanted) = (found.current(0), wanted.current(0));
        let largest = wanted.iter().map(|z| z.norm()).fold(0.0, f64::max);
        for (found, wanted) in found.iter().zip(&wanted) {
            worst.see((found - wanted).norm() / largest);
        }
    }
    Ok([("error", worst.value()), ("unknowns", unknowns as f64)].into())
}

/// The slope of ln|J| over ln d, by least squares, d being the distance from an end in wavelengths.
fn strip() -> Result<Measured, Error> {
    let exponent = |polarisation: &str| -> Result<f64, Error> {
        let case = solve(&format!(
            r#"
            frequency = "{SPEED_OF_LIGHT:e} Hz"
            polarisation = "{polarisation}"
            bodies = [{{ shape = "strip", points = [["-1 m", "0 m"], ["1 m", "0 m"]] }}]
            incidence = {{ phi = "60 deg" }}
            observation = {{ kind = "monostatic" }}
            "#
        ))?;
        let near: Vec<[f64; 2]> = (case.nodes().iter().zip(case.current(0)))
            .filter(|(node, _)| (1e-5..1e-2).contains(&node.arc))
            .map(|(node, current)| [node.arc.ln(), current.norm().ln()])
            .collect();
        let count = near.len() as f64;
        let [x, y] = [0, 1].map(|axis| near.iter().map(|p| p[axis]).sum::<f64>() / count);
        let above: f64 = near.iter().map(|p| (p[0] - x) * (p[1] - y)).sum();
        let below: f64 = near.iter().map(|p| (p[0] - x).powi(2)).sum();
        Ok(above / below)
    };
    let (tm, te) = (exponent("tm")?, exponent("te")?);
    Ok([
        ("exponent", tm),
        ("exponent_off", (tm + 0.5).abs()),
        ("exponent_te", te),
        ("exponent_te_off", (te - 0.5).abs()),
    ]
    .into())
}

fn two_cylinders() -> Result<Measured, Error> {
    let glass = Core::Medium(Medium {
        permittivity: Complex64::new(2.5, -0.1),
        permeability: Complex64::new(1.0, 0.0),
    });
    let (mut far, mut near) = (Worst::default(), Worst::default());
    for (second, material) in [
        (Core::Pec, "\"pec\""),
        (glass, "{ permittivity = [2.5, -0.1] }"),
    ] {
        for (name, polarisation) in [("tm", Polarisation::Tm), ("te", Polarisation::Te)] {
            let case = solve(&format!(
                r#"
                frequency = "300 MHz"
                polarisation = "{name}"
                bodies = [
                    {{ shape = "circle", radius = "0.5 m", material = "pec" }},
                    {{ shape = "circle", radius = "0.4 m", centre = ["1.2 m", "0.8 m"], material = {material} }},
                ]
                incidence = {{ phi = "215 deg" }}
                observation = {{ kind = "bistatic", phi = {{ start = "0 deg", stop = "350 deg", step = "10 deg" }} }}
                method = {{ kind = "nystrom", order = 10, panels = 20 }}
                certificate = "none"
                "#
            ))?;
            let cylinders = [([0.0, 0.0], 0.5, Core::Pec), ([1.2, 0.8], 0.4, second)].map(
                |(centre, radius, material)| PlacedCylinder {
                    centre,
                    radius,
                    material,
                },
            );
            let travel = 35_f64.to_radians();
            let exact = CylinderGroup::new(&cylinders, polarisation, travel, 3e8)
                .map_err(|error| Error::runtime(error.to_string()))?;
            let largest =
                |values: &[Complex64]| values.iter().map(|z| z.norm()).fold(0.0, f64::max);
            let strongest = largest(&case.amplitudes);
            for (&(_, phi), amplitude) in case.aspects.iter().zip(&case.amplitudes) {
                far.see((amplitude - exact.amplitude(phi)).norm() / strongest);
            }
            let current = case.current(0);
            let strongest = largest(&current);
            for (node, current) in case.nodes().iter().zip(&current) {
                let [x, y] = cylinders[node.body].centre;
                let phi = (node.position[1] - y).atan2(node.position[0] - x);
                near.see((current - exact.surface_current(node.body, phi)).norm() / strongest);
            }
        }
    }
    Ok([
        ("error", far.value().max(near.value())),
        ("amplitude_error", far.value()),
        ("current_error", near.value()),
    ]
    .into())
}
