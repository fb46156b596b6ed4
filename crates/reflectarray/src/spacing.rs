//! Distances between rows and columns, free within limits, found together with the phases.
//!
//! A distance is d = d_min + (d_max − d_min)σ(t), so that any t keeps the limits. Amplitudes follow: field
//! times cell. Under that rule an aperiodic layout gains by its larger aperture; see the solver's page.

use num_complex::Complex64;
use wavefield_compute::observe::{Cancelled, Observer, Progress};

use crate::aperture::Aperture;
use crate::descent::descend;

const MEMORY: usize = 12;
/// Sharpness of the soft minimum and iterations.
const SCHEDULE: [(f64, usize); 3] = [(5.0, 100), (15.0, 100), (50.0, 100)];

/// Limits of the distances, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Least distance.
    pub least: f64,
    /// Largest distance.
    pub most: f64,
}

/// Distances between columns and between rows, m.
#[derive(Clone, Debug, PartialEq)]
pub struct Spacings {
    /// Between columns.
    pub columns: Vec<f64>,
    /// Between rows.
    pub rows: Vec<f64>,
}

/// An array whose distances and phases are free.
pub(crate) struct Free<'a> {
    /// Wavelength, feed and element are taken from this one.
    pub(crate) pattern: &'a Aperture,
    pub(crate) limits: Limits,
    /// Directions relative to the middle of the coverage.
    pub(crate) directions: &'a [[f64; 2]],
    pub(crate) centre: [f64; 2],
    pub(crate) reference: f64,
}

