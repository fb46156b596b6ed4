//! `wavefield check`.

use std::path::Path;
use std::time::Duration;

use serde_json::json;
use wavefield::Error;
use wavefield::memory;
use wavefield::planned::Planned;
use wavefield::run::RunRequest;
use wavefield_gpu::DeviceChoice;
use wavefield_report::format::{format_bytes, format_duration};

use super::interrupt;
use crate::progress::Terminal;

pub(super) fn check(path: &Path, solver: Option<&str>, as_json: bool) -> Result<(), Error> {
    let (problem, count) = match RunRequest::read(path, solver)? {
        RunRequest::Problem(problem) => (*problem, 1),
        RunRequest::Sweep(variations, _) => {
            let count = variations.len();
            let first = variations.into_iter().next();
            let first =
                first.ok_or_else(|| Error::input("the sweep has no variations".to_owned()))?;
            (first.problem, count)
        }
    };
    // Meshing may take long and runs in another process; Ctrl-C must stop it.
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
                "memory_bytes": memory::predicted(cost.memory),
                "seconds": cost.seconds * count as f64,
                "variations": count,
                "device": planned.device().describe(),
            })
        );
        return memory::fits(cost.memory, cost.memory_hint);
    }
    say!("{}", problem.resolved().trim_end());
    eprintln!();
    eprintln!("valid: {}", cost.size);
    if count > 1 {
        eprintln!(
            "size and memory are of the first of {count} variations; the time is {count} times its estimate"
        );
    }
    eprintln!("memory {}", format_bytes(memory::predicted(cost.memory)));
    eprintln!(
        "time   about {}",
        format_duration(Duration::from_secs_f64(
            (cost.seconds * count as f64).clamp(1e-6, 1e9)
        ))
    );
    eprintln!("device {}", planned.device().describe());
    memory::fits(cost.memory, cost.memory_hint)
}
