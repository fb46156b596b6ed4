//! Prints the time and memory of a conducting circle with a number of unknowns, ten per wavelength: `mlfma_rate 100000`.

use std::time::Instant;

use wavefield_mom2d::{Plan, Spec};
use wavefield_numerics::observe::{Observer, Progress};

/// Prints the time at which each stage ends.
struct Stages(Instant);

impl Observer for Stages {
    fn progress(&self, event: &Progress<'_>) {
        if event.stage == "iterations" || Some(event.done) == event.total {
            let seconds = self.0.elapsed().as_secs_f64();
            println!(
                "{seconds:8.2} s  {} {} {:?}",
                event.stage, event.done, event.residual
            );
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let unknowns: f64 = std::env::args()
        .nth(1)
        .ok_or("usage: mlfma_rate UNKNOWNS")?
        .parse()?;
    let radius = unknowns / 10.0 / (2.0 * std::f64::consts::PI);
    let spec: Spec = toml::from_str(&format!(
        r#"
        frequency = "299.792458 MHz"
        bodies = [{{ geometry = {{ shape = "circle", radius = "{radius} m" }}, material = "pec" }}]
        excitation = {{ kind = "plane-wave", phi = "180 deg", polarization = "tm" }}
        observation = {{ kind = "bistatic", phi = {{ start = "0 deg", stop = "360 deg", count = 37 }} }}
        mom2d.method = {{ kind = "nystrom", points_per_wavelength = 10.0 }}
        mom2d.linear_solver = {{ kind = "mlfma" }}
        mom2d.error_estimate = "none"
        "#
    ))?;
    let start = Instant::now();
    let plan = Plan::new(&spec, Vec::new())?;
    println!(
        "{:8.2} s  planned, {:.2} GiB",
        start.elapsed().as_secs_f64(),
        plan.memory() as f64 / 2f64.powi(30)
    );
    let solution = plan.execute(&Stages(start))?;
    let case = &solution.cases[0];
    println!(
        "{:8.2} s  {} unknowns, {:?}",
        start.elapsed().as_secs_f64(),
        case.unknowns,
        case.checks
    );
    let status = std::fs::read_to_string("/proc/self/status")?;
    println!(
        "{:?}",
        status.lines().find(|line| line.starts_with("VmHWM"))
    );
    Ok(())
}
