//! Animations: the pressure in the reconstruction plane over a period, and its level over a recording.

use std::f64::consts::TAU;

use crate::Solution;
use num_complex::Complex64;

use super::maps::Grid;
use super::{DEPTH, centimeters, hertz, largest, pressure_level};
use wavefield_solver::Error;
use wavefield_solver::outcome::{
    Animation, Array, ColorMap, ColorScale, Figure, FigureKind, Map, Outcome, Series,
};

/// Frames per period.
const PHASES: usize = 24;
/// Interpolation factor of the animation along each axis, limited by the size of the report.
const REFINED: usize = 2;

/// Adds the animations of one frequency, with the outlines of the sources.
pub(super) fn add(
    outcome: &mut Outcome,
    solution: &Solution,
    number: usize,
    sources: Option<&Series>,
) -> Result<(), Error> {
    let at = &solution.frequencies[number];
    let [frequency, plane] = [hertz(at.frequency), centimeters(solution.plane)];
    let fine = Grid::fine(&solution.array, REFINED);
    let field = fine.kept(at.spectrum.sound_field_refined(REFINED)?, REFINED);
    let strongest = largest(field.iter().map(|field| field.pressure.norm())).unwrap_or(0.0);
    let period = (0..PHASES).map(|k| {
        let part = k as f64 / PHASES as f64;
        let values = field
            .iter()
            .map(|f| (f.pressure * Complex64::cis(TAU * part)).re);
        (
            format!("{:.3} ms", 1e3 * part / at.frequency),
            values.collect(),
        )
    });
    show(
        outcome,
        &fine,
        &format!("animation/pressure_{}", number + 1),
        period.collect(),
        ColorScale {
            label: "p".to_owned(),
            unit: "Pa".to_owned(),
            range: Some((-strongest, strongest)),
            map: ColorMap::Diverging,
        },
        [
            format!("Pressure over a period, {frequency}"),
            format!("Instantaneous pressure at z = {plane} over one period, slowed down."),
        ],
        sources,
    );
    if solution.time_history.is_empty() {
        return Ok(());
    }
    let level = |pressures: &[Complex64]| -> Vec<f64> {
        pressures.iter().map(|p| pressure_level(p.norm())).collect()
    };
    let time_history: Vec<(String, Vec<f64>)> = (solution.time_history.iter())
        .map(|moment| {
            (
                format!("{:.0} ms", 1e3 * moment.time),
                level(&moment.pressures[number]),
            )
        })
        .collect();
    let peak = largest(time_history.iter().flat_map(|(_, levels)| levels).copied()).map(f64::ceil);
    show(
        outcome,
        &Grid::fine(&solution.array, 1),
        &format!("animation/level_{}", number + 1),
        time_history,
        ColorScale {
            label: "L_p".to_owned(),
            unit: "dB re 20 µPa".to_owned(),
            range: peak.map(|peak| (peak - DEPTH, peak)),
            map: ColorMap::Sequential,
        },
        [
            format!("Sound pressure level over the recording, {frequency}"),
            format!(
                "Level at z = {plane} at the centers of frames; all frames use the filter of the first."
            ),
        ],
        sources,
    );
    Ok(())
}

fn show(
    outcome: &mut Outcome,
    grid: &Grid,
    name: &str,
    moments: Vec<(String, Vec<f64>)>,
    colors: ColorScale,
    [title, caption]: [String; 2],
    sources: Option<&Series>,
) {
    let (labels, values): (Vec<String>, Vec<Vec<f64>>) = moments.into_iter().unzip();
    let loudest = |values: &[f64]| largest(values.iter().copied()).unwrap_or(f64::NEG_INFINITY);
    let shown =
        (0..values.len()).max_by(|&a, &b| loudest(&values[a]).total_cmp(&loudest(&values[b])));
    let shape = [labels.len(), grid.rows, grid.columns];
    outcome
        .arrays
        .push(Array::real(name, values.concat()).reshaped(&shape));
    outcome.figures.push(Figure {
        title,
        caption,
        kind: FigureKind::Animation(Animation {
            map: Map {
                array: name.to_owned(),
                x: grid.x,
                y: grid.y,
                equal_aspect: true,
                y_down: false,
                colors,
                contours: Vec::new(),
            },
            moments: labels,
            shown: shown.unwrap_or(0),
        }),
        x_label: "x".to_owned(),
        x_unit: "m".to_owned(),
        y_label: "y".to_owned(),
        y_unit: "m".to_owned(),
        series: sources.cloned().into_iter().collect(),
    });
}
