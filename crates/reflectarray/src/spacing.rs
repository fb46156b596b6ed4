//! Joint synthesis of row and column spacings, free within limits, and phases.
//!
//! A spacing is d = d_min + (d_max − d_min)σ(t), so that the limits hold for any t. First t is a Lagrange
//! polynomial of few nodes along rows and columns and the phases are Zernike polynomials, few enough unknowns
//! for a global search; then the orders increase; finally every spacing and every phase is free. Amplitudes
//! follow as aperture field times cell area. Under that rule an aperiodic layout gains by its larger aperture;
//! see the solver's page.

use num_complex::Complex64;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use wavefield_numerics::observe::{Cancelled, Observer, Progress};

use crate::aperture::Aperture;
use crate::beam::soft_minimum;
use crate::descent::{self, descend};
use crate::directions::Directions;
use crate::lagrange;
use crate::modes::Modes;
use crate::multistart;
use crate::synthesis::{Stage, Step};
use crate::zernike;

/// Sharpness of the soft minimum for low-order polynomials.
const SMOOTH: f64 = 5.0;
/// Nodes along each axis, and range of t, of the global search; iterations of local searches.
const NODES: usize = 3;
const RANGE: f64 = 1.0;
const SEARCH: usize = 40;
/// Number of minima that are continued; degree, nodes, and iterations of the higher-order set.
const FOLLOWED: usize = 3;
const ENLARGED: (u32, usize, usize) = (6, 6, 60);
/// Sharpness and iterations of individual phases and spacings.
const SCHEDULE: [(f64, usize); 3] = [(5.0, 100), (15.0, 100), (50.0, 100)];
const MEMORY: usize = 12;
/// Minimum and maximum fraction of their range at which spacings start.
const BEGUN: (f64, f64) = (0.3, 0.7);
/// t of the largest uniform array to start from: nine tenths of the range.
const WIDEST: f64 = 2.2;

/// Limits of the spacings, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Minimum spacing, m.
    pub least: f64,
    /// Maximum spacing, m.
    pub most: f64,
}

/// Spacings between columns and between rows, m.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spacings {
    /// Spacings between columns, m.
    pub columns: Vec<f64>,
    /// Spacings between rows, m.
    pub rows: Vec<f64>,
}

/// An array with free spacings and phases.
pub(crate) struct Free<'a> {
    /// Template of wavelength, feed, and element pattern.
    pub(crate) pattern: &'a Aperture,
    pub(crate) limits: Limits,
    /// Directions relative to the center of the coverage.
    pub(crate) directions: &'a [[f64; 2]],
    pub(crate) center: [f64; 2],
    pub(crate) reference: f64,
    /// Directions in which steps are evaluated.
    pub(crate) evaluated: &'a Directions,
}

/// Synthesized spacings and optimization steps.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Spaced {
    pub(crate) spacings: Spacings,
    pub(crate) steps: Vec<Step>,
}

/// An optimization line of spacings and phases.
struct Line {
    value: f64,
    /// Phases and t.
    at: Vec<f64>,
    fields: usize,
    steps: Vec<Step>,
}

/// Phases and spacings as modal expansions.
struct Reduced<'a> {
    free: &'a Free<'a>,
    phases: Modes,
    columns: Modes,
    rows: Modes,
    /// t of the spacings for zero coefficients.
    begun: &'a [f64],
    /// Scale factors of the coefficients.
    units: Vec<f64>,
}

