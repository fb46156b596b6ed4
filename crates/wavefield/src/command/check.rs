//! `wavefield check`.

use std::path::Path;
use std::time::Duration;

use serde_json::json;
use wavefield_compute::DeviceChoice;

use crate::failure::Failure;
use crate::problem::Problem;
use crate::progress::{spoken, spoken_bytes};
use crate::solver::Planned;

pub(super) fn check(path: &Path, as_json: bool) -> Result<(), Failure> {
    let problem = Problem::read(path)?;
    let planned = Planned::new(&problem, &DeviceChoice::Auto, None)?;
    let cost = planned.cost();
    if as_json {
        println!(
            "{}",
            json!({
                "problem": problem.resolved(),
                "sha256": problem.hash(),
                "solver": problem.solver(),
                "size": cost.size,
                "memory_bytes": cost.memory,
                "seconds": cost.seconds,
                "device": planned.device().describe(),
            })
        );
        return Ok(());
    }
    print!("{}", problem.resolved());
    eprintln!();
    eprintln!("good: {}", cost.size);
    eprintln!("memory {}", spoken_bytes(cost.memory));
    eprintln!(
        "time   about {}",
        spoken(Duration::from_secs_f64(cost.seconds.clamp(1e-6, 1e9)))
    );
    eprintln!("device {}", planned.device().describe());
    Ok(())
}
