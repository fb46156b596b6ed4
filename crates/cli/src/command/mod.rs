//! Command-line definition: the single source for parsing, help, man pages, and completions.

#[cfg(unix)]
mod abort;
mod check;
mod compare;
mod completions;
mod convert;
mod doctor;
mod interrupt;
mod live;
mod manual;
mod measure;
mod new;
mod report;
mod run;
mod schema;
mod slurm;

use std::ffi::OsString;
use std::io::IsTerminal;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue};
use clap::{Parser, Subcommand};
use wavefield::problem::ProblemError;
use wavefield::suggest::closest;
use wavefield::{Error, ErrorClass};
use wavefield_gpu::DeviceChoice;
use wavefield_mesh::MeshUnit;
use wavefield_validation::measure::Kind;

/// Solvers for electromagnetics and acoustics.
#[derive(Debug, Parser)]
#[command(name = "wavefield", version, about, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 success; 1 a check, convergence, or validation failed; 2 invalid input; \
3 device or run-time failure; 130 interrupted."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Increase verbosity (-vv: debug).
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
    /// Print errors only.
    #[arg(short, long, global = true)]
    quiet: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write an example problem file into this folder
    New {
        /// Name of the example, for instance `exact/sphere`
        case: Option<String>,
        /// List the examples, one per line
        #[arg(long)]
        list: bool,
        /// File to write
        #[arg(short, long, default_value = "problem.toml")]
        out: PathBuf,
        /// Replace the file if it exists
        #[arg(long)]
        force: bool,
    },
    /// Validate a problem, print it with all defaults, and estimate the cost of a run
    Check {
        /// The problem file
        #[arg(default_value = "problem.toml")]
        problem: PathBuf,
        /// Solver, if the problem file is for several
        #[arg(short, long)]
        solver: Option<String>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Solve a problem; write the result folder and the report
    Run(run::Args),
    /// Reconstruct streamed near-field acoustic holography live on a local web page, until Ctrl-C
    Live(live::Args),
    /// Write Slurm scripts that run a sweep on a cluster
    Sweep(slurm::Args),
    /// Compare results with a reference
    Compare {
        /// Result folders, problem files, folders of problem files, CSV tables
        #[arg(required = true)]
        results: Vec<PathBuf>,
        /// Folder for the comparison; problems are solved into subfolders
        #[arg(short, long, default_value = "comparison")]
        out: PathBuf,
        /// Name of the reference result [default: an exact solution, else an integral equation, else the first]
        #[arg(short, long)]
        reference: Option<String>,
        /// Device to solve problems on: auto, cpu, gpu, or gpu:NAME
        #[arg(short, long, default_value = "auto")]
        device: DeviceChoice,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Regenerate report.html from a result folder
    Report {
        /// The result folder
        #[arg(default_value = "result")]
        folder: PathBuf,
        /// Also write every figure as an SVG file into the subfolder `figures`
        #[arg(long)]
        figures: bool,
    },
    /// Run the validation cases
    Validate(measure::Chosen),
    /// Run the benchmarks
    Bench(measure::Chosen),
    /// Convert a mesh, or print its properties
    Convert {
        /// The mesh: STL, OBJ, Gmsh MSH or INP
        input: PathBuf,
        /// Output file, format by extension: .stl, .obj, .vtu, .msh [default: print the report only]
        output: Option<PathBuf>,
        /// Unit of the coordinates in the file: m, cm, mm, um, in, ft; the output is in meters then
        #[arg(long, value_parser = convert::unit)]
        unit: Option<MeshUnit>,
        /// Scale factor of the coordinates
        #[arg(long, default_value_t = 1.0)]
        scale: f64,
        /// Merge points, orient normals, and fill small holes of a surface
        #[arg(long)]
        heal: bool,
        /// Replace the output if it exists
        #[arg(long)]
        force: bool,
        /// Print the report as one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Check CPU, GPU, and dependencies
    Doctor {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Print the JSON Schema of problem files
    Schema,
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write man pages
    Man {
        /// Output folder
        folder: PathBuf,
    },
}

/// Runs the command line and returns the exit code.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(mut error) => {
            suggest(&mut error);
            // A closed pipe is not a failure of this program.
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    start_log(cli.verbose);
    #[cfg(unix)]
    abort::exit_with_code();
    match catch_unwind(AssertUnwindSafe(|| dispatch(cli))) {
        Ok(Ok(())) => 0,
        Ok(Err(failure)) => {
            show(&failure);
            failure.exit_code()
        }
        // The message of the panic is printed.
        Err(_) => ErrorClass::Runtime.exit_code(),
    }
}

/// Adds the most similar command to the error of an unknown one; clap overlooks transposed letters in short names.
fn suggest(error: &mut clap::Error) {
    let Some(ContextValue::String(written)) = error.get(ContextKind::InvalidSubcommand) else {
        return;
    };
    let definition = definition();
    let commands = definition
        .get_subcommands()
        .filter(|command| !command.is_hide_set());
    if let Some(name) = closest(written, commands.map(clap::Command::get_name)) {
        let names = ContextValue::Strings(vec![name.to_owned()]);
        error.insert(ContextKind::SuggestedSubcommand, names);
    }
}

fn dispatch(cli: Cli) -> Result<(), Error> {
    match cli.command {
        Command::New {
            case,
            list,
            out,
            force,
        } => new::new(case.as_deref(), list, &out, force),
        Command::Check {
            problem,
            solver,
            json,
        } => check::check(&problem, solver.as_deref(), json),
        Command::Run(args) => run::run(&args, cli.quiet),
        Command::Live(args) => live::live(&args),
        Command::Sweep(args) => slurm::scripts(&args, cli.quiet),
        Command::Compare {
            results,
            out,
            reference,
            device,
            json,
        } => compare::compare(
            &results,
            &wavefield::compare::Comparison {
                options: wavefield::run::Options {
                    device,
                    ..Default::default()
                },
                reference,
            },
            &out,
            json,
            cli.quiet,
        ),
        Command::Report { folder, figures } => report::report(&folder, figures, cli.quiet),
        Command::Validate(chosen) => measure::measure(
            Kind::Validation,
            wavefield_validation::validate::cases()?,
            &chosen,
        ),
        Command::Bench(chosen) => {
            measure::measure(Kind::Bench, wavefield_validation::bench::cases()?, &chosen)
        }
        Command::Convert {
            input,
            output,
            unit,
            scale,
            heal,
            force,
            json,
        } => {
            let changes = convert::Changes { unit, scale, heal };
            convert::convert(&input, output.as_deref(), changes, force, json)
        }
        Command::Doctor { json } => doctor::doctor(json),
        Command::Schema => schema::schema(),
        Command::Completions { shell } => {
            completions::completions(shell);
            Ok(())
        }
        Command::Man { folder } => manual::manual(&folder),
    }
}

/// Logs go to stderr; `RUST_LOG` overrides the flags.
fn start_log(verbose: u8) {
    let level = match verbose {
        0 => "warn",
        1 => "info,wgpu=warn,naga=warn",
        _ => "debug",
    };
    let filter = tracing_subscriber::EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new(level));
    // A second call in one process, as from Python, keeps the first subscriber.
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .without_time()
        .with_target(false)
        .with_ansi(color())
        .try_init();
}

/// Returns whether stderr may be colored: it is a terminal, and NO_COLOR is not set.
fn color() -> bool {
    std::io::stderr().is_terminal()
        && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

fn show(error: &Error) {
    match error.downcast_ref::<ProblemError>() {
        Some(problem) => eprint!("{}", problem.render(color(), terminal_width())),
        None => eprintln!("wavefield: {error}"),
    }
}

fn terminal_width() -> usize {
    let columns = std::env::var("COLUMNS")
        .ok()
        .and_then(|text| text.parse().ok());
    columns.unwrap_or(100usize).clamp(40, 200)
}

/// Returns the definition of the command line, for completions and man pages.
fn definition() -> clap::Command {
    <Cli as clap::CommandFactory>::command()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_definition_is_consistent() {
        super::definition().debug_assert();
    }
}
