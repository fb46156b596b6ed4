//! `wavefield validate` and `wavefield bench`: selects, lists, or runs cases.

use std::path::PathBuf;

use wavefield::Error;
use wavefield_validation::measure::{Case, Kind, matching, measure_all};

/// Selection of cases, and output options.
#[derive(clap::Args, Debug)]
pub(super) struct Chosen {
    /// Pattern of case names, for instance 'exact/*' [default: all]
    pattern: Option<String>,
    /// Print one JSON object per case; with --list its name, description, and limits
    #[arg(long)]
    json: bool,
    /// List the cases instead of running them
    #[arg(long)]
    list: bool,
    /// Record the metrics in this JSON file, and regenerate the page beside it
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

pub(super) fn measure(kind: Kind, cases: Vec<Case>, args: &Chosen) -> Result<(), Error> {
    let chosen = matching(&cases, args.pattern.as_deref())?;
    if args.list {
        for case in chosen {
            if args.json {
                say!("{}", case.json());
            } else {
                say!("{:<32} {}", case.name, case.about);
            }
        }
        return Ok(());
    }
    measure_all(kind, &chosen, args.record.as_deref(), |line| {
        if args.json {
            say!("{}", line.json());
        } else {
            say!("{}", line.text().trim_end());
        }
    })
}
