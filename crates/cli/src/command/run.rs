//! `wavefield run`.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::json;
use wavefield::checkpoint;
use wavefield::memory;
use wavefield::outcome::Check;
use wavefield::ranks;
use wavefield::ranks::Ranks;
use wavefield::run::{Options, RunRequest, Shard};
use wavefield::{Error, ErrorClass, display_path};
use wavefield_gpu::DeviceChoice;
use wavefield_report::format::format_duration;

use super::interrupt;
use crate::progress::Terminal;

/// Arguments of `wavefield run`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The problem file
    #[arg(default_value = "problem.toml")]
    problem: PathBuf,
    /// Solver, if the problem file is for several
    #[arg(short, long)]
    solver: Option<String>,
    /// Result folder
    #[arg(short, long, default_value = "result")]
    out: PathBuf,
    /// Device: auto, cpu, gpu, or gpu:NAME
    #[arg(short, long, default_value = "auto")]
    device: DeviceChoice,
    /// Number of CPU threads [default: all]
    #[arg(short, long)]
    threads: Option<usize>,
    /// Resume from the checkpoint of an interrupted run in the result folder
    #[arg(long)]
    resume: bool,
    /// Run one shard of the tasks of a sweep, for instance 3/16; merge the shards with --resume
    #[arg(long, conflicts_with_all = ["resume", "json"])]
    shard: Option<Shard>,
    /// Checkpoint interval in seconds [default: 30, longer on a slow disk]
    #[arg(long, value_parser = seconds)]
    checkpoint_interval: Option<Duration>,
    /// Keep the results of single tasks, so that a larger sweep with --resume reuses them
    #[arg(long)]
    keep_task_results: bool,
    /// Print the outcome as one JSON object
    #[arg(long)]
    json: bool,
}

/// Parses a duration in seconds.
fn seconds(text: &str) -> Result<Duration, String> {
    let bad = || format!("`{text}` is not a positive number of seconds");
    let seconds: f64 = text.parse().map_err(|_| bad())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| bad())
}

impl Args {
    fn options(&self, ranks: Option<Ranks>) -> Options {
        Options {
            device: self.device.clone(),
            threads: self.threads,
            resume: self.resume,
            checkpoint_interval: self.checkpoint_interval,
            keep_task_results: self.keep_task_results,
            ranks,
        }
    }
}

pub(super) fn run(args: &Args, quiet: bool) -> Result<(), Error> {
    let start = Instant::now();
    let (out, as_json) = (&args.out, args.json);
    let request = RunRequest::read(&args.problem, args.solver.as_deref())?;
    let ranks = ranks::of_this_process()?;
    let quiet = quiet || ranks.as_ref().is_some_and(|ranks| !ranks.is_first());
    let observer = Terminal::new(interrupt::switch(), quiet || as_json);
    let options = args.options(ranks);
    if let Some(shard) = args.shard {
        let done = request.run_shard(&options, &observer, out, shard);
        observer.finish();
        done?;
        if !quiet {
            eprintln!(
                "shard {}/{} done; when all are done, merge with --resume in place of --shard",
                shard.number, shard.of
            );
        }
        return Ok(());
    }
    let finished = match request.run(&options, &observer, out) {
        Ok(None) => return Ok(()),
        Ok(Some(finished)) => Ok(finished),
        Err(error) => {
            // Every rank learns of an interruption by itself, of another error by being ended.
            if let Some(ranks) = &options.ranks
                && error.class() != ErrorClass::Interrupted
            {
                super::show(&error);
                ranks.transport.end_all(error.exit_code());
            }
            Err(error)
        }
    };
    observer.finish();
    let stopped = |error: &Error| error.class() == ErrorClass::Interrupted;
    if finished.as_ref().is_err_and(stopped) && checkpoint::is_kept(out) && !quiet {
        eprintln!("checkpoint written; rerun with --resume to continue");
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
                "memory_predicted": record.memory,
                "memory_peak": memory::peak(),
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
            display_path(out),
            format_duration(Duration::from_secs_f64(seconds)),
            display_path(&out.join("report.html"))
        );
    }
    let bad: Vec<String> = record
        .checks
        .iter()
        .filter(|c| !c.passes())
        .map(Check::failure)
        .collect();
    if bad.is_empty() {
        Ok(())
    } else {
        Err(Error::not_converged(format!(
            "the run finished, but checks failed: {}",
            bad.join("; ")
        )))
    }
}
