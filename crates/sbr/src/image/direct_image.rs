//! Image-domain ISAR formation (Bhalla–Ling) from one aspect and one frequency: every exit patch of a wave adds
//! its own point response; no sweep is computed.
//!
//! R. Bhalla, H. Ling, IEEE Trans. Antennas Propag. 43 (1995) 1136–1142. A patch at x with the path length ℓ and
//! the first hit x₀ radiates toward the radar at ŝ with the phase k(ŝ·x − ℓ). Over a small band it is a point at
//! the down-range (ℓ − ŝ·x)/2. Under a rotation of the radar, ℓ changes with the position of the first hit (by
//! Fermat's principle the path between is stationary) and ŝ·x with that of the last: over a small angle it is a
//! point at the cross-range of (x₀ + x)/2. With K₀ = 2kŝ a point of amplitude a has the image
//!
//! I(r) = a e^{−jK₀·r} h(x − x_t) h(y − y_t),
//!
//! where h is the transform of the window over band and angle. Points are spread onto the pixels of the image by
//! cubic B-splines; their transform is divided out of h (deconvolution).
//!
//! Compared with a sweep this neglects the variation of a patch's amplitude over band and angle, the curvature of
//! the arcs of a wide sweep, and edge diffraction.

use std::f64::consts::PI;

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_physics::constants::vacuum_wavenumber;
use wavefield_physics::direction::Direction;
use wavefield_physics::far_field::Channel;

use super::frame::Frame;
use super::grid::Grid;
use super::window::Window;
use crate::aperture::Density;
use crate::error::Error;
use crate::patch::{Observer, Patch};
use crate::receiver::Receiver;
use crate::reciprocity::both_directions;
use crate::scatterer::Scatterer;
use wavefield_numerics::vector::{add, dot, scaled};

/// Minimum number of pixels per resolution cell: aliases of the splines stay 70 dB below the peak.
const OVERSAMPLING: f64 = 4.0;
/// Maximum length of a patch treated as a point, in pixels: half a resolution cell.
const LARGEST: f64 = 2.0;
/// Number of samples of the window over band and angle, per resolution cell of the image length.
const SAMPLES: f64 = 4.0;

/// Parameters of an image-domain formation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DirectImage {
    /// Direction to the radar.
    pub from: Direction,
    /// Center frequency of the band, Hz.
    pub frequency: f64,
    /// Received and transmitted polarization.
    pub channel: Channel,
    /// Image plane; its line of sight is that of `from`.
    pub frame: Frame,
    /// Resolution λ/2Δφ cross-range and c/2B down-range, m.
    pub resolution: [f64; 2],
    /// Window over band and angle.
    pub window: Window,
}

impl DirectImage {
    /// Returns the maximum pixel size of an image, m.
    pub fn largest_cells(&self) -> [f64; 2] {
        self.resolution.map(|resolution| resolution / OVERSAMPLING)
    }

    /// Computes the image of a body on a grid, row by row: an isolated point reads √σ·e^{j phase} in m at its
    /// position. Patches outside the grid are omitted.
    ///
    /// # Errors
    /// Returns the errors of [`Scatterer::scatter`].
    ///
    /// # Panics
    /// Panics if the pixels of the grid are larger than [`Self::largest_cells`].
    pub fn image(
        &self,
        body: &Scatterer,
        density: Density,
        grid: &Grid,
    ) -> Result<Vec<Complex64>, Error> {
        let largest = self.largest_cells();
        assert!((0..2).all(|axis| grid.step[axis] <= largest[axis] * (1.0 + 1e-9)));
        let points = Points {
            observer: Observer::toward(self.from),
            wavenumber: vacuum_wavenumber(self.frequency),
            element: element(self.channel),
            frame: self.frame,
            grid: *grid,
            cells: vec![Complex64::ZERO; grid.cells()],
        };
        let points = body.illuminate(self.from, self.frequency, density, points)?;
        Ok(self.blurred(&points.cells, grid))
    }

    /// Convolves the spread points with the point response along both axes and applies the carrier.
    fn blurred(&self, cells: &[Complex64], grid: &Grid) -> Vec<Complex64> {
        let [columns, rows] = grid.count;
        let [across, down] = [0, 1].map(|axis| {
            response(
                self.window,
                grid.step[axis] / self.resolution[axis],
                grid.count[axis],
            )
        });
        let along_rows: Vec<Complex64> = cells
            .par_chunks_exact(columns)
            .flat_map_iter(|row| {
                (0..columns).map(|to| {
                    let terms = row.iter().enumerate();
                    terms
                        .map(|(from, value)| value * across[to.abs_diff(from)])
                        .sum::<Complex64>()
                })
            })
            .collect();
        let scale = (4.0 * PI).sqrt();
        let twice = 2.0 * vacuum_wavenumber(self.frequency);
        (0..rows)
            .into_par_iter()
            .flat_map_iter(|to| {
                let mut row = vec![Complex64::ZERO; columns];
                for (from, line) in along_rows.chunks_exact(columns).enumerate() {
                    let weight = down[to.abs_diff(from)];
                    for (sum, value) in row.iter_mut().zip(line) {
                        *sum += value * weight;
                    }
                }
                // e^{−jK₀·r} with K₀ = 2kŝ, and down-range along −ŝ.
                let carrier = Complex64::cis(twice * grid.at([0, to])[1]) * scale;
                row.into_iter().map(move |value| value * carrier)
            })
            .collect()
    }
}

