//! `wavefield compare`.

use std::path::{Path, PathBuf};

use serde_json::json;
use wavefield::compare::{Comparison, compare_to_folder, written_db};
use wavefield::{Error, display_path};

use super::interrupt;
use crate::progress::Terminal;

pub(super) fn compare(
    paths: &[PathBuf],
    comparison: &Comparison,
    out: &Path,
    as_json: bool,
    quiet: bool,
) -> Result<(), Error> {
    let observer = Terminal::new(interrupt::switch(), quiet || as_json);
    let finished = compare_to_folder(paths, comparison, &observer, out);
    observer.finish();
    let (record, verdicts) = finished?;
    if as_json {
        say!(
            "{}",
            json!({ "folder": out.display().to_string(), "title": record.title, "results": verdicts })
        );
    } else if !quiet {
        eprintln!("{}", record.summary);
        for verdict in &verdicts {
            let found = &verdict.agreement;
            eprintln!(
                "  {:<16} {:<10} {:>7} dB mean, {:>6} dB within 20 dB of the peak, {:3.0} % of {} rows within 1 dB",
                verdict.name,
                verdict.quantity,
                written_db(found.mean_db),
                written_db(found.mean_20db),
                100.0 * found.within_one_db,
                found.rows
            );
        }
        eprintln!("see {}", display_path(&out.join("report.html")));
    }
    Ok(())
}