impl<'a> Reduced<'a> {
    fn new(free: &'a Free<'a>, begun: &'a [f64], degree: u32, nodes: usize) -> Reduced<'a> {
        let phases = zernike::modes(free.pattern, degree);
        let axis = |places: &[f64]| lagrange::modes(places.len() - 1, nodes);
        let (columns, rows) = (axis(&free.pattern.columns), axis(&free.pattern.rows));
        Reduced {
            units: vec![1.0; phases.count() + columns.count() + rows.count()],
            free,
            phases,
            columns,
            rows,
            begun,
        }
    }

    fn expand(&self, at: &[f64]) -> Vec<f64> {
        let scaled: Vec<f64> = at.iter().zip(&self.units).map(|(a, u)| a * u).collect();
        let (phases, rest) = scaled.split_at(self.phases.count());
        let (columns, rows) = rest.split_at(self.columns.count());
        let mut all = self.phases.expand(phases);
        let moved = self.columns.expand(columns).into_iter();
        let moved = moved.chain(self.rows.expand(rows));
        all.extend(moved.zip(self.begun).map(|(t, begun)| t + begun));
        all
    }

    fn goal(&self, at: &[f64], gradient: &mut [f64]) -> f64 {
        let all = self.expand(at);
        let mut by_all = vec![0.0; all.len()];
        let value = self.free.goal(&all, SMOOTH, &mut by_all);
        let (phases, rest) = gradient.split_at_mut(self.phases.count());
        let (columns, rows) = rest.split_at_mut(self.columns.count());
        let (by_phase, by_gap) = by_all.split_at(self.free.pattern.len());
        let (by_column, by_row) = by_gap.split_at(self.free.pattern.columns.len() - 1);
        self.phases.reduce(by_phase, phases);
        self.columns.reduce(by_column, columns);
        self.rows.reduce(by_row, rows);
        for (gradient, unit) in gradient.iter_mut().zip(&self.units) {
            *gradient *= unit;
        }
        value
    }

    /// Minimizes the objective; returns its final value and the number of field evaluations.
    fn descend(&self, at: &mut Vec<f64>, iterations: usize) -> (f64, usize) {
        let diagonal = vec![1.0; at.len()];
        let mut fields = 0;
        let goal = |at: &[f64], gradient: &mut [f64]| {
            fields += 1;
            self.goal(at, gradient)
        };
        let value = descend(goal, at, iterations, descent::MEMORY, &diagonal);
        (value, fields)
    }
}

impl Free<'_> {
    /// Synthesizes the spacings. `wanted` is the excitation of a continuous aperture; initial cell sizes are
    /// proportional to its amplitude relative to the illumination.
    pub(crate) fn find(
        &self,
        half_widths: [f64; 2],
        wanted: &[Complex64],
        observer: &dyn Observer,
    ) -> Result<Spaced, Cancelled> {
        let begun = self.begun(wanted);
        let mut few = Reduced::new(self, &begun, zernike::SEARCHED, NODES);
        let ranges = zernike::ranges(self.pattern, half_widths);
        few.units.fill(RANGE);
        few.units[..ranges.len()].copy_from_slice(&ranges);
        let found = multistart::search(
            few.units.len(),
            |at| few.goal(at, &mut vec![0.0; at.len()]),
            |at| {
                let mut at = at.to_vec();
                (few.descend(&mut at, SEARCH).0, at)
            },
            observer,
        )?;
        // The same phases on the largest uniform array are a second start, because a dense center is a separate
        // basin.
        let widest = vec![WIDEST; begun.len()];
        let mut wide = Reduced::new(self, &widest, zernike::SEARCHED, NODES);
        wide.units.clone_from(&few.units);
        let mut lines: Vec<(&Reduced<'_>, Vec<f64>)> = Vec::new();
        for minimum in found.minima.iter().take(FOLLOWED) {
            let mut even = minimum.at.clone();
            even[ranges.len()..].fill(0.0);
            lines.push((&few, minimum.at.clone()));
            lines.push((&wide, even));
        }
        let ended: Vec<Line> = lines
            .par_iter()
            .map(|(reduced, at)| self.follow(reduced, at, observer))
            .collect::<Result<_, Cancelled>>()?;
        let best = ended
            .into_iter()
            .reduce(|best, other| {
                if other.value < best.value {
                    other
                } else {
                    best
                }
            })
            .expect("a global search starts at least at its lowest point");
        Ok(Spaced {
            spacings: self.spacings(&best.at[self.pattern.len()..]),
            steps: best.steps,
        })
    }

    /// Optimizes from a minimum of the global search to individual phases and spacings.
    fn follow(
        &self,
        few: &Reduced<'_>,
        found: &[f64],
        observer: &dyn Observer,
    ) -> Result<Line, Cancelled> {
        let mut line = Line {
            value: f64::INFINITY,
            at: few.expand(found),
            fields: SEARCH,
            steps: Vec::new(),
        };
        self.note(&mut line, Stage::Multistart, found.len());
        let (degree, nodes, iterations) = ENLARGED;
        let more = Reduced::new(self, few.begun, degree, nodes);
        let scaled: Vec<f64> = found.iter().zip(&few.units).map(|(a, u)| a * u).collect();
        let (phases, rest) = scaled.split_at(few.phases.count());
        let mut at = phases.to_vec();
        at.resize(more.phases.count(), 0.0);
        for axis in rest.chunks_exact(NODES) {
            at.extend(lagrange::refined(axis, nodes));
        }
        line.fields += more.descend(&mut at, iterations).1;
        line.at = more.expand(&at);
        self.note(&mut line, Stage::Enlarged, at.len());
        let diagonal = vec![1.0; line.at.len()];
        for (step, (sharpness, iterations)) in SCHEDULE.into_iter().enumerate() {
            observer.checkpoint()?;
            let (done, total) = (step as u64, SCHEDULE.len() as u64);
            observer.progress(&Progress::new("spacing", done, total));
            let fields = &mut line.fields;
            let goal = |at: &[f64], gradient: &mut [f64]| {
                *fields += 1;
                self.goal(at, sharpness, gradient)
            };
            line.value = descend(goal, &mut line.at, iterations, MEMORY, &diagonal);
            let unknowns = line.at.len();
            self.note(&mut line, Stage::Individual, unknowns);
        }
        Ok(line)
    }

    /// Records an optimization step.
    fn note(&self, line: &mut Line, stage: Stage, unknowns: usize) {
        let (phases, t) = line.at.split_at(self.pattern.len());
        let array = self.array(&self.spacings(t));
        let k = array.wavenumber();
        let [u, v] = self.center;
        let phases: Vec<f64> = array
            .places()
            .zip(phases)
            .map(|([x, y], phase)| phase - k * (u * x + v * y))
            .collect();
        let directivity = array.directivity(&phases, &self.evaluated.all);
        line.steps.push(Step {
            stage,
            unknowns,
            fields: line.fields,
            metrics: self.evaluated.evaluate(&directivity),
        });
    }

    /// Returns the array of the given spacings.
    pub(crate) fn array(&self, spacings: &Spacings) -> Aperture {
        let Aperture {
            wavelength,
            feed,
            element,
            ..
        } = *self.pattern;
        Aperture::new(wavelength, feed, element, &spacings.columns, &spacings.rows)
    }

    /// Returns t of spacings proportional to the wanted amplitude relative to the illumination, mid-range on
    /// average.
    fn begun(&self, wanted: &[Complex64]) -> Vec<f64> {
        let (columns, rows) = (self.pattern.columns.len(), self.pattern.rows.len());
        let mut sums = [vec![[0.0; 2]; columns], vec![[0.0; 2]; rows]];
        for (n, (x, amplitude)) in wanted.iter().zip(&self.pattern.amplitude).enumerate() {
            for (axis, place) in [n % columns, n / columns].into_iter().enumerate() {
                sums[axis][place][0] += x.norm();
                sums[axis][place][1] += amplitude;
            }
        }
        let mut all = Vec::new();
        for axis in sums {
            let cells: Vec<f64> = axis
                .iter()
                .map(|[wanted, illumination]| wanted / illumination)
                .collect();
            let mean = cells.iter().sum::<f64>() / cells.len() as f64;
            let Limits { least, most } = self.limits;
            all.extend(cells.windows(2).map(|pair| {
                let gap = 0.5 * (least + most) * 0.5 * (pair[0] + pair[1]) / mean;
                let share = ((gap - least) / (most - least)).clamp(BEGUN.0, BEGUN.1);
                (share / (1.0 - share)).ln()
            }));
        }
        all
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

    /// Evaluates the negative soft minimum and its gradient with respect to phases and t.
    pub(crate) fn goal(&self, at: &[f64], sharpness: f64, gradient: &mut [f64]) -> f64 {
        let elements = self.pattern.len();
        let (phases, t) = at.split_at(elements);
        let array = self.array(&self.spacings(t));
        let Aperture {
            wavelength,
            feed,
            element,
            ..
        } = array;
        let (nx, ny) = (array.columns.len(), array.rows.len());
        let k = array.wavenumber();
        let scale = array.scale();
        let excitation = array.excitation(phases);

        let waves = |axis: usize, places: &[f64]| -> Vec<Complex64> {
            self.directions
                .iter()
                .flat_map(|d| {
                    let cosine = d[axis] - self.center[axis];
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
        let directivity: Vec<f64> = field.iter().map(|f| scale * f.norm_sqr()).collect();
        let (value, weights) = soft_minimum(&directivity, self.reference, sharpness);

        // q = ∂f/∂D; b = 2s q F*; h = Σ b e, and the same weighted by u and v.
        let mut sums = [
            vec![Complex64::ZERO; elements],
            vec![Complex64::ZERO; elements],
            vec![Complex64::ZERO; elements],
        ];
        let mut weighted = 0.0;
        for (p, &[u, v]) in self.directions.iter().enumerate() {
            let q = -weights[p] / self.reference;
            if q == 0.0 {
                continue;
            }
            weighted += q * directivity[p];
            let b = field[p].conj() * (2.0 * scale * q * factors[p]);
            let cosines = [1.0, u - self.center[0], v - self.center[1]];
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
                let illumination = feed.at(array.columns[column], array.rows[row]);
                let x = excitation[n];
                gradient[n] = -(x * sums[0][n]).im;
                let by_amplitude = (sums[0][n] * Complex64::cis(phases[n])).re;
                let area = width * height;
                let by_field = area * (by_amplitude - 2.0 * weighted * illumination.field / power);
                let by_area = by_amplitude * illumination.field
                    - weighted * illumination.field * illumination.field / power;
                by_x[column] += -k * (x * sums[1][n]).im + by_field * illumination.gradient[0];
                by_y[row] += -k * (x * sums[2][n]).im + by_field * illumination.gradient[1];
                by_width[column] += by_area * height;
                by_height[row] += by_area * width;
            }
        }
        let by_gap = by_gaps(&by_x, &by_width)
            .into_iter()
            .chain(by_gaps(&by_y, &by_height));
        let range = self.limits.most - self.limits.least;
        for ((gradient, by_gap), t) in gradient[elements..].iter_mut().zip(by_gap).zip(t) {
            let share = 1.0 / (1.0 + (-t).exp());
            *gradient = by_gap * range * share * (1.0 - share);
        }
        value
    }
}

/// Computes derivatives with respect to spacings from those with respect to positions, which shift on both
/// sides of the center, and to cell widths.
fn by_gaps(by_place: &[f64], by_width: &[f64]) -> Vec<f64> {
    let gaps = by_place.len() - 1;
    let all: f64 = by_place.iter().sum();
    let mut beyond = all;
    (0..gaps)
        .map(|gap| {
            beyond -= by_place[gap];
            let mut gradient = beyond - 0.5 * all + 0.5 * (by_width[gap] + by_width[gap + 1]);
            // End cells are symmetric about their elements.
            if gap == 0 {
                gradient += 0.5 * by_width[0];
            }
            if gap + 1 == gaps {
                gradient += 0.5 * by_width[gaps];
            }
            gradient
        })
        .collect()
}
