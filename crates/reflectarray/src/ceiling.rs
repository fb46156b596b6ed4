//! Max–min synthesis under a sidelobe mask: maximizes the minimum directivity over the coverage while the
//! directivity in every direction outside the transition stays below a level, by an augmented Lagrangian.
//!
//! The constraints are D ≤ level on a regular grid around the coverage, along the edge of the transition, and
//! at peaks in between, found on a grid over the whole visible region. Peaks are added to the constraints after
//! each round, and the grid grows to hold all that approach the level. Since none do far from the coverage, a
//! round costs little more than the unconstrained optimization.

use num_complex::Complex64;
use wavefield_numerics::observe::{Observer, Progress};

use crate::beam::Beam;
use crate::descent::{MEMORY, descend};
use crate::error::Error;
use crate::outside::Outside;
use crate::pattern::Pattern;
use crate::window::{Operator, Window};

/// Spacing of directions on the grid, and along the edge of the transition, beamwidths.
const GRID: f64 = 1.0 / 4.0;
const EDGE: f64 = 1.0 / 10.0;
/// The grid extends by this many beamwidths beyond peaks within this many decibels of the mask level.
const BEYOND: f64 = 2.0;
const NEAR_DB: f64 = 3.0;
/// Tolerance within which a peak coincides with a constraint, beamwidths.
const SAME: f64 = 1.0 / 48.0;
/// Sharpness of the soft minimum and iterations before the rounds.
const SHARPENED: [(f64, usize); 4] = [(5.0, 40), (15.0, 40), (50.0, 40), (150.0, 40)];
/// Sharpness in the first and in later rounds, and iterations of each.
const SHARPNESS: [f64; 2] = [500.0, 2000.0];
const ITERATIONS: usize = 50;
/// Rounds with the first sharpness, total rounds, and maximum rounds while the mask is violated.
const FIRST_ROUNDS: usize = 9;
const ROUNDS: usize = 12;
const MAX_ROUNDS: usize = 18;
/// Target distance of the peak below the mask level, dB. Multipliers are found by violation of their
/// constraints, whose level is therefore lowered by the last violation, at most by the margin.
const BELOW_DB: f64 = 0.01;
const MARGIN_DB: f64 = 0.2;
/// Initial and maximum penalty. The penalty doubles after a round whose violation exceeds the threshold and
/// half of the previous violation.
const FIRST_PENALTY: f64 = 1e-3;
const LAST_PENALTY: f64 = 0.2;
const EXCESS: f64 = 0.005;

/// Maximizes the minimum directivity under a sidelobe mask, from the given phases relative to a beam toward the
/// center of the coverage. The level may be infeasible: check the result by [`Outside::highest`].
///
/// # Errors
/// Returns an error if the run is cancelled or a transform cannot be planned.
pub(crate) fn hold(
    beam: &Beam<'_>,
    outside: &Outside<'_>,
    phases: &[f64],
    ceiling: f64,
    observer: &dyn Observer,
) -> Result<Vec<f64>, Error> {
    let mut at = phases.to_vec();
    let mut near = Near::new(outside, ceiling)?;
    near.take(outside, &at)?;
    for (sharpness, iterations) in SHARPENED {
        observer.checkpoint()?;
        near.descend(beam, &mut at, sharpness, iterations)?;
    }
    let mut before = f64::INFINITY;
    for round in 0..MAX_ROUNDS {
        observer.checkpoint()?;
        observer.progress(&Progress::new("sidelobe mask", round as u64, ROUNDS as u64));
        let highest = near.take(outside, &at)?;
        if round >= ROUNDS && highest <= ceiling {
            break;
        }
        let sharpness = SHARPNESS[usize::from(round >= FIRST_ROUNDS)];
        near.descend(beam, &mut at, sharpness, ITERATIONS)?;
        let excess = near.press(&beam.aperture.excitation(&at))?;
        if excess > EXCESS && excess > 0.5 * before {
            near.penalty = (2.0 * near.penalty).min(LAST_PENALTY);
        }
        before = excess;
    }
    Ok(at)
}

/// Constraints and their multipliers.
struct Near {
    /// Mask level, and the slightly lower level of the constraints.
    ceiling: f64,
    asked: f64,
    penalty: f64,
    /// Half widths of the grid, in directions.
    halves: [usize; 2],
    pattern: Pattern,
    /// Directivity of |F|² = 1 on the grid, zero where unconstrained, and multipliers.
    gain: Vec<f64>,
    grid_multipliers: Vec<f64>,
    /// Constraints at the edge of the transition and at peaks.
    points: Operator,
    scale: f64,
    multipliers: Vec<f64>,
}

