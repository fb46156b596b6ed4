//! `wavefield run`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::json;
use wavefield::checkpoint;
use wavefield::memory;
use wavefield::outcome::Check;
use wavefield::ranks;
use wavefield::ranks::Ranks;
use wavefield::run::{Execution, Options, RunRequest, Shard, WorkerCommand};
use wavefield::this_program::this_program;
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
    /// Number of worker processes for the tasks of a sweep; they share the threads
    #[arg(short, long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    workers: u16,
    /// Run one shard of the tasks of a sweep, for instance 3/16; merge the shards with --resume
    #[arg(long, conflicts_with_all = ["workers", "resume", "json"])]
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
    fn options(&self, ranks: Option<Ranks>) -> Result<Options, Error> {
        let workers = usize::from(self.workers);
        Ok(Options {
            device: self.device.clone(),
            threads: self.threads,
            resume: self.resume,
            checkpoint_interval: self.checkpoint_interval,
            keep_task_results: self.keep_task_results,
            execution: if workers == 1 {
                Execution::Threads
            } else {
                Execution::Workers {
                    count: workers,
                    command: self.worker(workers)?,
                }
            },
            ranks,
        })
    }

    /// Returns the command that starts a worker: this program with the subcommand `worker`.
    fn worker(&self, workers: usize) -> Result<WorkerCommand, Error> {
        let machine = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = (self.threads.unwrap_or(machine) / workers).max(1);
        let mut arguments: Vec<OsString> = vec!["worker".into(), self.problem.clone().into()];
        arguments.extend(["--out".into(), self.out.clone().into()]);
        if let Some(solver) = &self.solver {
            arguments.extend(["--solver".into(), solver.into()]);
        }
        for (name, value) in [
            ("--device", self.device.to_string()),
            ("--threads", threads.to_string()),
        ] {
            arguments.extend([name.into(), value.into()]);
        }
        Ok(WorkerCommand {
            program: this_program()?,
            arguments,
        })
    }
}

pub(super) fn run(args: &Args, quiet: bool) -> Result<(), Error> {
    let start = Instant::now();
    let (out, as_json) = (&args.out, args.json);
    let request = RunRequest::read(&args.problem, args.solver.as_deref())?;
    let ranks = ranks::of_this_process()?;
    let quiet = quiet || ranks.as_ref().is_some_and(|ranks| !ranks.is_first());
    let observer = Terminal::new(interrupt::switch(), quiet || as_json);
    let options = args.options(ranks)?;
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
