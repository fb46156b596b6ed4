//! Maps of the near field around the bodies.

use crate::{Case, Polarization};
use wavefield_numerics::observe::Observer;
use wavefield_physics::quantity::Frequency;

use super::{Names, names};
use wavefield_solver::Error;
use wavefield_solver::outcome::{
    Array, ColorMap, ColorScale, Figure, FigureKind, Map, Outcome, Series,
};

/// Maximum and minimum number of pixels along a side of a map.
const SIDE: (usize, usize) = (200, 60);
/// Maximum number of pixels times unknowns of a map.
const MAX_TERMS: usize = 20_000_000;
/// Width of the map over that of the bodies.
const WIDER: f64 = 2.2;

/// Returns the number of terms summed for a map around bodies with this many unknowns.
pub(crate) fn terms(unknowns: usize) -> f64 {
    (side(unknowns).pow(2) * unknowns) as f64
}

/// Returns the number of pixels along a side of a map.
fn side(unknowns: usize) -> usize {
    let (most, fewest) = SIDE;
    ((MAX_TERMS as f64 / unknowns.max(1) as f64).sqrt() as usize).clamp(fewest, most)
}

/// Adds a map of |u| around the bodies for each polarization, for the first incidence.
pub(super) fn add(
    outcome: &mut Outcome,
    cases: &[Case],
    observer: &dyn Observer,
) -> Result<(), Error> {
    for case in cases {
        observer.checkpoint()?;
        let nodes = case.nodes();
        let reach = |axis: usize| {
            let along = nodes.iter().map(|node| node.position[axis]);
            let low = along.clone().fold(f64::INFINITY, f64::min);
            (low, along.fold(f64::NEG_INFINITY, f64::max))
        };
        let (x, y) = (reach(0), reach(1));
        let half = 0.5 * WIDER * (x.1 - x.0).max(y.1 - y.0);
        let side = side(nodes.len());
        let place = |(low, high): (f64, f64), number: usize| {
            0.5 * (low + high) + half * (2.0 * (number as f64 + 0.5) / side as f64 - 1.0)
        };
        let points: Vec<[f64; 2]> = (0..side)
            .flat_map(|row| (0..side).map(move |column| [place(x, column), place(y, row)]))
            .collect();
        let field = case.field_at(0, &points)?;
        let Names {
            column: name, word, ..
        } = names(case.polarization);
        let array = format!("near_field/{name}");
        let values = field.iter().map(|u| u.norm()).collect();
        outcome
            .arrays
            .push(Array::real(&array, values).reshaped(&[side, side]));
        let quantity = match case.polarization {
            Polarization::Tm => "|E_z| / |E_inc|",
            Polarization::Te => "|H_z| / |H_inc|",
        };
        let outlines: Vec<Vec<[f64; 2]>> = nodes
            .chunk_by(|a, b| a.body == b.body)
            .map(|body| body.iter().map(|node| node.position).collect())
            .collect();
        let lines = outlines.iter().map(Vec::as_slice);
        let outline = outcome.add_outline(&format!("near_field/outline_{name}"), lines);
        let series = vec![Series {
            name: "bodies".to_owned(),
            ..outline
        }];
        outcome.figures.push(Figure {
            title: format!("Field around the bodies, {word}"),
            caption: format!(
                "{quantity} at {}; incidence φ = {}°.",
                Frequency(case.frequency),
                (case.incidences[0].to_degrees() * 1e6).round() / 1e6
            ),
            kind: FigureKind::Map(Map {
                array,
                x: (place(x, 0), place(x, side - 1)),
                y: (place(y, 0), place(y, side - 1)),
                equal_aspect: true,
                y_down: false,
                colors: ColorScale {
                    label: quantity.to_owned(),
                    unit: String::new(),
                    range: None,
                    map: ColorMap::Sequential,
                },
                contours: Vec::new(),
            }),
            x_label: "x".to_owned(),
            x_unit: "m".to_owned(),
            y_label: "y".to_owned(),
            y_unit: "m".to_owned(),
            series,
        });
    }
    Ok(())
}
