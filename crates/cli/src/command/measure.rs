//! `wavefield validate` and `wavefield bench`: selects, lists, or runs cases.

use std::path::PathBuf;

use clap::Args;
use wavefield::Error;
use wavefield_validation::measure::{Case, Kind, matching, measure_all};

/// Selection of cases, and output options.
#[derive(Args, Debug)]
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

pub(super) fn measure(kind: Kind, cases: Vec<Case>, asked: &Chosen) -> Result<(), Error> {
    let chosen = matching(&cases, asked.pattern.as_deref())?;
    if asked.list {
        for case in chosen {
            if asked.json {
                say!("{}", case.json());
            } else {
                say!("{:<32} {}", case.name, case.about);
            }
        }
        return Ok(());
    }
    measure_all(kind, &chosen, asked.record.as_deref(), |line| {
        if asked.json {
            say!("{}", line.json());
        } else {
            say!("{}", line.text().trim_end());
        }
    })
}