/// Fields at the constraints.
struct Fields {
    grid: Vec<Complex64>,
    points: Vec<Complex64>,
}

impl Near {
    fn new(outside: &Outside<'_>, ceiling: f64) -> Result<Near, Error> {
        let edge = outside.edge_samples(EDGE)?;
        let halves = reach(outside, edge.iter().copied());
        let (pattern, gain, points) = laid(outside, halves, edge)?;
        Ok(Near {
            ceiling,
            asked: ceiling,
            penalty: FIRST_PENALTY,
            halves,
            pattern,
            grid_multipliers: vec![0.0; gain.len()],
            gain,
            multipliers: vec![0.0; points.directions().len()],
            points,
            scale: outside.aperture.scale(),
        })
    }

    /// Adds the peaks above the constraint level, enlarges the grid to hold those near the mask level, and
    /// lowers the constraint level by the violation of the highest peak, which is returned.
    fn take(&mut self, outside: &Outside<'_>, phases: &[f64]) -> Result<f64, Error> {
        let peaks = outside.peaks(phases, self.ceiling * below(NEAR_DB))?;
        let reached = reach(outside, peaks.iter().map(|peak| peak.direction));
        let halves = [0, 1].map(|axis| reached[axis].max(self.halves[axis]));
        if halves != self.halves {
            let directions = self.points.directions().to_vec();
            let (pattern, gain, points) = laid(outside, halves, directions)?;
            let mut multipliers = vec![0.0; gain.len()];
            let shift = [0, 1].map(|axis| halves[axis] - self.halves[axis]);
            let (old, new) = (2 * self.halves[1] + 1, 2 * halves[1] + 1);
            for (row, values) in self.grid_multipliers.chunks_exact(old).enumerate() {
                let first = (row + shift[0]) * new + shift[1];
                multipliers[first..first + old].copy_from_slice(values);
            }
            self.halves = halves;
            self.pattern = pattern;
            self.gain = gain;
            self.grid_multipliers = multipliers;
            self.points = points;
        }
        let same = SAME * outside.aperture.beamwidth();
        for peak in peaks.iter().filter(|peak| peak.directivity > self.asked) {
            let [u, v] = peak.direction;
            let apart = |[x, y]: &[f64; 2]| (u - x).hypot(v - y) > same;
            if self.points.directions().iter().all(apart) {
                self.points.extend([peak.direction]);
            }
        }
        self.multipliers.resize(self.points.directions().len(), 0.0);
        let highest = peaks
            .iter()
            .fold(0.0_f64, |most, peak| most.max(peak.directivity));
        let overstepped = (highest / self.asked).clamp(1.0, 1.0 / below(MARGIN_DB));
        self.asked = self.ceiling * below(BELOW_DB) / overstepped;
        Ok(highest)
    }

    fn fields(&self, excitation: &[Complex64]) -> Result<Fields, Error> {
        Ok(Fields {
            grid: self.pattern.field(excitation)?,
            points: self.points.field(excitation),
        })
    }

    /// Minimizes the augmented Lagrangian.
    fn descend(
        &self,
        beam: &Beam<'_>,
        at: &mut Vec<f64>,
        sharpness: f64,
        iterations: usize,
    ) -> Result<(), Error> {
        let mut failed = None;
        let goal = |phases: &[f64], gradient: &mut [f64]| {
            self.goal(beam, phases, sharpness, gradient)
                .unwrap_or_else(|error| {
                    failed = Some(error);
                    f64::NAN
                })
        };
        descend(goal, at, iterations, MEMORY, &beam.diagonal);
        failed.map_or(Ok(()), Err)
    }

    /// Evaluates the augmented Lagrangian and its gradient: the negative soft minimum plus Σ (max(0, μ + κc)² −
    /// μ²)/2κ over the constraints c = D/asked − 1 ≤ 0 with multipliers μ and penalty κ.
    fn goal(
        &self,
        beam: &Beam<'_>,
        phases: &[f64],
        sharpness: f64,
        gradient: &mut [f64],
    ) -> Result<f64, Error> {
        let mut value = beam.soft_minimum(phases, sharpness, gradient);
        let excitation = beam.aperture.excitation(phases);
        let mut fields = self.fields(&excitation)?;
        let mut weigh = |f: &mut Complex64, gain: f64, multiplier: f64| {
            let pressed = self.pressed(gain * f.norm_sqr(), multiplier);
            value += (pressed * pressed - multiplier * multiplier) / (2.0 * self.penalty);
            *f *= pressed * gain / self.asked;
        };
        let constraints = self.gain.iter().zip(&self.grid_multipliers);
        for (f, (&gain, &multiplier)) in fields.grid.iter_mut().zip(constraints) {
            weigh(f, gain, multiplier);
        }
        for (f, &multiplier) in fields.points.iter_mut().zip(&self.multipliers) {
            weigh(f, self.scale, multiplier);
        }
        // ∂/∂ψₙ = −2 Im(hₙ* xₙ), h = Σ f* q F.
        let back = self.pattern.adjoint(&fields.grid)?;
        let more = self.points.adjoint(&fields.points);
        for (gradient, ((a, b), x)) in gradient
            .iter_mut()
            .zip(back.iter().zip(&more).zip(&excitation))
        {
            *gradient -= 2.0 * ((a + b).conj() * x).im;
        }
        Ok(value)
    }

