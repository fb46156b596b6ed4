//! Directivity outside the coverage: visible directions u² + v² ≤ 1 outside the transition.

use num_complex::Complex64;
use wavefield_gpu::Device;

use crate::aperture::Aperture;
use crate::coverage::{Coverage, Zone};
use crate::error::Error;
use crate::pattern::{Grid, Pattern};

/// Spacing of evaluated directions, and of those along the edge of the transition, where patterns are steepest,
/// beamwidths.
const EVALUATION: f64 = 1.0 / 12.0;
const JUDGED_EDGE: f64 = 1.0 / 32.0;
/// Maximum number of directions of a tile along each axis, which bounds the memory.
const TILE: f64 = 256.0;
/// Tolerance of the transforms relative to the total field: 60 dB below the beam.
const TOLERANCE: f64 = 1e-5;

/// Directions outside the transition of an array's coverage.
#[derive(Debug)]
pub(crate) struct Outside<'a> {
    pub(crate) aperture: &'a Aperture,
    device: &'a Device,
    coverage: &'a Coverage,
    transition: f64,
    /// Direction of the beam to which phases are relative.
    pub(crate) center: [f64; 2],
    edge: Vec<[f64; 2]>,
    /// One tile of the visible region, and the centers of all tiles.
    tile: Pattern,
    middles: Vec<[f64; 2]>,
}

/// A local maximum of the pattern.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peak {
    pub(crate) direction: [f64; 2],
    pub(crate) directivity: f64,
}

