//! Figures of a comparison: overlaid curves, and differences from the reference along the cut.

use wavefield_physics::quantity::Frequency;

use super::TABLE;
use super::candidate::Candidate;
use super::rows::{Rows, format_label};
use crate::outcome::{Column, Figure, FigureKind, Outcome, Series};

/// Adds both figures of every quantity along the first cut.
pub(super) fn add(outcome: &mut Outcome, candidates: &[Candidate], reference: usize, rows: &Rows) {
    let Some(x) = rows.keys.last() else {
        return;
    };
    let cut = rows.first_cut();
    if cut < 2 {
        return;
    }
    let place = place(rows, cut);
    for (quantity, values) in rows.quantities.iter().zip(&rows.values) {
        let curve = |number: usize, column: String| Series {
            part: Some((0, cut)),
            reference: number == reference,
            ..Series::new(
                &candidates[number].label,
                &format!("{TABLE}/{}", x.name),
                &format!("{TABLE}/{column}"),
            )
        };
        // The reference comes last, so that a result has the same color in both figures.
        let others = (0..candidates.len()).filter(|&number| number != reference);
        let there =
            || (others.clone().chain([reference])).filter(|&number| values[number].is_some());
        let compared =
            |number: &usize| *number != reference && rows.noise_of(*number, quantity).is_none();
        let name = format_label(&quantity.name);
        let figure = |title: String, caption: String, y_label: &str, unit: &str, series| Figure {
            title,
            caption,
            kind: FigureKind::Cartesian,
            x_label: symbol(&x.name).to_owned(),
            x_unit: x.unit.clone(),
            y_label: y_label.to_owned(),
            y_unit: unit.to_owned(),
            series,
        };
        let curves = there().map(|number| {
            curve(
                number,
                format!("{}_{}", candidates[number].name, quantity.name),
            )
        });
        outcome.figures.push(figure(
            format!("{name}: all results"),
            format!("Dashed: reference{place}."),
            &name,
            &quantity.unit,
            curves.collect(),
        ));
        let differences = there().filter(compared).map(|number| {
            let name = &candidates[number].name;
            curve(number, format!("{name}_{}_difference", quantity.name))
        });
        let differences: Vec<Series> = differences.collect();
        if !differences.is_empty() {
            outcome.figures.push(figure(
                format!("{name}: difference from {}", candidates[reference].label),
                format!("Difference from the reference{place}."),
                "difference",
                "dB",
                differences,
            ));
        }
    }
}

/// Describes what is constant along the first cut. A monostatic sweep has no direction of incidence of its own.
fn place(rows: &Rows, cut: usize) -> String {
    let monostatic = rows.is_monostatic();
    let constant = (rows.keys.iter().zip(&rows.coordinates))
        .filter(|(key, _)| !(monostatic && key.name.ends_with("_i")))
        .filter(|(_, values)| values[..cut].iter().all(|value| *value == values[0]))
        .map(|(key, values)| format!("; {}", said(key, values[0])));
    let kind = monostatic.then(|| "; monostatic".to_owned());
    kind.into_iter().chain(constant).collect()
}

/// Returns the symbol of a coordinate.
pub(super) fn symbol(name: &str) -> &str {
    match name {
        "theta" => "θ",
        "phi" => "φ",
        "theta_i" => "incidence θ",
        "phi_i" => "incidence φ",
        other => other,
    }
}

/// Formats a coordinate with symbol, value, and unit.
pub(super) fn said(key: &Column, value: f64) -> String {
    format!("{} = {}", symbol(&key.name), with_unit(key, value))
}

/// Formats a value with its unit.
pub(super) fn with_unit(key: &Column, value: f64) -> String {
    match key.unit.as_str() {
        "deg" => format!("{value}°"),
        "Hz" => Frequency(value).to_string(),
        unit => format!("{value} {unit}"),
    }
}
