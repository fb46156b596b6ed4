//! Stages of the phase synthesis.
//!
//! 1. Continuous aperture with free amplitudes ([`continuous`](crate::continuous)): its phases start one line.
//! 2. Phases by a few Zernike polynomials: global search for the minimum distance from the mask, whose lower
//!    level is the certified bound over the whole coverage. Its distinct minima start the other lines.
//! 3. Increasing polynomial order, each set starting from the result of the previous one.
//! 4. Individual element phases, still by the distance from the mask.
//! 5. Max–min optimization ([`max_min`]) of the best lines.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use wavefield_numerics::observe::{Observer, Progress};
use wavefield_solver::checkpoint::{CheckpointStore, load_or_compute};

use crate::beam::Beam;
use crate::continuous::Continuous;
use crate::descent::{MEMORY, descend};
use crate::directions::{CoverageMetrics, Directions};
use crate::error::Error;
use crate::max_min;
use crate::multistart;
use crate::window::Operator;
use crate::zernike;

/// Degrees of the higher-order polynomial sets.
const ENLARGED: [u32; 5] = [3, 4, 6, 8, 11];
/// Iterations of a local search, of each higher-order set, and of individual phases.
const SEARCH: usize = 40;
const ENLARGE: usize = 40;
const INDIVIDUAL: usize = 60;
/// Number of minima of the global search that are continued, and of lines that reach the last stage.
const FOLLOWED: usize = 12;
const CANDIDATES: usize = 6;
/// Results within this tolerance are the same optimum, dB.
const SAME_DB: f64 = 0.004;

/// An optimization step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Stage of the step.
    pub stage: Stage,
    /// Number of unknowns.
    pub unknowns: usize,
    /// Cumulative number of field evaluations.
    pub fields: usize,
    /// Directivity over the coverage.
    pub metrics: CoverageMetrics,
}

/// Stages of the synthesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// Continuous aperture with free amplitudes.
    Continuous,
    /// Zernike polynomials, global search.
    Multistart,
    /// Higher-order Zernike polynomials.
    Enlarged,
    /// Individual element phases, by the distance from the mask.
    Individual,
    /// Max–min optimization.
    MaxMin,
}

/// An optimization line: a starting point with its subsequent stages.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Line {
    /// Initial phases.
    pub(crate) start: Vec<f64>,
    /// Current phases, relative to a beam toward the center of the window.
    pub(crate) phases: Vec<f64>,
    /// Number of field evaluations.
    pub(crate) fields: usize,
    pub(crate) steps: Vec<Step>,
}

impl Line {
    fn new(start: Vec<f64>) -> Line {
        Line {
            phases: start.clone(),
            start,
            fields: 0,
            steps: Vec::new(),
        }
    }

    /// Records an optimization step.
    pub(crate) fn note(&mut self, stage: Stage, unknowns: usize, evaluator: &Evaluator<'_>) {
        self.steps.push(Step {
            stage,
            unknowns,
            fields: self.fields,
            metrics: evaluator.evaluate(&self.phases),
        });
    }

    fn reached(&self) -> f64 {
        let last = self.steps.last();
        last.map_or(f64::NEG_INFINITY, |step| step.metrics.least_dbi)
    }
}

/// Evaluates phases in directions finer than the samples of the optimization.
pub(crate) struct Evaluator<'a> {
    beam: &'a Beam<'a>,
    operator: Operator,
    directions: &'a Directions,
}