impl<'a> Outside<'a> {
    /// Creates the directions outside a transition of the given width in direction cosines.
    ///
    /// # Errors
    /// Returns an error if the transition is invalid or a transform cannot be planned.
    pub(crate) fn new(
        device: &'a Device,
        aperture: &'a Aperture,
        coverage: &'a Coverage,
        transition: f64,
    ) -> Result<Outside<'a>, Error> {
        let step = EVALUATION * aperture.beamwidth();
        let number = (1.0 / (step * TILE)).ceil();
        let count = (1.0 / (step * number)).ceil() + 1.0;
        let grid = Grid {
            center: [0.0; 2],
            step,
            counts: [count as usize; 2],
        };
        let (width, number) = (step * count, number as i64);
        let half = 0.5 * width;
        let axis = || (-number..number).map(move |i| half + width * i as f64);
        // The nearest point of a tile to the normal of the array.
        let nearest = |middle: f64| (middle.abs() - half).max(0.0);
        let middles = axis()
            .flat_map(|u| axis().map(move |v| [u, v]))
            .filter(|[u, v]| nearest(*u).hypot(nearest(*v)) <= 1.0)
            .collect();
        let [low, high] = coverage.bounds();
        let mut outside = Outside {
            center: [0, 1].map(|axis| 0.5 * (low[axis] + high[axis])),
            edge: Vec::new(),
            tile: pattern(device, aperture, grid)?,
            middles,
            aperture,
            device,
            coverage,
            transition,
        };
        let step = JUDGED_EDGE * aperture.beamwidth();
        outside.edge = visible(coverage.transition_points(transition, step)?);
        Ok(outside)
    }

    /// Returns a grid of directions around the center of the coverage; the step is in beamwidths, and v runs
    /// fastest.
    pub(crate) fn around(&self, step: f64, halves: [usize; 2]) -> Grid {
        Grid {
            center: self.center,
            step: step * self.aperture.beamwidth(),
            counts: halves.map(|half| 2 * half + 1),
        }
    }

    /// Plans the array factor of relative phases on a grid.
    pub(crate) fn pattern(&self, grid: Grid) -> Result<Pattern, Error> {
        let center = [0, 1].map(|axis| grid.center[axis] - self.center[axis]);
        pattern(self.device, self.aperture, Grid { center, ..grid })
    }

    /// Returns visible directions along the edge of the transition; the step is in beamwidths.
    pub(crate) fn edge_samples(&self, step: f64) -> Result<Vec<[f64; 2]>, Error> {
        let step = step * self.aperture.beamwidth();
        let samples = self.coverage.transition_samples(self.transition, step)?;
        Ok(visible(samples))
    }

    /// Returns the co-polar directivity of |F|² = 1 toward a direction, zero where it is unconstrained.
    pub(crate) fn gain(&self, [u, v]: [f64; 2]) -> f64 {
        let [low, high] = self.coverage.bounds();
        let near = [u, v].iter().enumerate().all(|(axis, &cosine)| {
            (low[axis] - self.transition..=high[axis] + self.transition).contains(&cosine)
        });
        if u.hypot(v) > 1.0
            || near && self.coverage.masks(self.transition).zone(u, v) != Zone::Outside
        {
            return 0.0;
        }
        self.aperture.scale() * self.aperture.element.factor(u, v)[0].powi(2)
    }

    /// Returns the local maxima of the pattern of relative phases, and edge samples of the transition above a
    /// level.
    pub(crate) fn peaks(&self, phases: &[f64], level: f64) -> Result<Vec<Peak>, Error> {
        let (aperture, k) = (self.aperture, self.aperture.wavenumber());
        let excitation = aperture.excitation(phases);
        let turned = |[u, v]: [f64; 2]| -> Vec<Complex64> {
            let wave = |cosine: f64, places: &[f64]| -> Vec<Complex64> {
                let phase = k * cosine;
                places.iter().map(|p| Complex64::cis(phase * p)).collect()
            };
            let x = wave(u - self.center[0], &aperture.columns);
            let y = wave(v - self.center[1], &aperture.rows);
            let waves = y.iter().flat_map(|y| x.iter().map(move |x| x * y));
            excitation.iter().zip(waves).map(|(e, w)| e * w).collect()
        };
        let mut peaks = Vec::new();
        for &middle in &self.middles {
            let field = self.tile.field(&turned(middle))?;
            let grid = Grid {
                center: middle,
                ..*self.tile.grid()
            };
            let directivity: Vec<f64> = field
                .iter()
                .zip(grid.directions())
                .map(|(f, direction)| self.gain(direction) * f.norm_sqr())
                .collect();
            for (number, (&here, direction)) in
                directivity.iter().zip(grid.directions()).enumerate()
            {
                if here > level && highest_around(&directivity, grid.counts, number) {
                    peaks.push(Peak {
                        direction,
                        directivity: here,
                    });
                }
            }
        }
        let absolute: Vec<f64> = aperture
            .places()
            .zip(phases)
            .map(|([x, y], phase)| phase - k * (self.center[0] * x + self.center[1] * y))
            .collect();
        let along = aperture.directivity(&absolute, &self.edge);
        let above = self.edge.iter().zip(along).filter(|(_, d)| *d > level);
        peaks.extend(above.map(|(&direction, directivity)| Peak {
            direction,
            directivity,
        }));
        Ok(peaks)
    }

    /// Returns the peak directivity of relative phases over all directions outside.
    pub(crate) fn highest(&self, phases: &[f64]) -> Result<f64, Error> {
        let peaks = self.peaks(phases, 0.0)?;
        Ok(peaks
            .iter()
            .fold(0.0, |most, peak| peak.directivity.max(most)))
    }
}

/// Removes directions outside the visible region.
fn visible(mut directions: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    directions.retain(|[u, v]| u.hypot(*v) <= 1.0);
    directions
}

fn pattern(device: &Device, aperture: &Aperture, grid: Grid) -> Result<Pattern, Error> {
    let (x, y): (Vec<f64>, Vec<f64>) = aperture.places().map(|[x, y]| (x, y)).unzip();
    Pattern::with_tolerance(device, grid, aperture.wavenumber(), &x, &y, TOLERANCE)
}

/// Returns whether a direction of a tile is a local maximum.
fn highest_around(directivity: &[f64], [rows, columns]: [usize; 2], number: usize) -> bool {
    let near = |i: usize, count: usize| i.saturating_sub(1)..=(i + 1).min(count - 1);
    near(number / columns, rows).all(|row| {
        near(number % columns, columns)
            .all(|column| directivity[row * columns + column] <= directivity[number])
    })
}