    /// Returns max(0, μ + κc).
    fn pressed(&self, directivity: f64, multiplier: f64) -> f64 {
        (multiplier + self.penalty * (directivity / self.asked - 1.0)).max(0.0)
    }

    /// Updates the multipliers; returns the largest violation D/asked − 1.
    fn press(&mut self, excitation: &[Complex64]) -> Result<f64, Error> {
        let fields = self.fields(excitation)?;
        let directivity = |f: &Complex64, gain: f64| gain * f.norm_sqr();
        let mut most = 0.0_f64;
        for n in 0..fields.grid.len() {
            let d = directivity(&fields.grid[n], self.gain[n]);
            most = most.max(d);
            self.grid_multipliers[n] = self.pressed(d, self.grid_multipliers[n]);
        }
        for n in 0..fields.points.len() {
            let d = directivity(&fields.points[n], self.scale);
            most = most.max(d);
            self.multipliers[n] = self.pressed(d, self.multipliers[n]);
        }
        Ok(most / self.asked - 1.0)
    }
}

/// Returns the power ratio of a reduction in decibels.
fn below(db: f64) -> f64 {
    10.0_f64.powf(-0.1 * db)
}

/// Returns the half widths of a grid that extends beyond the given directions.
fn reach(outside: &Outside<'_>, directions: impl Iterator<Item = [f64; 2]>) -> [usize; 2] {
    let beamwidth = outside.aperture.beamwidth();
    let furthest = directions.fold([0.0_f64; 2], |most, direction| {
        [0, 1].map(|axis| most[axis].max((direction[axis] - outside.center[axis]).abs()))
    });
    furthest.map(|most| ((most / beamwidth + BEYOND) / GRID).ceil() as usize)
}