/// Returns the point response at whole pixels, deconvolved by the splines' transform; `cell` is the pixel size in
/// resolutions.
fn response(window: Window, cell: f64, count: usize) -> Vec<f64> {
    let samples = (SAMPLES * cell * count as f64).ceil().max(64.0) as usize;
    let weights = window.weights(samples);
    let total: f64 = weights.iter().sum();
    // Cycles per pixel of every sample, and its weight divided by the transform of a cubic B-spline.
    let parts: Vec<(f64, f64)> = weights
        .iter()
        .enumerate()
        .map(|(number, weight)| {
            let cycles = cell * ((number as f64 + 0.5) / samples as f64 - 0.5);
            let x = PI * cycles;
            let spline = if x == 0.0 { 1.0 } else { (x.sin() / x).powi(4) };
            (cycles, weight / (total * spline))
        })
        .collect();
    (0..count)
        .map(|place| {
            let waves = parts.iter();
            waves
                .map(|(cycles, weight)| weight * (2.0 * PI * cycles * place as f64).cos())
                .sum()
        })
        .collect()
}

/// Returns row and column of an amplitude for the received and transmitted polarization.
pub(super) fn element(channel: Channel) -> [usize; 2] {
    match channel {
        Channel::VV => [0, 0],
        Channel::VH => [0, 1],
        Channel::HV => [1, 0],
        Channel::HH => [1, 1],
    }
}

/// Accumulator that spreads patches, as points, onto pixels.
#[derive(Clone, Debug)]
struct Points {
    observer: Observer,
    wavenumber: f64,
    element: [usize; 2],
    frame: Frame,
    grid: Grid,
    cells: Vec<Complex64>,
}

impl Points {
    /// Returns the cross-range and down-range of a patch, m.
    fn place(&self, patch: &Patch) -> [f64; 2] {
        let between = scaled(add(patch.entry, patch.point), 0.5);
        [
            dot(self.frame.across, between),
            0.5 * (patch.path_length - dot(self.observer.direction, patch.point)),
        ]
    }
}

impl Receiver for Points {
    fn empty(&self) -> Self {
        Points {
            observer: self.observer,
            wavenumber: self.wavenumber,
            element: self.element,
            frame: self.frame,
            grid: self.grid,
            cells: vec![Complex64::ZERO; self.cells.len()],
        }
    }

    fn receive(&mut self, patch: &Patch) {
        let longest = LARGEST * self.grid.step[0].min(self.grid.step[1]);
        if let Some(quarters) = patch.quarters_beyond(longest) {
            quarters.iter().for_each(|quarter| self.receive(quarter));
            return;
        }
        let mut amplitude = [[Complex64::ZERO; 2]; 2];
        patch.radiate((0, self.wavenumber), &self.observer, &mut amplitude);
        // The reversed path has the same length and the same mean of entry and exit: the same point.
        let value = both_directions(&amplitude)[self.element[0]][self.element[1]];
        let [columns, rows] = self.grid.count;
        let place = self.place(patch);
        let [x, y] =
            [0, 1].map(|axis| (place[axis] - self.grid.first[axis]) / self.grid.step[axis]);
        let inside = |at: f64, count: usize| at >= 1.0 && at < count as f64 - 2.0;
        if !inside(x, columns) || !inside(y, rows) {
            return;
        }
        let (across, down) = (spline(x.fract()), spline(y.fract()));
        for (row, down) in (y as usize - 1..).zip(down) {
            let line = &mut self.cells[row * columns + x as usize - 1..][..4];
            for (cell, across) in line.iter_mut().zip(across) {
                *cell += value * (across * down);
            }
        }
    }

    fn join(&mut self, other: &Self) {
        for (sum, part) in self.cells.iter_mut().zip(&other.cells) {
            *sum += part;
        }
    }
}

/// Returns the cubic B-spline weights of the four pixels around a position at the fraction `t` between the second
/// and the third.
fn spline(t: f64) -> [f64; 4] {
    let u = 1.0 - t;
    [
        u.powi(3),
        3.0 * t.powi(3) - 6.0 * t * t + 4.0,
        3.0 * u.powi(3) - 6.0 * u * u + 4.0,
        t.powi(3),
    ]
    .map(|weight| weight / 6.0)
}

