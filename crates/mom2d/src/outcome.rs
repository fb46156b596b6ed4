//! Outcome of a solution: tables, figures, and checks.

mod certificate;
mod current;
pub(crate) mod near_field;

use wavefield_numerics::observe::Observer;
use wavefield_physics::direction::Direction;
use wavefield_physics::far_field::power_db;
use wavefield_solver::Error;
use wavefield_solver::outcome::aspects::{self as sweep, Quantity, incident_wave};
use wavefield_solver::outcome::{Data, KeyFigure, Outcome};
use wavefield_solver::scene::aspects::Aspect;

use crate::{Case, Plan, Polarization, Solution};

/// Converts a solution to an outcome.
///
/// # Errors
/// A field cannot be evaluated, or the run was cancelled.
pub(crate) fn outcome(
    plan: &Plan,
    solution: &Solution,
    observer: &dyn Observer,
) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();
    widths(&mut outcome, solution);
    current::add(&mut outcome, first_frequency(solution));
    near_field::add(&mut outcome, first_frequency(solution), observer)?;
    certificate::add(&mut outcome, plan, solution, observer)?;
    outcome.view.caption =
        "Section of the bodies; the arrow is the first incident wave.".to_owned();
    outcome.view.arrows = vec![incident_wave(from(&solution.cases[0], 0))];
    current::show_body(&mut outcome, &solution.cases[0]);
    Ok(outcome)
}

/// Names of a polarization in tables and labels.
struct Names {
    column: &'static str,
    width: &'static str,
    word: &'static str,
}

fn names(polarization: Polarization) -> Names {
    match polarization {
        Polarization::Tm => Names {
            column: "tm",
            width: "tm_db_m",
            word: "TM",
        },
        Polarization::Te => Names {
            column: "te",
            width: "te_db_m",
            word: "TE",
        },
    }
}

/// Returns the cases of the first frequency, whose current and field are drawn.
fn first_frequency(solution: &Solution) -> &[Case] {
    let first = solution.cases[0].frequency;
    let count = (solution.cases.iter()).take_while(|case| case.frequency == first);
    &solution.cases[..count.count()]
}

/// Returns the direction from which a wave is incident.
fn from(case: &Case, incidence: usize) -> Direction {
    Direction::new(std::f64::consts::FRAC_PI_2, case.incidences[incidence])
}

/// Adds the table and the figures of far-field amplitudes and scattering widths.
fn widths(outcome: &mut Outcome, solution: &Solution) {
    let polarizations = first_frequency(solution).len();
    let frequencies: Vec<f64> = (solution.cases.iter().step_by(polarizations))
        .map(|case| case.frequency)
        .collect();
    let aspects: Vec<Aspect> = (solution.cases.iter().step_by(polarizations))
        .enumerate()
        .flat_map(|(frequency, case)| {
            case.aspects.iter().map(move |&(incidence, phi)| Aspect {
                frequency,
                from: from(case, incidence),
                to: Direction::new(std::f64::consts::FRAC_PI_2, phi),
            })
        })
        .collect();
    let mut table = sweep::columns(&frequencies, &aspects);
    let mut decibels = Vec::new();
    for number in 0..polarizations {
        let cases = || solution.cases.iter().skip(number).step_by(polarizations);
        let Names { column, width, .. } = names(solution.cases[number].polarization);
        let amplitudes = cases().flat_map(|case| case.amplitudes.iter().copied());
        table.push((column, "", Data::Complex(amplitudes.collect())));
        let widths = cases().flat_map(Case::widths).map(power_db);
        decibels.push((width, "dB(m)", Data::Real(widths.collect())));
    }
    table.extend(decibels);
    outcome.add_table(
        "scattering_width",
        "Far-field amplitude f of u_s = √(2/πkρ) e^{−j(kρ−π/4)} f, and scattering width",
        table,
    );
    let channels: Vec<(&str, &str)> = (first_frequency(solution).iter())
        .map(|case| names(case.polarization))
        .map(|Names { word, width, .. }| (word, width))
        .collect();
    let quantity = Quantity {
        table: "scattering_width",
        name: "scattering width",
        unit: "dB(m)",
        channels: &channels,
        references: &[],
        scattered: true,
        shown: 0,
    };
    sweep::figures(outcome, &frequencies, &aspects, &quantity);
    let peak = (solution.cases.iter())
        .flat_map(Case::widths)
        .fold(0.0, f64::max);
    let unknowns = solution.cases.iter().map(|case| case.unknowns).max();
    outcome.key_figures = vec![
        KeyFigure::new("peak σ", format!("{:.2}", power_db(peak)), "dB(m)"),
        KeyFigure::new("unknowns", unknowns.unwrap_or(0).to_string(), ""),
    ];
}
