//! Relief of the reconstructed pressure for the 3-D view.

use crate::Solution;

use super::{DEPTH, centimeters, hertz, largest, pressure_level};
use wavefield_solver::Error;
use wavefield_solver::outcome::{Array, Data, MeshView, Outcome, SurfaceQuantity};

/// Height of the relief relative to the longer side of the array.
const HEIGHT: f64 = 0.3;
/// Maximum number of microphones along the longer side for which the relief is interpolated.
const MAX_REFINED: usize = 64;

/// Adds the relief of the first frequency.
pub(super) fn add(outcome: &mut Outcome, solution: &Solution) -> Result<(), Error> {
    let array = solution.array;
    let at = &solution.frequencies[0];
    let factor = if array.rows.max(array.columns) <= MAX_REFINED {
        2
    } else {
        1
    };
    let (rows, columns) = (
        (array.rows - 1) * factor + 1,
        (array.columns - 1) * factor + 1,
    );
    let width = array.columns * factor;
    let pressure = at.spectrum.pressure_refined(factor)?;
    let level = |row: usize, column: usize| pressure_level(pressure[row * width + column].norm());
    let over = |row: usize| (0..columns).map(move |column| (row, column));
    let everywhere = || (0..rows).flat_map(over);
    let Some(peak) = largest(everywhere().map(|(row, column)| level(row, column))) else {
        return Ok(());
    };
    let peak = peak.ceil();
    let [left, top] = array.position(0);
    let step = array.pitch / factor as f64;
    let size = array.pitch * array.rows.max(array.columns) as f64;
    let points = everywhere().flat_map(|(row, column)| {
        let part = ((level(row, column) - peak + DEPTH) / DEPTH).clamp(0.0, 1.0);
        [
            left + step * column as f64,
            top - step * row as f64,
            HEIGHT * size * part,
        ]
    });
    let points: Vec<f64> = points.collect();
    let mut triangles = Vec::with_capacity(6 * rows * columns);
    let mut levels = Vec::with_capacity(2 * rows * columns);
    for (row, column) in
        everywhere().filter(|&(row, column)| row + 1 < rows && column + 1 < columns)
    {
        let corner = |down: usize, across: usize| ((row + down) * columns + column + across) as u32;
        for corners in [[(0, 0), (1, 0), (1, 1)], [(0, 0), (1, 1), (0, 1)]] {
            triangles.extend(corners.map(|(down, across)| corner(down, across)));
            let sum: f64 = corners
                .iter()
                .map(|&(down, across)| level(row + down, column + across))
                .sum();
            levels.push(sum / 3.0);
        }
    }
    let [points_name, triangles_name, level_name] =
        ["points", "triangles", "level"].map(|what| format!("relief/{what}"));
    outcome.arrays.extend([
        Array::real(&points_name, points).reshaped(&[rows * columns, 3]),
        Array {
            name: triangles_name.clone(),
            shape: vec![triangles.len() / 3, 3],
            data: Data::Index(triangles),
        },
        Array::real(&level_name, levels),
    ]);
    outcome.view.meshes = vec![MeshView {
        name: "pressure".to_owned(),
        points: points_name,
        triangles: triangles_name,
        quantities: vec![SurfaceQuantity {
            name: "sound pressure level".to_owned(),
            unit: "dB re 20 µPa".to_owned(),
            array: level_name,
            range: (peak - DEPTH, peak),
            option: None,
        }],
    }];
    outcome.view.caption = format!(
        "Reconstructed pressure at z = {} and {}: height and color show the level, dynamic range {DEPTH} dB, viewed from the array.",
        centimeters(solution.plane),
        hertz(at.frequency)
    );
    Ok(())
}
