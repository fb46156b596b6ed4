//! `wavefield sweep --slurm`: job scripts for Slurm.

use std::path::{Path, PathBuf};

use wavefield::result::write_file;
use wavefield::run::RunRequest;
use wavefield::{Error, display_path};

/// Arguments of `wavefield sweep`.
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
    /// Write a Slurm script that divides the tasks among this many array jobs, and one that merges their results
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    slurm: u32,
    /// CPUs per job
    #[arg(long, default_value_t = 4)]
    cpus: u32,
    /// Time limit of a job, in Slurm's format
    #[arg(long, default_value = "12:00:00")]
    time: String,
}

/// Quotes a word for the shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Returns the scripts of the job array and of the merging job.
fn text(args: &Args) -> [String; 2] {
    let path = |path: &Path| quoted(&path.display().to_string());
    let (problem, out) = (path(&args.problem), path(&args.out));
    let Args {
        slurm, cpus, time, ..
    } = args;
    let head = |name: &str| {
        format!(
            "#!/bin/sh\n#SBATCH --job-name={name}\n#SBATCH --cpus-per-task={cpus}\n#SBATCH --time={time}\n# Finished tasks are saved; a requeued job resumes from its checkpoint.\n#SBATCH --requeue\n#SBATCH --signal=TERM@60\n"
        )
    };
    let solver = match &args.solver {
        Some(solver) => format!(" --solver {}", quoted(solver)),
        None => String::new(),
    };
    let run = format!(
        "exec wavefield run {problem}{solver} --out {out} --threads \"$SLURM_CPUS_PER_TASK\""
    );
    [
        format!(
            "{}#SBATCH --array=1-{slurm}\n\n{run} --shard \"$SLURM_ARRAY_TASK_ID/{slurm}\"\n",
            head("wavefield-sweep")
        ),
        format!("{}\n{run} --resume\n", head("wavefield-gather")),
    ]
}

pub(super) fn scripts(args: &Args, quiet: bool) -> Result<(), Error> {
    // An invalid problem is reported here, before any job is submitted.
    RunRequest::read(&args.problem, args.solver.as_deref())?.has_tasks()?;
    if args
        .time
        .contains(|c: char| c.is_control() || c.is_whitespace())
    {
        return Err(Error::input(format!(
            "invalid Slurm time limit `{}`; use for instance 12:00:00",
            args.time
        )));
    }
    let folder = args.problem.parent().unwrap_or(Path::new(""));
    let paths = ["sweep.slurm", "gather.slurm"].map(|name| folder.join(name));
    for (path, text) in paths.iter().zip(text(args)) {
        write_file(path, text.as_bytes())?;
    }
    if !quiet {
        let [sweep, gather] = paths.map(|path| quoted(&display_path(&path)));
        eprintln!("submit both scripts; the second depends on the first:");
        eprintln!("  sbatch --dependency=afterok:$(sbatch --parsable {sweep}) {gather}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scripts_divide_and_gather() {
        let args = Args {
            solver: None,
            problem: "it's a problem.toml".into(),
            out: "result".into(),
            slurm: 16,
            cpus: 8,
            time: "1:00:00".to_owned(),
        };
        let [sweep, gather] = text(&args);
        assert!(sweep.contains("#SBATCH --array=1-16\n"), "{sweep}");
        assert!(
            sweep.contains("--shard \"$SLURM_ARRAY_TASK_ID/16\""),
            "{sweep}"
        );
        assert!(sweep.contains(r"'it'\''s a problem.toml'"), "{sweep}");
        assert!(gather.contains("--resume") && !gather.contains("--array"));
    }
}
