//! What is known of the error: a table, checks, and how the solution converges.

use crate::{Case, Plan, Polarisation, Solution, Verdict};
use wavefield_numerics::observe::Observer;
use wavefield_physics::quantity::Frequency;

use super::{Names, names};
use wavefield_solver::Error;
use wavefield_solver::outcome::{
    Array, Check, Data, Figure, FigureKind, KeyFigure, Outcome, Series,
};

/// Errors of the current above this are not good.
const COARSE: f64 = 1e-2;
/// How often panels are made twice as large for the convergence.
const HALVINGS: u32 = 3;

/// Adds all of it.
pub(super) fn add(
    outcome: &mut Outcome,
    plan: &Plan,
    solution: &Solution,
    observer: &dyn Observer,
) -> Result<(), Error> {
    table(outcome, solution);
    checks(outcome, solution);
    convergence(outcome, plan, solution, observer)
}

/// The error of a case's current as far as it is known, and what it was found against.
fn error(case: &Case) -> (f64, &'static str) {
    if let Some(exact) = case.checks.exact {
        return (exact.current_max, "the exact series");
    }
    match case.checks.verdict {
        Verdict::Trusted(error) | Verdict::Coarse(error) => {
            (error, "a second solution and the field left inside")
        }
        Verdict::Resonant { .. } => (1.0, "the field left inside at a resonance"),
        Verdict::Unchecked => (f64::NAN, "nothing"),
    }
}

fn table(outcome: &mut Outcome, solution: &Solution) {
    let cases = &solution.cases;
    let column = |value: &dyn Fn(&Case) -> f64| Data::Real(cases.iter().map(value).collect());
    let known = |value: Option<f64>| value.unwrap_or(f64::NAN);
    let against = |case: &Case| case.checks.refinement.map(|r| r.deviation);
    let mut columns = vec![
        ("frequency", "Hz", column(&|c| c.frequency)),
        (
            "te",
            "",
            Data::Index(
                cases
                    .iter()
                    .map(|c| u32::from(c.polarisation == Polarisation::Te))
                    .collect(),
            ),
        ),
        (
            "unknowns",
            "",
            Data::Index(cases.iter().map(|c| c.unknowns as u32).collect()),
        ),
        ("condition", "", column(&|c| known(c.checks.condition))),
        ("field_inside", "", column(&|c| known(c.checks.extinction))),
        (
            "current_difference",
            "",
            column(&|c| known(against(c).map(|d| d.current_max))),
        ),
        (
            "amplitude_difference",
            "",
            column(&|c| known(against(c).map(|d| d.amplitude))),
        ),
    ];
    if cases.iter().any(|case| case.checks.exact.is_some()) {
        columns.push((
            "exact_current_error",
            "",
            column(&|c| known(c.checks.exact.map(|d| d.current_max))),
        ));
        columns.push((
            "exact_amplitude_error",
            "",
            column(&|c| known(c.checks.exact.map(|d| d.amplitude))),
        ));
    }
    outcome.add_table(
        "certificate",
        "What is known of the error: condition number, field left inside closed bodies over the incident one, largest difference of current and far amplitude from a second solution on other panels, and from the exact series where there is one; te is 1 for TE",
        columns,
    );
    outcome.show_table("certificate");
}

fn checks(outcome: &mut Outcome, solution: &Solution) {
    for case in &solution.cases {
        let (value, against) = error(case);
        let word = names(case.polarisation).word;
        outcome.checks.push(Check {
            name: format!(
                "{word} at {}: {}",
                Frequency(case.frequency),
                case.checks.verdict
            ),
            value,
            limit: COARSE,
            against: against.to_owned(),
        });
    }
    let worst = solution
        .cases
        .iter()
        .map(|case| error(case).0)
        .fold(0.0, |worst: f64, error| {
            if error > worst || error.is_nan() {
                error
            } else {
                worst
            }
        });
    outcome.accuracy = worst;
    outcome.key_figures.push(KeyFigure::new(
        "error of the current",
        format!("{worst:.1e}"),
        "of the largest",
    ));
    let first = &solution.cases[0];
    outcome.summary = format!(
        "{} unknowns at {}; {}.",
        first.unknowns,
        Frequency(first.frequency),
        first.checks.verdict
    );
}

/// The differences between solutions with ever larger panels, at the first frequency.
fn convergence(
    outcome: &mut Outcome,
    plan: &Plan,
    solution: &Solution,
    observer: &dyn Observer,
) -> Result<(), Error> {
    let mut series = Vec::new();
    for case in super::shown(solution) {
        let Names {
            column: name, word, ..
        } = names(case.polarisation);
        let mut rungs: Vec<[f64; 3]> = Vec::new();
        for halvings in (1..=HALVINGS).rev() {
            if let Some(rung) = plan.coarser(case, halvings, observer)? {
                let exact = rung.exact.map_or(f64::NAN, |exact| exact.current_max);
                rungs.push([rung.unknowns as f64, rung.deviation.current_max, exact]);
            }
        }
        if rungs.len() < 2 {
            continue;
        }
        let exact = case
            .checks
            .exact
            .map_or(f64::NAN, |exact| exact.current_max);
        rungs.push([case.unknowns as f64, f64::NAN, exact]);
        let array = |column: &str| format!("convergence/{name}_{column}");
        for (number, column) in ["unknowns", "difference", "exact"].into_iter().enumerate() {
            let values = rungs.iter().map(|rung| rung[number]).collect();
            outcome.arrays.push(Array::real(array(column), values));
        }
        series.push(Series::new(
            &format!("{word}, from the finest"),
            &array("unknowns"),
            &array("difference"),
        ));
        if exact.is_finite() {
            series.push(Series {
                reference: true,
                ..Series::new(
                    &format!("{word}, from the exact series"),
                    &array("unknowns"),
                    &array("exact"),
                )
            });
        }
    }
    if series.is_empty() {
        return Ok(());
    }
    outcome.figures.push(Figure {
        title: "Convergence".to_owned(),
        caption: format!(
            "Largest difference of the current, over the largest current, with fewer and larger panels, at {}.",
            Frequency(solution.cases[0].frequency)
        ),
        kind: FigureKind::Logarithmic,
        x_label: "unknowns".to_owned(),
        x_unit: String::new(),
        y_label: "difference".to_owned(),
        y_unit: String::new(),
        series,
    });
    Ok(())
}