#[cfg(test)]
mod tests {
    use super::super::polar_format::PolarFormat;
    use super::super::polar_format::tests::device;
    use super::super::{AngularAperture, Band};
    use super::*;
    use wavefield_mesh::{TriangleMesh, primitive};
    use wavefield_physics::constants::SPEED_OF_LIGHT;

    #[test]
    fn a_spread_point_is_blurred_as_the_window_would() {
        let shot = DirectImage {
            from: Direction::from_degrees(90.0, 0.0),
            frequency: 1e10,
            channel: Channel::VV,
            frame: Frame {
                toward: [1.0, 0.0, 0.0],
                across: [0.0, 1.0, 0.0],
            },
            resolution: [0.1, 0.05],
            window: Window::Taylor,
        };
        let grid = Grid::over([-1.0, -0.6], [1.0, 0.6], shot.largest_cells()).unwrap();
        let place = [0.137, -0.2041];
        let at = [0, 1].map(|axis| (place[axis] - grid.first[axis]) / grid.step[axis]);
        let mut cells = vec![Complex64::ZERO; grid.cells()];
        let (across, down) = (spline(at[0].fract()), spline(at[1].fract()));
        for (row, down) in down.into_iter().enumerate() {
            for (column, across) in across.into_iter().enumerate() {
                let cell = (at[1] as usize - 1 + row) * grid.count[0] + at[0] as usize - 1 + column;
                cells[cell] += Complex64::from(across * down / (4.0 * PI).sqrt());
            }
        }
        let image = shot.blurred(&cells, &grid);
        let weights = Window::Taylor.weights(400);
        let total: f64 = weights.iter().sum();
        let exact = |off: f64| -> f64 {
            let terms = weights.iter().enumerate();
            terms
                .map(|(n, w)| w * (2.0 * PI * off * ((n as f64 + 0.5) / 400.0 - 0.5)).cos())
                .sum::<f64>()
                / total
        };
        for (number, value) in image.iter().enumerate() {
            let [x, y] = grid.place(number);
            let wanted = exact((x - place[0]) / 0.1) * exact((y - place[1]) / 0.05);
            assert!(
                (value.norm() - wanted.abs()).abs() < 4e-4,
                "{value} {wanted}"
            );
        }
    }

    /// Returns a dihedral of two plates and a plate behind it: single and double reflections.
    fn body() -> TriangleMesh {
        let mut body = primitive::dihedral(0.25, 0.3, 0.5 * PI, 0.3).unwrap();
        let mut plate = primitive::plate(0.2, 0.2, 0.2).unwrap();
        for point in &mut plate.points {
            *point = [point[2] - 0.5, point[0] + 0.35, point[1]];
        }
        body.append(&plate);
        body
    }

    #[test]
    fn it_is_the_image_of_a_narrow_sweep() {
        let scatterer = Scatterer::new(&body()).unwrap();
        let (count, width) = (24_u32, 0.05);
        let middle = 1e10;
        let frequencies: Vec<f64> = (0..count)
            .map(|n| middle * (1.0 + width * ((f64::from(n) + 0.5) / f64::from(count) - 0.5)))
            .collect();
        let directions: Vec<Direction> = (0..count)
            .map(|n| {
                Direction::new(
                    0.5 * PI,
                    0.1 + width * ((f64::from(n) + 0.5) / f64::from(count) - 0.5),
                )
            })
            .collect();
        let (band, turn) = (
            Band::new(&frequencies).unwrap(),
            AngularAperture::new(&directions).unwrap(),
        );
        let density = Density::default();
        let mut samples = vec![Complex64::ZERO; (count * count) as usize];
        for (number, from) in directions.iter().enumerate() {
            let found = scatterer
                .scatter(*from, &[*from], &frequencies, density)
                .unwrap();
            for (frequency, matrix) in found.matrices.iter().enumerate() {
                samples[frequency * count as usize + number] = matrix.vv;
            }
        }
        let resolution = [turn.resolution(&band), band.resolution()];
        assert!((resolution[1] / (0.5 * SPEED_OF_LIGHT / (middle * width)) - 1.0).abs() < 1e-9);
        let shot = DirectImage {
            from: turn.middle(),
            frequency: middle,
            channel: Channel::VV,
            frame: turn.frame(),
            resolution,
            window: Window::Taylor,
        };
        let grid = Grid::over([-1.2, -1.2], [1.2, 1.8], shot.largest_cells()).unwrap();
        let direct = shot.image(&scatterer, density, &grid).unwrap();
        let format = PolarFormat::new(&band, &turn, Window::Taylor);
        let swept = format
            .imager(&device(), &grid)
            .unwrap()
            .image(&samples)
            .unwrap();
        let peak = swept.iter().map(|v| v.norm()).fold(0.0, f64::max);
        let worst = (direct.iter().zip(&swept))
            .map(|(a, b)| (a - b).norm() / peak)
            .fold(0.0, f64::max);
        // Relative to the peak, phase included: second order in band and angle.
        assert!(worst < 0.05, "{worst}");
    }
}
