//! Conversion of a solution to an outcome: tables, figures, checks.

mod body;
mod cylinder;
mod frequencies;
mod sphere;

use wavefield_mesh::TriangleMesh;
use wavefield_numerics::worst::Worst;
use wavefield_physics::quantity::Frequency;
use wavefield_solver::Error;
use wavefield_solver::outcome::{Array, Check, Figure, FigureKind, KeyFigure, Outcome, Series};

use crate::{Plan, Scattering, Solution};

/// Returns the solution as an outcome; `mesh` is the mesh of the same body from the problem file.
///
/// # Errors
/// The body cannot be meshed for the view.
pub(crate) fn outcome(
    plan: &Plan,
    mesh: Option<&TriangleMesh>,
    solution: &Solution,
) -> Result<Outcome, Error> {
    let mut outcome = Outcome {
        accuracy: (solution.frequencies.iter())
            .map(|f| f.accuracy)
            .fold(0.0, f64::max),
        ..Outcome::default()
    };
    match &solution.scattering {
        Scattering::Sphere {
            aspects,
            matrices,
            pattern,
        } => sphere::fill(&mut outcome, solution, aspects, matrices, pattern),
        Scattering::Cylinder {
            aspects,
            amplitudes,
            currents,
        } => cylinder::fill(&mut outcome, solution, aspects, amplitudes, currents),
    }
    outcome.checks.insert(0, energy_check(solution));
    convergence_figure(&mut outcome, solution);
    let (radius, is_sphere) = plan.shown_body();
    body::show(&mut outcome, mesh, radius, is_sphere)?;
    Ok(outcome)
}

/// Energy conservation: the scattered power does not exceed the extinction.
fn energy_check(solution: &Solution) -> Check {
    let all = solution.frequencies.iter().flat_map(|f| &f.cross_sections);
    Check {
        name: "excess of scattering over extinction cross section".to_owned(),
        value: Worst::of(all.map(|c| {
            let excess = c.scattering / c.extinction - 1.0;
            if excess < 0.0 { 0.0 } else { excess }
        })),
        // Rounding error of two sums of some hundred terms.
        limit: 1e-12,
        against: "energy conservation".to_owned(),
        remedy: "report this result: it is a defect of the solver".to_owned(),
    }
}

fn convergence_figure(outcome: &mut Outcome, solution: &Solution) {
    let last = &solution.frequencies[solution.frequencies.len() - 1];
    // Below the rounding error of f64 the remainder is meaningless; the last term has none.
    let shown: Vec<f64> = last
        .convergence
        .iter()
        .copied()
        .take_while(|r| *r > 1e-17)
        .collect();
    if shown.len() < 2 {
        return;
    }
    let orders: Vec<f64> = (1..=shown.len()).map(|n| n as f64).collect();
    outcome
        .arrays
        .push(Array::real("convergence/partial_waves", orders));
    outcome
        .arrays
        .push(Array::real("convergence/remainder", shown));
    outcome.figures.push(Figure {
        title: "Convergence of the series".to_owned(),
        caption: format!(
            "Relative truncation error of the backscatter amplitude versus the number of partial waves, at {}.",
            Frequency(last.frequency)
        ),
        kind: FigureKind::Logarithmic,
        x_label: "partial waves".to_owned(),
        x_unit: String::new(),
        y_label: "remainder".to_owned(),
        y_unit: String::new(),
        series: vec![Series::new("backscatter", "convergence/partial_waves", "convergence/remainder")],
    });
}

/// Returns the key figures over the whole sweep: electrical size, number of partial waves, and
/// accuracy.
fn size_figures(solution: &Solution, accuracy: f64) -> Vec<KeyFigure> {
    let (first, last) = (
        &solution.frequencies[0],
        &solution.frequencies[solution.frequencies.len() - 1],
    );
    let ka = if solution.frequencies.len() == 1 {
        significant(first.ka)
    } else {
        format!("{} … {}", significant(first.ka), significant(last.ka))
    };
    let waves = solution
        .frequencies
        .iter()
        .map(|f| f.partial_waves)
        .max()
        .unwrap_or(0);
    vec![
        KeyFigure::new("ka", ka, ""),
        KeyFigure::new("partial waves", waves.to_string(), ""),
        KeyFigure::new("relative accuracy", power_of_ten(accuracy), ""),
    ]
}

/// Formats a number with four significant digits.
pub(crate) fn significant(value: f64) -> String {
    if value == 0.0 || !(1e-3..1e5).contains(&value.abs()) {
        return if value == 0.0 {
            "0".to_owned()
        } else {
            power_of_ten(value)
        };
    }
    let digits = (3 - value.abs().log10().floor() as i32).clamp(0, 6) as usize;
    format!("{value:.digits$}")
}

/// Formats a small or large number as 1.2·10⁻¹³.
fn power_of_ten(value: f64) -> String {
    let text = format!("{value:.1e}");
    let Some((mantissa, exponent)) = text.split_once('e') else {
        return text;
    };
    let raised: String = exponent
        .chars()
        .map(|c| match c {
            '-' => '⁻',
            '1' => '¹',
            '2' => '²',
            '3' => '³',
            '0' | '4'..='9' => char::from_u32(0x2070 + c as u32 - '0' as u32).unwrap_or(c),
            other => other,
        })
        .collect();
    format!("{mantissa}·10{raised}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_readable() {
        assert_eq!(significant(6.28754), "6.288");
        assert_eq!(significant(0.031416), "0.03142");
        assert_eq!(significant(12345.6), "12346");
        assert_eq!(power_of_ten(1.06e-13), "1.1·10⁻¹³");
        assert_eq!(significant(2.5e-9), "2.5·10⁻⁹");
        assert_eq!(power_of_ten(4e20), "4.0·10²⁰");
    }
}
