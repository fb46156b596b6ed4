//! Conducting spheres by integral equations on their surface, products through a grid.
//!
//! The Austin suite reports for 5.1 wavelengths at about 0.1 dB: 191 s and 0.25 GB by its adaptive integral method, 2430 s
//! and 2.0 GB by the dense matrix; for 20.5 wavelengths an hour of a processor and 6.9 GB.

use std::time::Instant;

use wavefield_compute::observe::Silent;
use wavefield_mom::surface::{Plan, Spec};
use wavefield_physics::constants::SPEED_OF_LIGHT;

use super::mom::slope;
use crate::failure::Failure;
use crate::measure::{Limit, Measured, held_to};
use crate::memory;
use crate::validate::mean_error_of_sphere;

/// Longest edge in wavelengths.
const EDGE: f64 = 0.15;

pub(super) fn spheres() -> Result<Measured, Failure> {
    let sizes = [(2.6, "d2p6"), (5.1, "d5"), (10.0, "d10"), (20.5, "d20p5")];
    // The suite's adaptive integral method.
    spheres_of(
        &sizes,
        &[
            ("seconds_d5", Limit::AtMost(191.0)),
            ("error_db_d5", Limit::AtMost(0.1)),
        ],
    )
}

pub(super) fn spheres_short() -> Result<Measured, Failure> {
    spheres_of(&[(1.0, "d1"), (1.6, "d1p6")], &[])
}

fn spheres_of(sizes: &[(f64, &str)], limits: &[(&str, Limit)]) -> Result<Measured, Failure> {
    let mut metrics = Vec::new();
    let mut logs = Vec::new();
    for &(diameter, name) in sizes {
        let spec: Spec = toml::from_str(&format!(
            r#"
            frequency = "{SPEED_OF_LIGHT:e} Hz"
            target = {{ shape = "sphere", radius = "{:e} m" }}
            incidence = {{ phi = "0 deg" }}
            observation = {{ kind = "bistatic", phi = {{ start = "0 deg", stop = "360 deg", step = "0.5 deg" }} }}
            edge = "{EDGE} lambda"
            linear_solver = {{ kind = "fft", accuracy = 1e-3, tolerance = 1e-3 }}
            "#,
            0.5 * diameter
        ))
        .map_err(|error| Failure::Runtime(error.to_string()))?;
        let start = Instant::now();
        let plan = Plan::new(&spec, None)?;
        let foreseen = memory::foreseen(plan.memory());
        let solution = plan.execute(&Silent)?;
        let seconds = start.elapsed().as_secs_f64();
        let gibibytes = |bytes: usize| bytes as f64 / f64::from(1 << 30);
        let mut push = |what: &str, value: f64| metrics.push((format!("{what}_{name}"), value));
        push("seconds", seconds);
        // Of the whole process: sizes rise.
        push("gib", memory::peak().map_or(f64::NAN, gibibytes));
        push("gib_foreseen", gibibytes(foreseen));
        push("unknowns", solution.unknowns as f64);
        let iterated = solution.checks[0].iterated;
        push(
            "iterations",
            iterated.map_or(f64::NAN, |(count, _)| count as f64),
        );
        push("error_db", mean_error_of_sphere(diameter, &solution)?);
        logs.push([(solution.unknowns as f64).ln(), seconds.ln()]);
    }
    metrics.push(("exponent".to_owned(), slope(&logs)));
    let metrics: Vec<(&str, f64)> = metrics.iter().map(|(n, v)| (n.as_str(), *v)).collect();
    Ok(held_to(&metrics, limits))
}
