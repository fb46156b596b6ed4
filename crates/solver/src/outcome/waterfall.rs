//! Sweeps over angle and frequency as waterfall plots: maps with the angle on x and the frequency on y.

use super::aspects::{Cut, Quantity, sentence_case, tidy};
use super::{Array, ColorMap, ColorScale, Figure, FigureKind, Map, Outcome};

/// Dynamic range below the peak of all channels, dB.
const DEPTH: f64 = 40.0;
/// Maximum number of cells along an axis that is not sampled uniformly.
const MAX_CELLS: usize = 720;

/// Adds a map of every channel along the first cut over all frequencies, with one color scale, if both are several.
pub(super) fn add(outcome: &mut Outcome, cut: &Cut<'_>, quantity: &Quantity<'_>) {
    let (Some(rows), Some(columns)) = (cells(cut.frequencies), cells(&cut.along)) else {
        return;
    };
    let maps: Vec<(&str, &str, Vec<f64>)> = (quantity.channels.iter())
        .filter_map(|&(name, column)| {
            let array = outcome.array(&format!("{}/{column}", quantity.table))?;
            let all = array.as_real()?;
            let at = |row: usize, column: usize| all[row * cut.per_frequency + column * cut.stride];
            let over = |&row: &usize| columns.iter().map(move |&column| at(row, column));
            Some((name, column, rows.iter().flat_map(over).collect()))
        })
        .collect();
    let peak = (maps.iter().flat_map(|(.., values)| values))
        .filter(|value| value.is_finite())
        .fold(f64::NEG_INFINITY, |peak, value| peak.max(*value))
        .ceil();
    let (title, symbol) = cut.title(quantity);
    let ends = |values: &[f64]| (values[0], values[values.len() - 1]);
    let (first, last) = ends(&cut.along);
    let (unit, hertz) = unit(cut.frequencies);
    let (lowest, highest) = ends(cut.frequencies);
    for (name, column, values) in maps {
        let array = format!("waterfall/{}/{column}", quantity.table);
        let shape = [rows.len(), columns.len()];
        (outcome.arrays).push(Array::real(&array, values).reshaped(&shape));
        outcome.figures.push(Figure {
            title: format!("{title} versus {} and frequency, {name}", cut.label),
            caption: format!(
                "{} of {name}{}{}.",
                sentence_case(symbol),
                cut.source(quantity),
                cut.place()
            ),
            kind: FigureKind::Map(Map {
                array,
                x: (tidy(first), tidy(last)),
                y: (lowest / hertz, highest / hertz),
                equal_aspect: false,
                y_down: false,
                colors: ColorScale {
                    label: symbol.to_owned(),
                    unit: quantity.unit.to_owned(),
                    range: peak.is_finite().then_some((peak - DEPTH, peak)),
                    map: ColorMap::Sequential,
                },
                contours: Vec::new(),
            }),
            x_label: cut.label.to_owned(),
            x_unit: "deg".to_owned(),
            y_label: "frequency".to_owned(),
            y_unit: unit.to_owned(),
            series: Vec::new(),
        });
    }
}

/// Returns the sample nearest to each cell of a uniform grid over monotonic samples, as fine as the smallest step; `None` for
/// fewer than two samples or samples that are not monotonic. The grid of uniform samples is theirs.
fn cells(samples: &[f64]) -> Option<Vec<usize>> {
    let (first, last) = (*samples.first()?, *samples.last()?);
    let sign = (last - first).signum();
    let steps = samples.windows(2).map(|pair| sign * (pair[1] - pair[0]));
    let smallest = steps.reduce(f64::min).filter(|step| *step > 0.0)?;
    let count = ((last - first).abs() / smallest).round() as usize + 1;
    let count = count.min(MAX_CELLS.max(samples.len()));
    let mut nearest = 0;
    let cell = |number: usize| {
        let place = first + (last - first) * number as f64 / (count - 1) as f64;
        let off = |sample: usize| (samples[sample] - place).abs();
        while nearest + 1 < samples.len() && off(nearest + 1) <= off(nearest) {
            nearest += 1;
        }
        nearest
    };
    Some((0..count).map(cell).collect())
}