impl Free<'_> {
    /// Finds distances from phases at even distances of `first`; returns them and the soft minimum reached.
    pub(crate) fn find(
        &self,
        first: f64,
        phases: &[f64],
        observer: &dyn Observer,
    ) -> Result<(Spacings, f64), Cancelled> {
        let gaps = [self.pattern.columns.len() - 1, self.pattern.rows.len() - 1];
        let share = (first - self.limits.least) / (self.limits.most - self.limits.least);
        let t = (share / (1.0 - share)).ln();
        let mut at = phases.to_vec();
        at.extend(std::iter::repeat_n(t, gaps[0] + gaps[1]));
        let diagonal = vec![1.0; at.len()];
        let mut value = f64::INFINITY;
        for (step, (sharpness, iterations)) in SCHEDULE.into_iter().enumerate() {
            observer.checkpoint()?;
            observer.progress(&Progress::new(
                "spacing",
                step as u64,
                SCHEDULE.len() as u64,
            ));
            let goal = |at: &[f64], slope: &mut [f64]| self.goal(at, sharpness, slope);
            value = descend(goal, &mut at, iterations, MEMORY, &diagonal);
        }
        Ok((self.spacings(&at[phases.len()..]), -value))
    }

    fn spacings(&self, t: &[f64]) -> Spacings {
        let gaps: Vec<f64> = t
            .iter()
            .map(|t| {
                self.limits.least + (self.limits.most - self.limits.least) / (1.0 + (-t).exp())
            })
            .collect();
        let (columns, rows) = gaps.split_at(self.pattern.columns.len() - 1);
        Spacings {
            columns: columns.to_vec(),
            rows: rows.to_vec(),
        }
    }

    /// Minus the soft minimum, and its slope by phases and t.
    pub(crate) fn goal(&self, at: &[f64], sharpness: f64, slope: &mut [f64]) -> f64 {
        let elements = self.pattern.len();
        let (phases, t) = at.split_at(elements);
        let spacings = self.spacings(t);
        let Aperture {
            wavelength,
            feed,
            element,
            ..
        } = *self.pattern;
        let array = Aperture::new(wavelength, feed, element, &spacings.columns, &spacings.rows);
        let (nx, ny) = (array.columns.len(), array.rows.len());
        let k = array.wavenumber();
        let scale = array.scale();
        let excitation = array.excitation(phases);

        let waves = |axis: usize, places: &[f64]| -> Vec<Complex64> {
            self.directions
                .iter()
                .flat_map(|d| {
                    let cosine = d[axis] - self.centre[axis];
                    places.iter().map(move |p| Complex64::cis(k * cosine * p))
                })
                .collect()
        };
        let (waves_x, waves_y) = (waves(0, &array.columns), waves(1, &array.rows));
        let factors: Vec<f64> = self
            .directions
            .iter()
            .map(|&[u, v]| element.factor(u, v)[0])
            .collect();
        let field: Vec<Complex64> = waves_x
            .chunks_exact(nx)
            .zip(waves_y.chunks_exact(ny))
            .zip(&factors)
            .map(|((x, y), factor)| {
                let rows = excitation.chunks_exact(nx).zip(y);
                rows.map(|(row, wave)| {
                    row.iter().zip(x).map(|(a, b)| a * b).sum::<Complex64>() * wave
                })
                .sum::<Complex64>()
                    * factor
            })
            .collect();
        let relative: Vec<f64> = field
            .iter()
            .map(|f| scale * f.norm_sqr() / self.reference)
            .collect();
        let least = relative.iter().copied().fold(f64::INFINITY, f64::min);
        let weights: Vec<f64> = relative
            .iter()
            .map(|d| (-sharpness * (d - least)).exp())
            .collect();
        let sum: f64 = weights.iter().sum();

        // q = ∂f/∂D; b = 2s q F*; h = Σ b e, and with u and v before each term.
        let mut sums = [
            vec![Complex64::ZERO; elements],
            vec![Complex64::ZERO; elements],
            vec![Complex64::ZERO; elements],
        ];
        let mut weighted = 0.0;
        for (p, &[u, v]) in self.directions.iter().enumerate() {
            let q = -weights[p] / (sum * self.reference);
            if q == 0.0 {
                continue;
            }
            weighted += q * scale * field[p].norm_sqr();
            let b = field[p].conj() * (2.0 * scale * q * factors[p]);
            let cosines = [1.0, u - self.centre[0], v - self.centre[1]];
            let x = &waves_x[p * nx..(p + 1) * nx];
            for (row, wave) in waves_y[p * ny..(p + 1) * ny].iter().enumerate() {
                let bw = b * wave;
                for (sums, cosine) in sums.iter_mut().zip(cosines) {
                    let scaled = bw * cosine;
                    for (sum, x) in sums[row * nx..(row + 1) * nx].iter_mut().zip(x) {
                        *sum += scaled * x;
                    }
                }
            }
        }

        let power: f64 = array.captured / (wavelength * wavelength);
        let (mut by_x, mut by_y) = (vec![0.0; nx], vec![0.0; ny]);
        let (mut by_width, mut by_height) = (vec![0.0; nx], vec![0.0; ny]);
        for row in 0..ny {
            for column in 0..nx {
                let n = row * nx + column;
                let (width, height) = (array.column_widths[column], array.row_widths[row]);
                let lit = feed.at(array.columns[column], array.rows[row]);
                let x = excitation[n];
                slope[n] = -(x * sums[0][n]).im;
                let by_amplitude = (sums[0][n] * Complex64::cis(phases[n])).re;
                let area = width * height;
                let by_field = area * (by_amplitude - 2.0 * weighted * lit.field / power);
                let by_area = by_amplitude * lit.field - weighted * lit.field * lit.field / power;
                by_x[column] += -k * (x * sums[1][n]).im + by_field * lit.slope[0];
                by_y[row] += -k * (x * sums[2][n]).im + by_field * lit.slope[1];
                by_width[column] += by_area * height;
                by_height[row] += by_area * width;
            }
        }
        let by_gap = by_gaps(&by_x, &by_width)
            .into_iter()
            .chain(by_gaps(&by_y, &by_height));
        let range = self.limits.most - self.limits.least;
        for ((slope, by_gap), t) in slope[elements..].iter_mut().zip(by_gap).zip(t) {
            let share = 1.0 / (1.0 + (-t).exp());
            *slope = by_gap * range * share * (1.0 - share);
        }
        sum.ln() / sharpness - least
    }
}

/// Slopes by the gaps from those by places, which move to both sides of the middle, and by widths.
fn by_gaps(by_place: &[f64], by_width: &[f64]) -> Vec<f64> {
    let gaps = by_place.len() - 1;
    let all: f64 = by_place.iter().sum();
    let mut beyond = all;
    (0..gaps)
        .map(|gap| {
            beyond -= by_place[gap];
            let mut slope = beyond - 0.5 * all + 0.5 * (by_width[gap] + by_width[gap + 1]);
            // The cells at the ends reach as far outwards as inwards.
            if gap == 0 {
                slope += 0.5 * by_width[0];
            }
            if gap + 1 == gaps {
                slope += 0.5 * by_width[gaps];
            }
            slope
        })
        .collect()
}
