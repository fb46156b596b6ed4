//! Maps of level and phase in the reconstruction plane, beside the measured hologram.

use std::f64::consts::TAU;

use crate::{MicrophoneArray, Plan, Solution, Source};
use num_complex::Complex64;
use wavefield_physics::far_field::power_db;

use super::{DEPTH, centimeters, hertz, largest, pressure_level};
use wavefield_solver::Error;
use wavefield_solver::outcome::{
    Array, ColorMap, ColorScale, Figure, FigureKind, Map, Outcome, Series,
};

/// Dynamic range of error maps below the peak pressure, dB.
const ERROR_DEPTH: f64 = 50.0;
/// Reference velocity (RMS) of 0 dB, m/s: a plane wave in air has equal pressure and velocity levels.
const REFERENCE_VELOCITY: f64 = 50e-9;
/// Reference intensity of 0 dB, W/m².
const REFERENCE_INTENSITY: f64 = 1e-12;
/// Approximate number of points along the longer side of an interpolated map.
const FINE: usize = 128;
/// Maximum interpolation factor.
const FINEST: usize = 4;
/// Vertices of the polygon that approximates a circle.
const CORNERS: usize = 48;

/// Adds the maps of one frequency, with the outlines of the sources.
pub(super) fn add(
    outcome: &mut Outcome,
    solution: &Solution,
    number: usize,
    sources: Option<&Series>,
) -> Result<(), Error> {
    let array = solution.array;
    let at = &solution.frequencies[number];
    let factor = (FINE / array.rows.max(array.columns)).clamp(1, FINEST);
    let fine = Grid::fine(&array, factor);
    let field = fine.kept(at.spectrum.sound_field_refined(factor)?, factor);
    let coarse = Grid::fine(&array, 1);
    let magnitudes = |values: &[Complex64]| -> Vec<f64> {
        values.iter().map(|p| pressure_level(p.norm())).collect()
    };
    let phases = |values: &[Complex64]| -> Vec<f64> {
        values.iter().map(|p| p.arg().to_degrees()).collect()
    };
    let pressure: Vec<Complex64> = field.iter().map(|field| field.pressure).collect();
    let mut album = Album {
        sources: sources.cloned(),
        outcome,
        number,
    };
    let frequency = hertz(at.frequency);
    let [height, plane] = [solution.height, solution.plane].map(centimeters);
    let decibels = |label: &str, unit: &str| (label.to_owned(), unit.to_owned(), DEPTH);
    let sound = || decibels("L_p", "dB re 20 µPa");
    album.levels(
        "hologram/level",
        &coarse,
        magnitudes(at.hologram.values()),
        sound(),
        [
            format!("Measured pressure, {frequency}"),
            format!("Hologram at z = {height}, one pixel per microphone."),
        ],
    );
    album.levels(
        "field/level",
        &fine,
        magnitudes(&pressure),
        sound(),
        [
            format!("Pressure near the sources, {frequency}"),
            format!("Sound pressure level at z = {plane}; dynamic range {DEPTH} dB."),
        ],
    );
    if let Some(exact) = &at.exact {
        album.levels(
            "exact/level",
            &coarse,
            magnitudes(exact),
            sound(),
            [
                format!("Exact pressure, {frequency}"),
                format!(
                    "Exact field of the sources at z = {plane}, at the grid of the microphones."
                ),
            ],
        );
        let strongest = largest(exact.iter().map(|p| p.norm())).unwrap_or(0.0);
        let errors = at.field.iter().zip(exact);
        let relative = errors.map(|(field, exact)| (field.pressure - exact).norm() / strongest);
        album.levels(
            "error/level",
            &coarse,
            relative.map(|e| power_db(e * e)).collect(),
            (
                "error".to_owned(),
                "dB re peak".to_owned(),
                ERROR_DEPTH,
            ),
            [
                format!("Reconstruction error, {frequency}"),
                format!("Magnitude of the deviation from the exact pressure at z = {plane}, relative to its peak."),
            ],
        );
    }
    album.levels(
        "velocity/level",
        &fine,
        field
            .iter()
            .map(|field| {
                let rms = 0.5 * field.velocity[2].norm_sqr();
                power_db(rms / (REFERENCE_VELOCITY * REFERENCE_VELOCITY))
            })
            .collect(),
        decibels("L_v", "dB re 50 nm/s"),
        [
            format!("Normal particle velocity, {frequency}"),
            format!("Normal velocity at z = {plane}, of propagating and evanescent waves."),
        ],
    );
    album.levels(
        "intensity/level",
        &fine,
        outward_levels(field.iter().map(|field| field.intensity()[2])),
        decibels("L_I", "dB re 1 pW/m²"),
        [
            format!("Normal intensity, {frequency}"),
            format!(
                "Outward active intensity at z = {plane}; blank where inward intensity is within the dynamic range."
            ),
        ],
    );
    album.phases(
        "hologram/phase",
        &coarse,
        phases(at.hologram.values()),
        [
            format!("Phase of the measured pressure, {frequency}"),
            format!("Hologram at z = {height}."),
        ],
    );
    album.phases(
        "field/phase",
        &fine,
        phases(&pressure),
        [
            format!("Phase of the pressure near the sources, {frequency}"),
            format!("Reconstruction at z = {plane}; regions in antiphase have opposite colors."),
        ],
    );
    Ok(())
}