/// Creates grid and operator of the given half widths.
fn laid(
    outside: &Outside<'_>,
    halves: [usize; 2],
    points: Vec<[f64; 2]>,
) -> Result<(Pattern, Vec<f64>, Operator), Error> {
    let grid = outside.around(GRID, halves);
    let half = halves.map(|half| grid.step * half as f64);
    let corners = [-1.0, 1.0].map(|side| [0, 1].map(|axis| grid.center[axis] + side * half[axis]));
    let window = Window::new(outside.aperture, corners)?;
    let gain = grid.directions().map(|direction| outside.gain(direction));
    Ok((
        outside.pattern(grid)?,
        gain.collect(),
        Operator::new(&window, points),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aperture::Aperture;
    use crate::continuous::quadratic;
    use crate::coverage::{Coverage, CoverageSpec, EllipseUv};
    use crate::directions::Directions;
    use crate::element::Element;
    use crate::feed::Feed;
    use wavefield_gpu::{Device, DeviceChoice};
    use wavefield_numerics::observe::Silent;
    use wavefield_physics::far_field::power_db;
    use wavefield_physics::quantity::Angle;

    const HALF_WIDTHS: [f64; 2] = [0.2, 0.14];

    fn array() -> Aperture {
        let feed = Feed {
            position: [0.0, -3.0, 8.0],
            exponent: 6.0,
        };
        Aperture::new(1.0, feed, Element::Aperture, &[0.5; 15], &[0.5; 15])
    }

    fn coverage() -> Coverage {
        let spec = CoverageSpec {
            ellipse: Some(EllipseUv {
                center: [0.05, 0.1],
                semi_axes: HALF_WIDTHS,
                rotation: Angle::from_degrees(20.0),
            }),
            ..CoverageSpec::default()
        };
        Coverage::new(&spec, None).unwrap()
    }

    fn beam<'a>(aperture: &'a Aperture, coverage: &Coverage) -> Beam<'a> {
        let samples = Directions::sampled(coverage, aperture.beamwidth() / 8.0).unwrap();
        let window = Window::new(aperture, coverage.bounds()).unwrap();
        let reference = 4.0 * std::f64::consts::PI / coverage.area() / 3.0;
        Beam::new(aperture, Operator::new(&window, samples.all), reference)
    }

    fn device(threads: usize) -> Device {
        Device::open(&DeviceChoice::Cpu, Some(threads)).unwrap()
    }

    #[test]
    fn sidelobes_come_below_the_ceiling_between_all_grids() {
        let (aperture, coverage, device) = (array(), coverage(), device(1));
        let beam = beam(&aperture, &coverage);
        let beamwidth = aperture.beamwidth();
        let outside = Outside::new(&device, &aperture, &coverage, beamwidth).unwrap();
        let start = quadratic(&aperture, HALF_WIDTHS, [0.6, 0.6]);
        let free = hold(&beam, &outside, &start, 1e6, &Silent).unwrap();
        let ceiling = outside.highest(&free).unwrap() * below(4.0);
        let held = hold(&beam, &outside, &start, ceiling, &Silent).unwrap();
        // Absolute aperture phases, and direct summation on a grid of another pitch.
        let steering = beam.operator.window().steering();
        let phases: Vec<f64> = held.iter().zip(&steering).map(|(p, s)| p - s).collect();
        let step = beamwidth / 17.0;
        let count = (1.0 / step).floor() as i64;
        let masks = coverage.masks(beamwidth);
        let axis = || (-count..=count).map(|i| i as f64 * step);
        let directions: Vec<[f64; 2]> = axis()
            .flat_map(|u| axis().map(move |v| [u, v]))
            .filter(|[u, v]| u.hypot(*v) <= 1.0)
            .filter(|&[u, v]| masks.zone(u, v) == crate::coverage::Zone::Outside)
            .collect();
        let directivity = aperture.directivity(&phases, &directions);
        let highest = directivity.into_iter().fold(0.0, f64::max);
        // Peaks between the evaluated directions may be slightly higher.
        assert!(power_db(highest / ceiling) < 0.02, "{highest} {ceiling}");
        assert!(power_db(outside.highest(&held).unwrap() / ceiling) < 0.02);
        let given_up = beam.least_dbi(&free) - beam.least_dbi(&held);
        assert!((-0.05..1.5).contains(&given_up), "{given_up}");
    }

    #[test]
    fn the_slope_of_the_augmented_goal_is_that_of_its_differences() {
        let (aperture, coverage, device) = (array(), coverage(), device(1));
        let beam = beam(&aperture, &coverage);
        let outside = Outside::new(&device, &aperture, &coverage, aperture.beamwidth()).unwrap();
        let phases = quadratic(&aperture, HALF_WIDTHS, [0.6, -0.6]);
        let mut near = Near::new(&outside, 0.3 * outside.highest(&phases).unwrap()).unwrap();
        near.take(&outside, &phases).unwrap();
        near.press(&aperture.excitation(&phases)).unwrap();
        let along: Vec<f64> = (0..phases.len()).map(|n| (n as f64 * 1.7).sin()).collect();
        let mut gradient = vec![0.0; phases.len()];
        near.goal(&beam, &phases, 20.0, &mut gradient).unwrap();
        let exact: f64 = gradient.iter().zip(&along).map(|(s, a)| s * a).sum();
        let difference = |h: f64| {
            let value = |h: f64| {
                let moved: Vec<f64> = phases.iter().zip(&along).map(|(p, a)| p + h * a).collect();
                let mut gradient = vec![0.0; moved.len()];
                near.goal(&beam, &moved, 20.0, &mut gradient).unwrap()
            };
            (value(h) - value(-h)) / (2.0 * h)
        };
        // max(0, ·)² has a discontinuous second derivative: extrapolation gains three digits over the central
        // difference, not six.
        let found = (4.0 * difference(5e-4) - difference(1e-3)) / 3.0;
        assert!((found / exact - 1.0).abs() < 1e-5, "{found} {exact}");
    }

    #[test]
    fn the_number_of_threads_does_not_change_a_bit() {
        let (aperture, coverage) = (array(), coverage());
        let beam = beam(&aperture, &coverage);
        let start = quadratic(&aperture, HALF_WIDTHS, [0.6, 0.6]);
        let run = |threads: usize| {
            let device = device(threads);
            let outside =
                Outside::new(&device, &aperture, &coverage, aperture.beamwidth()).unwrap();
            hold(&beam, &outside, &start, 5.0, &Silent).unwrap()
        };
        assert_eq!(run(1), run(2));
    }
}
