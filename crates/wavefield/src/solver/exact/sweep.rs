//! Tables and figures over the directions and frequencies of a sweep.

use wavefield_exact::{Aspect, Solution};
use wavefield_physics::quantity::Frequency;

use super::curve;
use crate::outcome::{Data, Figure, FigureKind, Outcome, Series};

/// Frequency and angles of every aspect, the head of every table.
pub(super) fn columns(
    solution: &Solution,
    aspects: &[Aspect],
) -> Vec<(&'static str, &'static str, Data)> {
    let column = |value: &dyn Fn(&Aspect) -> f64| Data::Real(aspects.iter().map(value).collect());
    vec![
        (
            "frequency",
            "Hz",
            column(&|a| solution.frequencies[a.frequency].frequency),
        ),
        ("theta_i", "deg", column(&|a| tidy(a.from.theta))),
        ("phi_i", "deg", column(&|a| tidy(a.from.phi))),
        ("theta", "deg", column(&|a| tidy(a.to.theta))),
        ("phi", "deg", column(&|a| tidy(a.to.phi))),
    ]
}

/// Adds the table of what belongs to each frequency.
pub(super) fn frequency_table(
    outcome: &mut Outcome,
    solution: &Solution,
    kinds: &[(&'static str, &'static str)],
    unit: &'static str,
) {
    let column = |value: &dyn Fn(&wavefield_exact::AtFrequency) -> f64| {
        Data::Real(solution.frequencies.iter().map(value).collect())
    };
    let mut columns = vec![
        ("frequency", "Hz", column(&|f| f.frequency)),
        ("ka", "", column(&|f| f.ka)),
        ("partial_waves", "", column(&|f| f.partial_waves as f64)),
    ];
    for (index, (extinction, scattering)) in kinds.iter().enumerate() {
        columns.push((
            extinction,
            unit,
            column(&|f| f.cross_sections[index].extinction),
        ));
        columns.push((
            scattering,
            unit,
            column(&|f| f.cross_sections[index].scattering),
        ));
    }
    outcome.add_table(
        "frequencies",
        "Power taken out of the wave and power scattered, and size of the series, at each frequency",
        columns,
    );
}

/// Degrees without the last digits that the way through radians has left.
fn tidy(radians: f64) -> f64 {
    (radians.to_degrees() * 1e9).round() / 1e9
}

/// What a table of cross sections is called and shown in.
pub(super) struct Quantity {
    pub(super) table: &'static str,
    pub(super) name: &'static str,
    pub(super) unit: &'static str,
    /// Name in the legend and column of each channel.
    pub(super) channels: [(&'static str, &'static str); 2],
}

/// σ over the angle or frequency that is swept, and as a polar diagram where it goes round.
pub(super) fn figures(
    outcome: &mut Outcome,
    solution: &Solution,
    aspects: &[Aspect],
    quantity: &Quantity,
) {
    let per_frequency = aspects.len() / solution.frequencies.len();
    let first = &aspects[..per_frequency];
    let varies =
        |value: &dyn Fn(&Aspect) -> f64| first.iter().any(|a| value(a) != value(&first[0]));
    let (column, label) = if varies(&|a| a.to.phi) {
        ("phi", "φ")
    } else if varies(&|a| a.to.theta) {
        ("theta", "θ")
    } else if solution.frequencies.len() > 1 {
        ("frequency", "frequency")
    } else {
        return;
    };
    let over_frequency = column == "frequency";
    let abscissa = |a: &Aspect| {
        if column == "theta" {
            a.to.theta
        } else {
            a.to.phi
        }
    };
    // A cut: the leading run over which the abscissa goes one way, so that a grid draws no zigzag.
    let rises = first.len() > 1 && abscissa(&first[1]) > abscissa(&first[0]);
    let run = 1 + first
        .windows(2)
        .take_while(|w| {
            let step = abscissa(&w[1]) - abscissa(&w[0]);
            if rises { step > 0.0 } else { step < 0.0 }
        })
        .count();
    let part = (!over_frequency && run < aspects.len()).then_some((0, run));
    let monostatic = first.iter().all(|a| a.from == a.to);
    let kind_word = if monostatic { "Monostatic" } else { "Bistatic" };
    let at = if over_frequency {
        String::new()
    } else {
        format!(" at {}", Frequency(solution.frequencies[0].frequency))
    };
    let source = if monostatic && !over_frequency {
        "seen from where the wave comes from".to_owned()
    } else {
        format!(
            "the wave comes from θ = {}°, φ = {}°",
            tidy(first[0].from.theta),
            tidy(first[0].from.phi)
        )
    };
    let curves: Vec<Series> = quantity
        .channels
        .iter()
        .map(|(name, y)| Series {
            part,
            ..curve(
                name,
                &format!("{}/{column}", quantity.table),
                &format!("{}/{y}", quantity.table),
            )
        })
        .collect();
    let figure = |title: String, caption: String, kind: FigureKind| Figure {
        title,
        caption,
        kind,
        x_label: label.to_owned(),
        x_unit: if over_frequency { "Hz" } else { "deg" }.to_owned(),
        y_label: "σ".to_owned(),
        y_unit: quantity.unit.to_owned(),
        series: curves.clone(),
    };
    outcome.figures.push(figure(
        format!("{kind_word} {}", quantity.name),
        format!("σ over {label}{at}; {source}."),
        FigureKind::Cartesian,
    ));
    let span = (abscissa(&first[run - 1]) - abscissa(&first[0])).abs();
    if !over_frequency && span > 0.99 * std::f64::consts::PI {
        outcome.figures.push(figure(
            format!("{kind_word} {}, polar", quantity.name),
            format!("The same cut{at} around the body."),
            FigureKind::Polar,
        ));
    }
}