/// Returns levels of outward intensity; NaN where the inward intensity is within the dynamic range.
fn outward_levels(intensities: impl Iterator<Item = f64>) -> Vec<f64> {
    let level = |intensity: f64| power_db(intensity / REFERENCE_INTENSITY);
    let values: Vec<f64> = intensities.collect();
    let peak = largest(values.iter().map(|&value| level(value.max(0.0))));
    let floor = peak.map_or(f64::NEG_INFINITY, |peak| peak.ceil() - DEPTH);
    let shown = |value: f64| {
        if value >= 0.0 {
            level(value)
        } else if level(-value) < floor {
            f64::NEG_INFINITY
        } else {
            f64::NAN
        }
    };
    values.into_iter().map(shown).collect()
}

/// A regular grid over the array: points and extent along each axis.
pub(super) struct Grid {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) x: (f64, f64),
    pub(super) y: (f64, f64),
}

impl Grid {
    /// Returns the grid from the first to the last microphone, interpolated by `factor`.
    pub(super) fn fine(array: &MicrophoneArray, factor: usize) -> Grid {
        let [left, top] = array.position(0);
        let [right, bottom] = array.position(array.channels() - 1);
        Grid {
            rows: (array.rows - 1) * factor + 1,
            columns: (array.columns - 1) * factor + 1,
            x: (left, right),
            y: (top, bottom),
        }
    }

    /// Crops values on an interpolated grid, which extends beyond the last microphones, to this grid.
    pub(super) fn kept<T>(&self, values: Vec<T>, factor: usize) -> Vec<T> {
        let columns = self.columns - 1 + factor;
        let inside = |index: usize| index / columns < self.rows && index % columns < self.columns;
        let numbered = values.into_iter().enumerate();
        let kept = numbered.filter(|(index, _)| inside(*index));
        kept.map(|(_, value)| value).collect()
    }
}

/// Target of the maps of one frequency, with the outlines drawn over them.
struct Album<'a> {
    outcome: &'a mut Outcome,
    number: usize,
    sources: Option<Series>,
}

