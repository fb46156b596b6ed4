//! `wavefield validate` and `wavefield bench`: cases chosen, listed or measured.

use std::path::PathBuf;

use clap::Args;
use wavefield::Error;
use wavefield_validation::measure::{Case, Kind, matching, measure_all};

/// Which cases, and what is done with them.
#[derive(Args, Debug)]
pub(super) struct Chosen {
    /// Which cases, for instance 'exact/*'; all if left out
    pattern: Option<String>,
    /// Print one JSON object per case; with --list its name, purpose, and limits
    #[arg(long)]
    json: bool,
    /// List the cases instead of running them
    #[arg(long)]
    list: bool,
    /// Keep the numbers in this JSON file, and write a page of all that are kept there beside it
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