/// Returns the unit of a frequency axis and its value, Hz.
fn unit(frequencies: &[f64]) -> (&'static str, f64) {
    let highest = frequencies.iter().copied().fold(0.0, f64::max);
    let units = [("GHz", 1e9), ("MHz", 1e6), ("kHz", 1e3)];
    let fits = |(_, hertz): &&(&str, f64)| highest >= *hertz;
    units.iter().find(fits).map_or(("Hz", 1.0), |found| *found)
}

#[cfg(test)]
mod tests {
    use wavefield_physics::direction::Direction;

    use super::super::Data;
    use super::super::aspects::{RADAR_CROSS_SECTION, figures};
    use super::*;
    use crate::scene::aspects::Aspect;

    #[test]
    fn uniform_samples_are_their_own_cells_and_others_the_nearest() {
        assert_eq!(cells(&[1.0, 2.0, 3.0]), Some(vec![0, 1, 2]));
        assert_eq!(cells(&[3.0, 1.0, -1.0]), Some(vec![0, 1, 2]));
        assert_eq!(cells(&[0.0, 1.0, 4.0]), Some(vec![0, 1, 1, 2, 2]));
        assert_eq!(cells(&[0.0, 1e-9, 4.0]).unwrap().len(), MAX_CELLS);
        for none in [&[][..], &[1.0], &[1.0, 1.0], &[0.0, 2.0, 1.0]] {
            assert_eq!(cells(none), None);
        }
    }

    /// Every cell has the level of its angle and frequency, also on a grid whose cuts are strided.
    #[test]
    fn a_sweep_over_angle_and_frequency_is_a_map() {
        let frequencies = [8e9, 9e9, 10e9];
        for phis in [1, 2] {
            let mut outcome = Outcome::default();
            let (mut aspects, mut levels) = (Vec::new(), Vec::new());
            for frequency in 0..3 {
                for theta in 0..5 {
                    for phi in 0..phis {
                        let to = Direction {
                            theta: f64::from(theta) * 0.1,
                            phi: f64::from(phi),
                        };
                        aspects.push(Aspect {
                            frequency,
                            from: to,
                            to,
                        });
                        levels.push(
                            10.0 * frequency as f64 + f64::from(theta) - 500.0 * f64::from(phi),
                        );
                    }
                }
            }
            outcome.add_table("rcs", "", vec![("vv_dbsm", "dBsm", Data::Real(levels))]);
            let quantity = Quantity {
                channels: &[("VV", "vv_dbsm")],
                ..RADAR_CROSS_SECTION
            };
            figures(&mut outcome, &frequencies, &aspects, &quantity);
            let figure = outcome.figures.last().unwrap();
            let FigureKind::Map(map) = &figure.kind else {
                panic!("{figure:?}");
            };
            assert_eq!((map.y, figure.y_unit.as_str()), ((8.0, 10.0), "GHz"));
            assert_eq!(map.colors.range, Some((-16.0, 24.0)));
            assert!(figure.caption.contains("monostatic"), "{}", figure.caption);
            let array = outcome.array(&map.array).unwrap();
            assert_eq!(array.shape, [3, 5]);
            let expected: Vec<f64> = (0..15).map(|n| f64::from(10 * (n / 5) + n % 5)).collect();
            assert_eq!(array.as_real(), Some(&expected[..]));
            // The curves of all frequencies can be selected.
            let FigureKind::Choice(choice) = &outcome.figures[0].kind else {
                panic!("{:?}", outcome.figures[0]);
            };
            assert_eq!(choice.options, ["8 GHz", "9 GHz", "10 GHz"]);
            let start = choice.figures[1].series[0].part.unwrap();
            assert_eq!(start, (5 * phis as usize, 5));
        }
    }
}