impl Album<'_> {
    /// Adds a level map; the tuple holds label, unit, and dynamic range in decibels.
    fn levels(
        &mut self,
        name: &str,
        grid: &Grid,
        values: Vec<f64>,
        (label, unit, depth): (String, String, f64),
        words: [String; 2],
    ) {
        let range = largest(values.iter().copied())
            .map(f64::ceil)
            .map(|peak| (peak - depth, peak));
        let colors = ColorScale {
            label,
            unit,
            range,
            map: ColorMap::Sequential,
        };
        self.map(name, grid, values, colors, words);
    }

    fn phases(&mut self, name: &str, grid: &Grid, values: Vec<f64>, words: [String; 2]) {
        let colors = ColorScale {
            label: "phase".to_owned(),
            unit: "deg".to_owned(),
            range: None,
            map: ColorMap::Cyclic,
        };
        self.map(name, grid, values, colors, words);
    }

    fn map(
        &mut self,
        name: &str,
        grid: &Grid,
        values: Vec<f64>,
        colors: ColorScale,
        [title, caption]: [String; 2],
    ) {
        let array = format!("{name}_{}", self.number + 1);
        self.outcome
            .arrays
            .push(Array::real(&array, values).reshaped(&[grid.rows, grid.columns]));
        self.outcome.figures.push(Figure {
            title,
            caption,
            kind: FigureKind::Map(Map {
                array,
                x: grid.x,
                y: grid.y,
                equal_aspect: true,
                y_down: false,
                colors,
                contours: Vec::new(),
            }),
            x_label: "x".to_owned(),
            x_unit: "m".to_owned(),
            y_label: "y".to_owned(),
            y_unit: "m".to_owned(),
            series: self.sources.iter().cloned().collect(),
        });
    }
}

/// Returns the outlines of the sources: crosses of one pitch, circles, rectangles.
pub(super) fn outlines(
    outcome: &mut Outcome,
    plan: &Plan,
    number: usize,
    pitch: f64,
) -> Option<Series> {
    let half = 0.5 * pitch;
    let mut lines: Vec<Vec<[f64; 2]>> = Vec::new();
    for source in plan.sources() {
        match source {
            Source::Monopole { position, .. } | Source::Dipole { position, .. } => {
                let [x, y, _] = *position;
                lines.push(vec![[x - half, y], [x + half, y]]);
                lines.push(vec![[x, y - half], [x, y + half]]);
            }
            Source::Piston { center, piston } => {
                let around = (0..=CORNERS).map(|corner| {
                    let (sin, cos) = (TAU * corner as f64 / CORNERS as f64).sin_cos();
                    [
                        center[0] + piston.radius * cos,
                        center[1] + piston.radius * sin,
                    ]
                });
                lines.push(around.collect());
            }
            Source::Plate { center, plate } => {
                let corners = [
                    [-1.0, -1.0],
                    [1.0, -1.0],
                    [1.0, 1.0],
                    [-1.0, 1.0],
                    [-1.0, -1.0],
                ];
                let placed = corners.map(|[along, up]| {
                    [
                        center[0] + 0.5 * along * plate.size[0],
                        center[1] + 0.5 * up * plate.size[1],
                    ]
                });
                lines.push(placed.to_vec());
            }
        }
    }
    if lines.is_empty() {
        return None;
    }
    let name = "sources/outline";
    if number > 0 {
        // The arrays exist since the first frequency.
        return Some(Series::new(
            "sources",
            &format!("{name}/x"),
            &format!("{name}/y"),
        ));
    }
    let outline = outcome.add_outline(name, lines.iter().map(Vec::as_slice));
    Some(Series {
        name: "sources".to_owned(),
        ..outline
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sound_that_comes_back_has_no_color_unless_it_is_weak() {
        let levels = outward_levels([1e-6, 1e-12, -1e-7, -1e-12, 0.0].into_iter());
        assert!((levels[0] - 60.0).abs() < 1e-9 && levels[1].abs() < 1e-9);
        assert!(levels[2].is_nan());
        assert!(levels[3..].iter().all(|level| *level == f64::NEG_INFINITY));
    }

    #[test]
    fn a_refined_grid_ends_at_the_last_microphone() {
        let array = MicrophoneArray::new(8, 16, 0.02).unwrap_or_default();
        let grid = Grid::fine(&array, 3);
        let places: Vec<(usize, usize)> = (0..24)
            .flat_map(|row| (0..48).map(move |column| (row, column)))
            .collect();
        let kept = grid.kept(places, 3);
        assert_eq!(kept.len(), 22 * 46);
        assert_eq!((kept[0], kept[kept.len() - 1]), ((0, 0), (21, 45)));
    }
}
