//! Error estimates in the outcome: table, checks, and convergence.

use crate::{Case, Plan, Polarization, Solution, Verdict};
use wavefield_numerics::observe::Observer;
use wavefield_physics::quantity::Frequency;

use super::{Names, names};
use wavefield_solver::Error;
use wavefield_solver::outcome::{
    Array, Check, Data, Figure, FigureKind, KeyFigure, Outcome, Series,
};

/// Limit of the relative error of the current.
const COARSE: f64 = 1e-2;
/// Number of times that panels are doubled in length for the convergence study.
const HALVINGS: u32 = 3;

/// Adds the table of error estimates, the checks, and the convergence study.
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

/// Returns the error estimate of a case's current, and its reference.
fn error(case: &Case) -> (f64, &'static str) {
    if let Some(exact) = case.checks.exact {
        return (exact.current_max, "the exact series");
    }
    match case.checks.verdict {
        Verdict::Trusted(error) | Verdict::Coarse(error) => {
            (error, "a second solution and the extinction error")
        }
        Verdict::Resonant { .. } => (1.0, "the extinction error at an interior resonance"),
        Verdict::Unchecked => (f64::NAN, "no reference"),
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
                    .map(|c| u32::from(c.polarization == Polarization::Te))
                    .collect(),
            ),
        ),
        (
            "unknowns",
            "",
            Data::Index(cases.iter().map(|c| c.unknowns as u32).collect()),
        ),
        ("condition", "", column(&|c| known(c.checks.condition))),
        (
            "extinction_error",
            "",
            column(&|c| known(c.checks.extinction)),
        ),
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
        "error_estimates",
        "Error estimates: condition number, extinction error (largest field inside closed bodies over the incident one), maximum difference of the current and of the far-field amplitude from a second solution on other panels, and from the exact series of a single circle; te is 1 for TE",
        columns,
    );
    outcome.show_table("error_estimates");
}

fn checks(outcome: &mut Outcome, solution: &Solution) {
    for case in &solution.cases {
        let (value, against) = error(case);
        let word = names(case.polarization).word;
        outcome.checks.push(Check {
            name: format!(
                "{word} at {}: {}",
                Frequency(case.frequency),
                case.checks.verdict
            ),
            value,
            limit: COARSE,
            against: against.to_owned(),
            remedy:
                "increase `points_per_wavelength` or `grading` of `mom2d.method`, or use the CFIE"
                    .to_owned(),
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
        "of the maximum",
    ));
    let first = &solution.cases[0];
    outcome.summary = format!(
        "{} unknowns at {}; {}.",
        first.unknowns,
        Frequency(first.frequency),
        first.checks.verdict
    );
}

/// Adds the differences of solutions on ever longer panels, at the first frequency.
fn convergence(
    outcome: &mut Outcome,
    plan: &Plan,
    solution: &Solution,
    observer: &dyn Observer,
) -> Result<(), Error> {
    let mut series = Vec::new();
    for case in super::first_frequency(solution) {
        let Names {
            column: name, word, ..
        } = names(case.polarization);
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
            &format!("{word}, relative to the finest solution"),
            &array("unknowns"),
            &array("difference"),
        ));
        if exact.is_finite() {
            series.push(Series {
                reference: true,
                ..Series::new(
                    &format!("{word}, relative to the exact series"),
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
            "Maximum error of the current, over the maximum current, with fewer and longer panels, at {}.",
            Frequency(solution.cases[0].frequency)
        ),
        kind: FigureKind::Logarithmic,
        x_label: "unknowns".to_owned(),
        x_unit: String::new(),
        y_label: "relative difference".to_owned(),
        y_unit: String::new(),
        series,
    });
    Ok(())
}
