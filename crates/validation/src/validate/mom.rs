//! 2-D method of moments compared with exact series.

use std::f64::consts::TAU;

use num_complex::Complex64;
use wavefield_mom2d::{
    Case as Solved, Combination, Density, Deviation, Equation, ErrorEstimate, GpuPrecision,
    LinearSolver, Method, Mlfma, Nystrom, Plan, Settings, Spec,
};
use wavefield_numerics::observe::Silent;
use wavefield_physics::constants::SPEED_OF_LIGHT;
use wavefield_physics::exact::cylinder_group::{CylinderGroup, PlacedCylinder};
use wavefield_physics::exact::sphere::Core;
use wavefield_physics::material::{Material, NamedMaterial};
use wavefield_physics::medium::Medium;
use wavefield_physics::quantity::{Angle, Frequency, Length};
use wavefield_physics::sweep::Sweep;
use wavefield_solver::scene::{
    Body, Circle, Ellipse, Excitation, Geometry, Observation, Polarization, Polygon, Strip,
};

use super::open_gpu;
use crate::measure::{Case, Limit, Measured, Metrics};
use crate::problems::medium;
use wavefield::Error;
use wavefield::numerics::worst::Worst;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case::new(
            "mom2d/circle-tm",
            "TM surface current of a PEC circular cylinder, ka = 10: convergence order of LCN panels with 2 to 8 nodes and of pulse basis functions",
            || circle(Polarization::Tm),
        )
        .limits(CIRCLE_LIMITS)
        .limits([("order_pulse_off_1", Limit::AtMost(0.1))]),
        Case::new(
            "mom2d/circle-te",
            "TE surface current of a PEC circular cylinder, ka = 10: convergence order of LCN panels with 2 to 8 nodes",
            || circle(Polarization::Te),
        )
        .limits(CIRCLE_LIMITS),
        Case::new(
            "mom2d/resonance",
            "interior resonance of a PEC circular cylinder, ka = 11.7915: the EFIE current fails and is reported, the CFIE current is correct",
            resonance,
        )
        .limits([
            // The error of the same mesh off resonance is 2e-8.
            ("efie_current_error", Limit::AtLeast(1e-5)),
            ("cfie_current_error", Limit::AtMost(1e-7)),
            ("efie_trusted", Limit::AtMost(0.0)),
            ("cfie_trusted", Limit::AtLeast(1.0)),
        ]),
        Case::new(
            "mom2d/dielectric-cylinder",
            "surface current and far field of lossless and lossy dielectric cylinders (Müller formulation) compared with their series, TM and TE",
            dielectric_cylinder,
        )
        .limits([("error", Limit::AtMost(1e-8))]),
        Case::new(
            "mom2d/strip",
            "edge singularity of the TM current on a strip: |J| ~ d^(-1/2)",
            strip,
        )
        .limits([
            ("exponent_off", Limit::AtMost(0.02)),
            ("exponent_te_off", Limit::AtMost(0.02)),
        ]),
        Case::new(
            "mom2d/fast-vs-dense",
            "surface currents of PEC bodies with corners and dielectric bodies, 5,000 unknowns: MLFMA compared with LU factorization, TM and TE",
            fast_vs_dense,
        )
        .limits([("error", Limit::AtMost(1e-6))]),
        Case::new(
            "mom2d/gpu",
            "surface currents of a PEC and a dielectric cylinder, GPU compared with CPU: single precision, and with iterative refinement",
            on_gpu,
        )
        .limits([
            ("error_f32", Limit::AtMost(1e-3)),
            ("error_refined", Limit::AtMost(1e-11)),
        ]),
        Case::new(
            "mom2d/two-cylinders",
            "two cylinders, PEC and dielectric, compared with the multipole solution by Graf's addition theorem, TM and TE",
            two_cylinders,
        )
        .limits([("error", Limit::AtMost(1e-8))]),
    ]
}

const PEC: Material = Material::Named(NamedMaterial::Pec);

/// Returns a lossless medium.
fn dielectric(permittivity: f64) -> Material {
    medium([permittivity, 0.0], [1.0, 0.0])
}

/// Solves the first case of a problem.
fn solve(spec: &Spec) -> Result<Solved, Error> {
    let mut cases = Plan::new(spec, Vec::new())?.execute(&Silent)?.cases;
    Ok(cases.swap_remove(0))
}

/// Returns a plane wave from each direction in degrees.
fn incident(phi: f64, polarization: Polarization) -> Excitation {
    Excitation::plane_wave(Sweep::degree(90.0), Sweep::degree(phi)).polarized(polarization)
}

/// Returns the bistatic observation in the plane.
fn around(phi: Sweep<Angle>) -> Observation {
    Observation::bistatic(Sweep::degree(90.0), phi)
}

