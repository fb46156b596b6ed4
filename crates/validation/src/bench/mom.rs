//! 2-D method of moments for a PEC circle, TM, ten unknowns per wavelength: dense EFIE with 361 right-hand sides, and
//! CFIE with MLFMA.
//!
//! The thesis behind this solver reports 700 s for 2,500 unknowns in MATLAB and estimates twelve hours for 10,000.

use std::sync::Mutex;
use std::time::Instant;

use wavefield_mom2d::{Equation, ErrorEstimate, LinearSolver, Method, Mlfma, Nystrom, Plan, Spec};
use wavefield_numerics::observe::{Observer, Progress, Silent};
use wavefield_physics::constants::SPEED_OF_LIGHT;
use wavefield_physics::quantity::{Angle, Frequency, Length};
use wavefield_physics::sweep::Sweep;
use wavefield_solver::scene::{Body, Excitation, Geometry, Observation, Polarization};

use crate::measure::{Measured, Metrics};
use wavefield::Error;
use wavefield::memory;

/// Number of nodes per panel.
const ORDER: usize = 5;
const UNKNOWNS_PER_WAVELENGTH: f64 = 10.0;

/// Numbers of unknowns of the dense equation.
pub(super) const SIZES: [usize; 3] = [2500, 5000, 10_000];

/// Observer that records the last times of the matrix fill and of the LU factorization.
#[derive(Default)]
struct Stopwatch {
    filled: Mutex<Option<Instant>>,
    factored: Mutex<Option<Instant>>,
}

impl Observer for Stopwatch {
    fn progress(&self, event: &Progress<'_>) {
        let last = match event.stage {
            "matrix" | "corrections" => &self.filled,
            "LU factorization" => &self.factored,
            _ => return,
        };
        if let Ok(mut last) = last.lock() {
            *last = Some(Instant::now());
        }
    }
}

/// Returns a PEC circle with this number of unknowns under TM plane waves; the wavelength is 1 m.
fn circle(unknowns: f64, incidence: Sweep<Angle>, observation: Observation) -> Spec {
    let radius = unknowns / UNKNOWNS_PER_WAVELENGTH / std::f64::consts::TAU;
    let mut spec = Spec::new(
        Frequency(SPEED_OF_LIGHT),
        vec![Body::pec(Geometry::circle(Length::Meters(radius)))],
        Excitation::plane_wave(Sweep::degree(90.0), incidence).polarized(Polarization::Tm),
        observation,
    );
    spec.mom2d.error_estimate = ErrorEstimate::None;
    spec
}

pub(super) fn dense() -> Result<Measured, Error> {
    let mut metrics = Metrics::new();
    for unknowns in SIZES {
        let mut spec = circle(
            unknowns as f64,
            Sweep::degrees(0.0, 360.0, 1.0),
            Observation::Monostatic,
        );
        spec.mom2d.equation = Some(Equation::Efie);
        spec.mom2d.method = Method::Nystrom(Nystrom {
            order: ORDER,
            panels: Some(unknowns / ORDER),
            ..Nystrom::default()
        });
        let stopwatch = Stopwatch::default();
        let start = Instant::now();
        let solution = Plan::new(&spec, Vec::new())?.execute(&stopwatch)?;
        let seconds = start.elapsed().as_secs_f64();
        let when = |last: Mutex<Option<Instant>>| {
            let unseen = || Error::runtime("the matrix was not factored".to_owned());
            last.into_inner().ok().flatten().ok_or_else(unseen)
        };
        let (filled, factored) = (when(stopwatch.filled)?, when(stopwatch.factored)?);
        let factoring = (factored - filled).as_secs_f64();
        let name = |what: &str| format!("{what}_{unknowns}");
        metrics.insert(name("seconds"), seconds);
        metrics.insert(name("fill_seconds"), (filled - start).as_secs_f64());
        metrics.insert(name("factor_seconds"), factoring);
        metrics.insert(
            name("gflops"),
            8.0 / 3.0 * (unknowns as f64).powi(3) / factoring / 1e9,
        );
        if let Some(exact) = solution.cases[0].checks.exact {
            metrics.insert(name("current_error"), exact.current_max);
        }
    }
    Ok(metrics.into())
}

/// Relative residual at which GMRES stops: ten nodes per wavelength are no more accurate.
pub(super) const TOLERANCE: f64 = 1e-4;
/// Relative error of matrix–vector products, below that.
const ACCURACY: f64 = 1e-5;

pub(super) fn fast() -> Result<Measured, Error> {
    fast_of(&[(1e4, "1e4"), (1e5, "1e5"), (1e6, "1e6")])
}

pub(super) fn fast_short() -> Result<Measured, Error> {
    fast_of(&[(1e4, "1e4"), (3e4, "3e4")])
}

fn fast_of(sizes: &[(f64, &str)]) -> Result<Measured, Error> {
    let mut metrics = Metrics::new();
    let mut logs: Vec<[f64; 2]> = Vec::new();
    for &(unknowns, name) in sizes {
        let mut spec = circle(
            unknowns,
            Sweep::degree(180.0),
            Observation::bistatic(Sweep::degree(90.0), Sweep::degrees(0.0, 360.0, 10.0)),
        );
        spec.mom2d.method = Method::Nystrom(Nystrom {
            points_per_wavelength: UNKNOWNS_PER_WAVELENGTH,
            ..Nystrom::default()
        });
        spec.mom2d.linear_solver = LinearSolver::Mlfma(Mlfma {
            accuracy: ACCURACY,
            tolerance: TOLERANCE,
            ..Mlfma::default()
        });
        let start = Instant::now();
        let plan = Plan::new(&spec, Vec::new())?;
        let predicted = memory::predicted(plan.memory());
        let solution = plan.execute(&Silent)?;
        let seconds = start.elapsed().as_secs_f64();
        let checks = &solution.cases[0].checks;
        metrics.insert(format!("seconds_{name}"), seconds);
        // Peak memory of the whole process: sizes increase.
        let peak = memory::peak().map_or(f64::NAN, memory::gibibytes);
        metrics.insert(format!("gib_{name}"), peak);
        metrics.insert(
            format!("predicted_gib_{name}"),
            memory::gibibytes(predicted),
        );
        let iterations = checks.iterations.unwrap_or(0) as f64;
        metrics.insert(format!("iterations_{name}"), iterations);
        let error = checks.exact.map_or(f64::NAN, |exact| exact.current_max);
        metrics.insert(format!("current_error_{name}"), error);
        logs.push([unknowns.ln(), seconds.ln()]);
    }
    metrics.insert("exponent".to_owned(), slope(&logs));
    Ok(metrics.into())
}

/// Returns the least-squares slope through points.
pub(super) fn slope(points: &[[f64; 2]]) -> f64 {
    let mean = |axis: usize| points.iter().map(|p| p[axis]).sum::<f64>() / points.len() as f64;
    let [x, y] = [mean(0), mean(1)];
    let (mut above, mut below) = (0.0, 0.0);
    for point in points {
        above += (point[0] - x) * (point[1] - y);
        below += (point[0] - x).powi(2);
    }
    above / below
}
