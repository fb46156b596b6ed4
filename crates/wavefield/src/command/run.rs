//! `wavefield run`.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use super::interrupt;
use crate::checkpoint;
use crate::failure::{Failure, shown};
use crate::problem::Problem;
use crate::progress::{Terminal, spoken};
use crate::run::{Options, run_to_folder};

pub(super) fn run(
    path: &Path,
    out: &Path,
    options: &Options,
    as_json: bool,
    quiet: bool,
) -> Result<(), Failure> {
    let start = Instant::now();
    let problem = Problem::read(path)?;
    let observer = Terminal::new(interrupt::switch(), quiet || as_json);
    let finished = run_to_folder(&problem, options, &observer, out);
    observer.finish();
    if matches!(finished, Err(Failure::Interrupted)) && checkpoint::is_kept(out) && !quiet {
        eprintln!("what was finished is kept: the same command with --resume goes on from there");
    }
    let (record, _) = finished?;
    let seconds = start.elapsed().as_secs_f64();
    if as_json {
        say!(
            "{}",
            json!({
                "folder": out.display().to_string(),
                "title": record.title,
                "sha256": record.problem_sha256,
                "accuracy": record.accuracy,
                "device": record.device,
                "seconds": seconds,
                "checks": record.checks,
            })
        );
    } else if !quiet {
        eprintln!("{}", record.title);
        let labels = record.key_figures.iter().map(|f| f.label.chars().count());
        let width = labels.max().unwrap_or(0);
        for figure in &record.key_figures {
            let value = format!("{} {}", figure.value, figure.unit);
            eprintln!("  {:<width$}  {}", figure.label, value.trim_end());
        }
        eprintln!(
            "{} in {}; see {}",
            shown(out),
            spoken(Duration::from_secs_f64(seconds)),
            shown(&out.join("report.html"))
        );
    }
    let bad: Vec<String> = record
        .checks
        .iter()
        .filter(|c| !c.passes())
        .map(|c| format!("{}: {:.3e}, at most {:.3e}", c.name, c.value, c.limit))
        .collect();
    if bad.is_empty() {
        Ok(())
    } else {
        Err(Failure::NotGood(format!(
            "the run finished, but a check failed: {}",
            bad.join("; ")
        )))
    }
}