/// Returns a circle of 1 m radius with a plane wave incident from −x.
fn circle_problem(
    ka: f64,
    polarization: Polarization,
    material: &Material,
    settings: Settings,
) -> Spec {
    let circle = Geometry::circle(Length::Meters(1.0));
    Spec {
        mom2d: Settings {
            error_estimate: ErrorEstimate::None,
            ..settings
        },
        ..Spec::new(
            Frequency(ka * SPEED_OF_LIGHT / TAU),
            vec![Body::new(circle, material.clone())],
            incident(180.0, polarization),
            around(Sweep::degrees(0.0, 180.0, 2.0)),
        )
    }
}

fn on_circle(
    ka: f64,
    polarization: Polarization,
    material: &Material,
    settings: Settings,
) -> Result<Solved, Error> {
    solve(&circle_problem(ka, polarization, material, settings))
}

fn exact(case: &Solved) -> Result<Deviation, Error> {
    let missing = || Error::runtime("a single circle has no exact series".to_owned());
    case.checks.exact.ok_or_else(missing)
}

const CFIE: Equation = Equation::Cfie(Combination { alpha: 0.5 });

/// Returns panels with this number of nodes.
fn nystrom(order: usize, panels: usize) -> Settings {
    let method = Method::Nystrom(Nystrom {
        order,
        panels: Some(panels),
        ..Nystrom::default()
    });
    Settings {
        method,
        ..Settings::default()
    }
}

fn panels(equation: Equation, order: usize, panels: usize) -> Settings {
    Settings {
        equation: Some(equation),
        ..nystrom(order, panels)
    }
}

/// Returns the number of unknowns.
fn unknowns(count: usize) -> Density {
    Density {
        unknowns: Some(count),
        ..Density::default()
    }
}

/// Minimum convergence orders of panels with 2 to 8 nodes, and the errors in the literature.
const CIRCLE_LIMITS: [(&str, Limit); 5] = [
    ("order_q2", Limit::AtLeast(1.7)),
    ("order_q4", Limit::AtLeast(3.7)),
    ("order_q6", Limit::AtLeast(5.7)),
    ("order_q8", Limit::AtLeast(7.0)),
    ("current_error_q6_n480", Limit::AtMost(2e-8)),
];

/// Returns the convergence order of the EFIE current, and its error where the literature has one.
fn circle(polarization: Polarization) -> Result<Measured, Error> {
    let error = |settings: Settings| -> Result<f64, Error> {
        let case = on_circle(10.0, polarization, &PEC, settings)?;
        Ok(exact(&case)?.current_max)
    };
    let mut metrics = Metrics::new();
    let mut put = |name: &str, value: f64| {
        metrics.insert(name.to_owned(), value);
    };
    // Number of panels of the coarser of two meshes.
    for (name, order, coarse) in [
        ("order_q2", 2, 80),
        ("order_q4", 4, 40),
        ("order_q6", 6, 40),
        ("order_q8", 8, 20),
    ] {
        let [coarser, finer] =
            [coarse, 2 * coarse].map(|count| error(panels(Equation::Efie, order, count)));
        put(name, (coarser? / finer?).log2());
    }
    put(
        "current_error_q6_n480",
        error(panels(Equation::Efie, 6, 80))?,
    );
    put("cfie_current_error_q6_n480", error(panels(CFIE, 6, 80))?);
    put(
        "kress_current_error_n64",
        error(Settings {
            equation: Some(Equation::Efie),
            method: Method::Kress(unknowns(64)),
            ..Settings::default()
        })?,
    );
    // Pulse basis functions support the TM EFIE only.
    if polarization == Polarization::Tm {
        let pulses = |count: usize| {
            error(Settings {
                method: Method::Pulse(unknowns(count)),
                ..Settings::default()
            })
        };
        let order = (pulses(320)? / pulses(640)?).log2();
        put("order_pulse", order);
        put("order_pulse_off_1", (order - 1.0).abs());
    }
    Ok(metrics.into())
}

/// Fourth zero of J₀.
const RESONANCE: f64 = 11.791_534_439_014_281;

