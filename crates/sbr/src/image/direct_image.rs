//! Images from one aspect and one frequency: every patch that a wave leaves from adds its own blurred point, and
//! no sweep is computed.
//!
//! R. Bhalla, H. Ling, IEEE Trans. Antennas Propag. 43 (1995) 1136–1142. A patch at x, reached by a way ℓ that met
//! the body first at x₀, radiates towards the radar at ŝ with the phase k(ŝ·x − ℓ). Over a small band that is a
//! point at the down-range (ℓ − ŝ·x)/2. When radar and wave turn together, ℓ changes with the place of the first
//! reflection (Fermat: the way between is stationary) and ŝ·x with that of the last: over a small angle it is a
//! point at the cross-range of (x₀ + x)/2. A point of amplitude a seen at K₀ = 2kŝ makes the image
//!
//! I(r) = a e^{−jK₀·r} h(x − x_t) h(y − y_t),
//!
//! h being the transform of the window over band and angle. Points are spread onto the cells of the image by
//! cubic B-splines, whose transform is divided out of h.
//!
//! Against a sweep this lacks what the amplitude of a patch changes by over band and angle, the curvature of the
//! arcs of a wide sweep, and diffraction by edges.

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

/// Fewest cells of the grid per cell of resolution: the splines' images of one another stay 70 dB below.
const OVERSAMPLING: f64 = 4.0;
/// Patches are points if they are no longer than so many cells of the grid: half a cell of resolution.
const LARGEST: f64 = 2.0;
/// Samples of the window over band and angle, per cell of resolution that the image is long.
const SAMPLES: f64 = 4.0;

/// What a direct image is made at, and how finely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DirectImage {
    /// Where the radar is.
    pub from: Direction,
    /// The frequency in the middle of the band, Hz.
    pub frequency: f64,
    /// Received and transmitted polarisation.
    pub channel: Channel,
    /// The plane of the image; its line of sight is that of `from`.
    pub frame: Frame,
    /// Resolution λ/2Δφ across and c/2B down-range, m.
    pub resolution: [f64; 2],
    /// Weights over band and angle.
    pub window: Window,
}

impl DirectImage {
    /// The largest cells that an image may have, m.
    pub fn largest_cells(&self) -> [f64; 2] {
        self.resolution.map(|resolution| resolution / OVERSAMPLING)
    }

    /// The image of a body on a grid, row by row: √σ·e^{j phase} of a lone point at its place, m. Patches beyond
    /// the grid are left out.
    ///
    /// # Errors
    /// As [`Scatterer::scatter`].
    ///
    /// # Panics
    /// The cells of the grid are larger than [`Self::largest_cells`].
    pub fn image(
        &self,
        body: &Scatterer,
        density: Density,
        grid: &Grid,
    ) -> Result<Vec<Complex64>, Error> {
        let largest = self.largest_cells();
        assert!((0..2).all(|axis| grid.step[axis] <= largest[axis] * (1.0 + 1e-9)));
        let points = Points {
            observer: Observer::towards(self.from),
            wavenumber: vacuum_wavenumber(self.frequency),
            element: element(self.channel),
            frame: self.frame,
            grid: *grid,
            cells: vec![Complex64::ZERO; grid.cells()],
        };
        let points = body.illuminate(self.from, self.frequency, density, points)?;
        Ok(self.blurred(&points.cells, grid))
    }

    /// The points' spread cells, blurred along both axes and on their carrier.
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

/// The response to a point at whole cells from it, with the splines' transform divided out; `cell` is the size of
/// a cell in resolutions.
fn response(window: Window, cell: f64, count: usize) -> Vec<f64> {
    let samples = (SAMPLES * cell * count as f64).ceil().max(64.0) as usize;
    let weights = window.weights(samples);
    let total: f64 = weights.iter().sum();
    // Cycles per cell of every sample, and its weight over the transform of a cubic B-spline.
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

/// Received and transmitted polarisation as row and column of an amplitude.
pub(super) fn element(channel: Channel) -> [usize; 2] {
    match channel {
        Channel::VV => [0, 0],
        Channel::VH => [0, 1],
        Channel::HV => [1, 0],
        Channel::HH => [1, 1],
    }
}

/// Takes patches as points and spreads them onto cells.
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
    /// Cross-range and down-range of a patch.
    fn place(&self, patch: &Patch) -> [f64; 2] {
        let between = scaled(add(patch.entry, patch.point), 0.5);
        [
            dot(self.frame.across, between),
            0.5 * (patch.way - dot(self.observer.direction, patch.point)),
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

/// The cubic B-spline at the four cells around a place, which lies at `t` between the second and the third.
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
    use super::super::{Band, Turn};
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
                towards: [1.0, 0.0, 0.0],
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

    /// A corner of two plates and a plate behind it: single and double reflections.
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
            Turn::new(&directions).unwrap(),
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
        // Of the peak, phase included: second order in band and angle.
        assert!(worst < 0.05, "{worst}");
    }
}
