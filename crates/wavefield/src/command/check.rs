//! `wavefield check`.

use std::path::Path;
use std::time::Duration;

use serde_json::json;
use wavefield_compute::DeviceChoice;

use super::interrupt;
use crate::failure::Failure;
use crate::problem::Problem;
use crate::progress::{Terminal, spoken, spoken_bytes};
use crate::solver::Planned;

pub(super) fn check(path: &Path, as_json: bool) -> Result<(), Failure> {
    let problem = Problem::read(path)?;
    // Meshing may take long, and goes on in another process.
    let observer = Terminal::new(interrupt::switch(), true);
    let planned = Planned::new(&problem, &DeviceChoice::Auto, None, &observer)?;
    let cost = planned.cost();
    if as_json {
        say!(
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
    say!("{}", problem.resolved().trim_end());
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