impl<'a> Evaluator<'a> {
    fn new(beam: &'a Beam<'a>, directions: &'a Directions) -> Evaluator<'a> {
        Evaluator {
            beam,
            operator: Operator::new(beam.operator.window(), directions.all.clone()),
            directions,
        }
    }

    pub(crate) fn directions(&self) -> &[[f64; 2]] {
        &self.directions.all
    }

    pub(crate) fn directivity(&self, phases: &[f64]) -> Vec<f64> {
        let aperture = self.beam.aperture;
        let scale = aperture.scale();
        let field = self.operator.field(&aperture.excitation(phases));
        field.iter().map(|f| scale * f.norm_sqr()).collect()
    }

    fn evaluate(&self, phases: &[f64]) -> CoverageMetrics {
        self.directions.evaluate(&self.directivity(phases))
    }
}

/// Runs all stages and returns the lines, the best first; lines that completed the last stage precede the
/// others. `level` is the lower level of the mask, `part` the prefix of the checkpoint sections.
pub(crate) fn synthesize(
    beam: &Beam<'_>,
    half_widths: [f64; 2],
    continuous: Option<&Continuous>,
    level: f64,
    fine: &Directions,
    (checkpoints, part): (&dyn CheckpointStore, &str),
    observer: &dyn Observer,
) -> Result<Vec<Line>, Error> {
    let evaluator = Evaluator::new(beam, fine);
    let lines = load_or_compute(checkpoints, &format!("{part}: lines"), || {
        let mut lines = polynomials(beam, half_widths, level, &evaluator, observer)?;
        if let Some(continuous) = continuous {
            let phases = continuous.excitation.iter().map(|x| x.arg()).collect();
            let mut line = Line::new(phases);
            line.fields = continuous.fields;
            line.note(
                Stage::Continuous,
                2 * beam.operator.window().rank(),
                &evaluator,
            );
            individual(beam, level, &evaluator, &mut line);
            lines.push(line);
        }
        lines.sort_by(|a, b| b.reached().total_cmp(&a.reached()));
        Ok::<_, Error>(lines)
    })?;
    let (mut chosen, mut left) = (Vec::<Line>::new(), Vec::new());
    for line in lines {
        let differs = |other: &Line| (other.reached() - line.reached()).abs() > SAME_DB;
        if chosen.len() < CANDIDATES && chosen.iter().all(differs) {
            chosen.push(line);
        } else {
            left.push(line);
        }
    }
    observer.progress(&Progress::new("max–min", 0, 1));
    let mut finished: Vec<Line> = chosen
        .into_par_iter()
        .enumerate()
        .map(|(number, mut line)| {
            load_or_compute(checkpoints, &format!("{part}: line {number}"), || {
                observer.checkpoint()?;
                max_min::finish(beam, &evaluator, &mut line);
                Ok(line)
            })
        })
        .collect::<Result<_, Error>>()?;
    finished.sort_by(|a, b| b.reached().total_cmp(&a.reached()));
    finished.extend(left);
    Ok(finished)
}

/// Optimizes lines from a global search over few polynomials to individual phases.
fn polynomials(
    beam: &Beam<'_>,
    half_widths: [f64; 2],
    level: f64,
    evaluator: &Evaluator<'_>,
    observer: &dyn Observer,
) -> Result<Vec<Line>, Error> {
    let ranges = zernike::ranges(beam.aperture, half_widths);
    let modes = zernike::modes(beam.aperture, zernike::SEARCHED);
    let coefficients =
        |at: &[f64]| -> Vec<f64> { at.iter().zip(&ranges).map(|(a, range)| a * range).collect() };
    let goal = |at: &[f64], gradient: &mut [f64]| {
        let mut by_phase = vec![0.0; beam.aperture.len()];
        let value = beam.shortfall(&modes.expand(&coefficients(at)), level, &mut by_phase);
        modes.reduce(&by_phase, gradient);
        for (gradient, range) in gradient.iter_mut().zip(&ranges) {
            *gradient *= range;
        }
        value
    };
    let found = multistart::search(
        modes.count(),
        |at| goal(at, &mut vec![0.0; at.len()]),
        |at| {
            let mut at = at.to_vec();
            let diagonal = vec![1.0; at.len()];
            (descend(goal, &mut at, SEARCH, MEMORY, &diagonal), at)
        },
        observer,
    )?;
    let total = found.minima.len().min(FOLLOWED) as u64;
    let done = std::sync::atomic::AtomicU64::new(0);
    found
        .minima
        .par_iter()
        .take(FOLLOWED)
        .map(|minimum| {
            observer.checkpoint()?;
            let mut line = Line::new(modes.expand(&coefficients(&minimum.start)));
            line.phases = modes.expand(&coefficients(&minimum.at));
            line.fields = SEARCH;
            line.note(Stage::Multistart, modes.count(), evaluator);
            enlarge(beam, coefficients(&minimum.at), level, evaluator, &mut line);
            individual(beam, level, evaluator, &mut line);
            let number = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
            observer.progress(&Progress::new("phases", number, total));
            Ok(line)
        })
        .collect()
}

/// Optimizes increasing polynomial sets.
fn enlarge(
    beam: &Beam<'_>,
    mut at: Vec<f64>,
    level: f64,
    evaluator: &Evaluator<'_>,
    line: &mut Line,
) {
    for degree in ENLARGED {
        let modes = zernike::modes(beam.aperture, degree);
        at.resize(modes.count(), 0.0);
        let diagonal = vec![1.0; at.len()];
        let mut fields = 0;
        let goal = |at: &[f64], gradient: &mut [f64]| {
            fields += 1;
            let mut by_phase = vec![0.0; beam.aperture.len()];
            let value = beam.shortfall(&modes.expand(at), level, &mut by_phase);
            modes.reduce(&by_phase, gradient);
            value
        };
        descend(goal, &mut at, ENLARGE, MEMORY, &diagonal);
        line.phases = modes.expand(&at);
        line.fields += fields;
        line.note(Stage::Enlarged, modes.count(), evaluator);
    }
}

/// Optimizes individual element phases.
fn individual(beam: &Beam<'_>, level: f64, evaluator: &Evaluator<'_>, line: &mut Line) {
    let mut fields = 0;
    let goal = |at: &[f64], gradient: &mut [f64]| {
        fields += 1;
        beam.shortfall(at, level, gradient)
    };
    descend(goal, &mut line.phases, INDIVIDUAL, MEMORY, &beam.diagonal);
    line.fields += fields;
    line.note(Stage::Individual, line.phases.len(), evaluator);
}
