//! Dense integral equations: the TM EFIE of a conducting circle, ten unknowns to a wavelength, under 361 waves.
//!
//! The thesis behind this solver reports 700 s for 2,500 unknowns in MATLAB and estimates twelve hours for 10,000.

use std::sync::Mutex;
use std::time::Instant;

use wavefield_compute::observe::{Observer, Progress};
use wavefield_mom::{Plan, Spec};
use wavefield_physics::constants::SPEED_OF_LIGHT;

use crate::failure::Failure;
use crate::measure::{Limit, Measured, Metrics};

/// Nodes of a panel.
const ORDER: usize = 5;
const UNKNOWNS_PER_WAVELENGTH: f64 = 10.0;

/// Whole seconds allowed for a number of unknowns.
const SIZES: [(usize, Option<f64>); 3] = [(2500, Some(2.0)), (5000, None), (10_000, Some(60.0))];

/// Notes when the matrix was filled last and when factors were worked on last.
#[derive(Default)]
struct Stopwatch {
    filled: Mutex<Option<Instant>>,
    factored: Mutex<Option<Instant>>,
}

impl Observer for Stopwatch {
    fn progress(&self, event: &Progress<'_>) {
        let last = match event.stage {
            "matrix" | "corrections" => &self.filled,
            "factorising the matrix" => &self.factored,
            _ => return,
        };
        if let Ok(mut last) = last.lock() {
            *last = Some(Instant::now());
        }
    }
}

pub(super) fn dense() -> Result<Measured, Failure> {
    let mut metrics = Metrics::new();
    let mut limits = std::collections::BTreeMap::new();
    for (unknowns, most) in SIZES {
        let text = format!(
            r#"
            frequency = "{SPEED_OF_LIGHT:e} Hz"
            polarisation = "tm"
            bodies = [{{ shape = "circle", radius = "{:e} m", material = "pec" }}]
            incidence = {{ phi = {{ start = "0 deg", stop = "360 deg", step = "1 deg" }} }}
            observation = {{ kind = "monostatic" }}
            equation = {{ kind = "efie" }}
            method = {{ kind = "nystrom", order = {ORDER}, panels = {} }}
            certificate = "none"
            "#,
            unknowns as f64 / UNKNOWNS_PER_WAVELENGTH / std::f64::consts::TAU,
            unknowns / ORDER
        );
        let spec: Spec =
            toml::from_str(&text).map_err(|error| Failure::Runtime(error.to_string()))?;
        let stopwatch = Stopwatch::default();
        let start = Instant::now();
        let solution = Plan::new(&spec, None)?.execute(&stopwatch)?;
        let seconds = start.elapsed().as_secs_f64();
        let when = |last: Mutex<Option<Instant>>| {
            let unseen = || Failure::Runtime("the matrix was not factored".to_owned());
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
        if let Some(most) = most {
            limits.insert(name("seconds"), Limit::AtMost(most));
        }
    }
    Ok(Measured::Numbers { metrics, limits })
}