fn resonance() -> Result<Measured, Error> {
    let [efie, cfie] = [Equation::Efie, CFIE].map(|equation| {
        let settings = panels(equation, 6, 80);
        on_circle(RESONANCE, Polarization::Tm, &PEC, settings)
    });
    let (efie, cfie) = (efie?, cfie?);
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
    let worst = |materials: &[Material]| -> Result<f64, Error> {
        let mut worst = Worst::default();
        for material in materials {
            for polarization in [Polarization::Tm, Polarization::Te] {
                let error = exact(&on_circle(5.0, polarization, material, nystrom(10, 24))?)?;
                worst.see(error.current_max.max(error.amplitude));
            }
        }
        Ok(worst.value())
    };
    let lossless = worst(&[dielectric(4.0)])?;
    let lossy = worst(&[
        medium([4.0, -1.0], [1.0, 0.0]),
        medium([2.0, -0.5], [1.5, -0.2]),
        medium([20.0, -60.0], [1.0, 0.0]),
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
    for polarization in [Polarization::Tm, Polarization::Te] {
        for material in [PEC, dielectric(2.5)] {
            let spec = circle_problem(10.0, polarization, &material, nystrom(6, 40));
            let plan = Plan::new(&spec, Vec::new())?;
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

/// Returns a smooth conductor, one with corners, and a dielectric body, side by side.
fn three_bodies() -> Vec<Body> {
    let polygon = Polygon {
        points: [[50.0, -10.0], [80.0, 0.0], [55.0, 15.0]]
            .map(|point| point.map(Length::Meters))
            .to_vec(),
    };
    let ellipse = Ellipse {
        semi_axes: [20.0, 6.0].map(Length::Meters),
        rotation: Angle(0.0),
        center: [-60.0, 10.0].map(Length::Meters),
    };
    vec![
        Body::pec(Geometry::circle(Length::Meters(36.0))),
        Body::pec(Geometry::Polygon(polygon)),
        Body::new(Geometry::Ellipse(ellipse), dielectric(2.25)),
    ]
}

fn fast_vs_dense() -> Result<Measured, Error> {
    let mut worst = Worst::default();
    let mut unknowns = 0;
    for polarization in [Polarization::Tm, Polarization::Te] {
        let with = |linear_solver: LinearSolver| {
            let mut spec = Spec::new(
                Frequency(SPEED_OF_LIGHT),
                three_bodies(),
                incident(150.0, polarization),
                Observation::Monostatic,
            );
            spec.mom2d = Settings {
                method: Method::Nystrom(Nystrom {
                    points_per_wavelength: 10.0,
                    ..Nystrom::default()
                }),
                linear_solver,
                error_estimate: ErrorEstimate::None,
                ..Settings::default()
            };
            solve(&spec)
        };
        let wanted = with(LinearSolver::Lu)?;
        let found = with(LinearSolver::Mlfma(Mlfma {
            accuracy: 1e-8,
            tolerance: 1e-9,
            restart: 400,
            ..Mlfma::default()
        }))?;
        unknowns = wanted.unknowns;
        let (found, wanted) = (found.current(0), wanted.current(0));
        let largest = wanted.iter().map(|z| z.norm()).fold(0.0, f64::max);
        for (found, wanted) in found.iter().zip(&wanted) {
            worst.see((found - wanted).norm() / largest);
        }
    }
    Ok([("error", worst.value()), ("unknowns", unknowns as f64)].into())
}

/// Returns the least-squares slope of ln|J| versus ln d; d is the distance from an end in wavelengths.
fn strip() -> Result<Measured, Error> {
    let exponent = |polarization: Polarization| -> Result<f64, Error> {
        let strip = Strip {
            points: [-1.0, 1.0].map(|x| [x, 0.0].map(Length::Meters)).to_vec(),
            smooth: false,
        };
        let case = solve(&Spec::new(
            Frequency(SPEED_OF_LIGHT),
            vec![Body::pec(Geometry::Strip(strip))],
            incident(60.0, polarization),
            Observation::Monostatic,
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
    let (tm, te) = (exponent(Polarization::Tm)?, exponent(Polarization::Te)?);
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
    for (second, material) in [(Core::Pec, PEC), (glass, medium([2.5, -0.1], [1.0, 0.0]))] {
        for (polarization, component) in [
            (Polarization::Tm, wavefield_mom2d::Polarization::Tm),
            (Polarization::Te, wavefield_mom2d::Polarization::Te),
        ] {
            let beside = Circle {
                radius: Length::Meters(0.4),
                center: [1.2, 0.8].map(Length::Meters),
            };
            let mut spec = Spec::new(
                Frequency(3e8),
                vec![
                    Body::pec(Geometry::circle(Length::Meters(0.5))),
                    Body::new(Geometry::Circle(beside), material.clone()),
                ],
                incident(215.0, polarization),
                around(Sweep::degrees(0.0, 350.0, 10.0)),
            );
            spec.mom2d = Settings {
                error_estimate: ErrorEstimate::None,
                ..nystrom(10, 20)
            };
            let case = solve(&spec)?;
            let cylinders = [([0.0, 0.0], 0.5, Core::Pec), ([1.2, 0.8], 0.4, second)].map(
                |(center, radius, material)| PlacedCylinder {
                    center,
                    radius,
                    material,
                },
            );
            let travel = 35_f64.to_radians();
            let exact = CylinderGroup::new(&cylinders, component, travel, 3e8)
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
                let [x, y] = cylinders[node.body].center;
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
