//! Figures of a comparison: overlaid curves, and differences from the reference along the cut.

use wavefield_physics::quantity::Frequency;

use super::TABLE;
use super::candidate::Candidate;
use super::rows::{Rows, format_label};
use crate::outcome::{Column, Figure, FigureKind, Outcome, Series};

/// Adds both figures of every quantity along the first cut.
pub(super) fn add(outcome: &mut Outcome, candidates: &[Candidate], reference: usize, rows: &Rows) {
    let Some((x, fixed)) = rows.keys.split_last() else {
        return;
    };
    let cut = rows.first_cut();
    if cut < 2 {
        return;
    }
    let place: String = (fixed.iter().zip(&rows.coordinates))
        .map(|(key, values)| format!("; {}", said(key, values[0])))
        .collect();
    for (quantity, values) in rows.quantities.iter().zip(&rows.values) {
        let curve = |number: usize, column: String| Series {
            part: Some((0, cut)),
            reference: number == reference,
            ..Series::new(
                &candidates[number].name,
                &format!("{TABLE}/{}", x.name),
                &format!("{TABLE}/{column}"),
            )
        };
        // The reference comes last, so that a result has the same color in both figures.
        let others = (0..candidates.len()).filter(|&number| number != reference);
        let there =
            || (others.clone().chain([reference])).filter(|&number| values[number].is_some());
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
        let differences = there().filter(|&number| number != reference).map(|number| {
            let name = &candidates[number].name;
            curve(number, format!("{name}_{}_difference", quantity.name))
        });
        outcome.figures.push(figure(
            format!("{name}: difference from {}", candidates[reference].name),
            format!("Difference from the reference{place}."),
            "difference",
            "dB",
            differences.collect(),
        ));
    }
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
