//! `wavefield check`.

use std::path::Path;

use wavefield::Error;
use wavefield::planned::Planned;
use wavefield::run::RunRequest;
use wavefield::solver::assessment::{Assessment, Verdict};
use wavefield_gpu::DeviceChoice;

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
    let observer = Terminal::new(interrupt::switch_with_exit(), true);
    let planned = Planned::new(&problem, &DeviceChoice::Auto, None, &observer)?;
    let assessments = planned.assess(count);
    if as_json {
        say!("{}", planned.summary(&problem, count, &assessments));
    } else {
        say!("{}", problem.resolved().trim_end());
        eprintln!();
        eprintln!("size    {}", planned.cost().size);
        eprintln!("device  {}", planned.device().describe());
        if count > 1 {
            eprintln!("of the first of {count} variations; the time is {count} times its estimate");
        }
        eprint!("{}", table(&assessments));
    }
    conclusion(&assessments, as_json)
}

/// Formats assessments, one per line, and the remedies below the quantities they concern.
fn table(assessments: &[Assessment]) -> String {
    let mut text = String::new();
    for assessment in assessments {
        text += &format!(
            "{:<8}{:<20}{}\n",
            assessment.verdict.name(),
            assessment.quantity,
            assessment.value
        );
        if !assessment.remedy.is_empty() {
            text += &format!("{:8}→ {}\n", "", assessment.remedy);
        }
    }
    text
}

/// States the number of errors and warnings; errors are those of invalid input.
fn conclusion(assessments: &[Assessment], as_json: bool) -> Result<(), Error> {
    let count = |verdict| assessments.iter().filter(|a| a.verdict == verdict).count();
    let plural = |count: usize, noun: &str| match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    };
    let warnings = count(Verdict::Warning);
    match count(Verdict::Error) {
        0 if as_json => Ok(()),
        0 if warnings == 0 => {
            eprintln!("good");
            Ok(())
        }
        0 => {
            eprintln!("{}", plural(warnings, "warning"));
            Ok(())
        }
        errors => Err(Error::input(format!(
            "{} and {}; a run is refused",
            plural(errors, "error"),
            plural(warnings, "warning")
        ))),
    }
}
