//! The stages from a rough model of the phases to the last hundredth of a decibel.
//!
//! 1. A continuous aperture with free amplitudes ([`continuous`](crate::continuous)): its phases begin one line.
//! 2. Phases by a few Zernike polynomials: a global search for the least distance from the mask, which asks
//!    for the certified bound all over the coverage. Its distinct minima begin the other lines.
//! 3. More and more polynomials, each set starting where the smaller one ended.
//! 4. Every phase by itself, still by the distance from the mask.
//! 5. The largest minimum ([`max_min`]) from the best lines.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use wavefield_numerics::observe::{Observer, Progress};
use wavefield_solver::checkpoint::{Keeper, once};

use crate::beam::Beam;
use crate::continuous::Continuous;
use crate::descent::{MEMORY, descend};
use crate::directions::{Directions, Judgement};
use crate::error::Error;
use crate::max_min;
use crate::multistart;
use crate::window::Operator;
use crate::zernike;

/// Degrees of the larger sets of polynomials.
const ENLARGED: [u32; 5] = [3, 4, 6, 8, 11];
/// Iterations of a local search, of each larger set, and of individual phases.
const SEARCH: usize = 40;
const ENLARGE: usize = 40;
const INDIVIDUAL: usize = 60;
/// Minima of the global search that go on, and lines that go on to the last stage.
const FOLLOWED: usize = 12;
const CANDIDATES: usize = 6;
/// Results nearer than this are the same optimum, dB.
const SAME_DB: f64 = 0.004;

/// A point on the way to the result.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The stage it belongs to.
    pub stage: Stage,
    /// Unknowns at this point.
    pub unknowns: usize,
    /// Fields computed until then.
    pub fields: usize,
    /// How the beam fills its coverage.
    pub judgement: Judgement,
}

/// Stages of a synthesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// An aperture with free amplitudes.
    Continuous,
    /// Zernike polynomials, globally.
    Multistart,
    /// More of them.
    Enlarged,
    /// Every phase by itself, by the mask.
    Individual,
    /// The largest minimum.
    MaxMin,
}

/// A line of stages: phases that began somewhere and went on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Line {
    /// The phases it began with.
    pub(crate) start: Vec<f64>,
    /// Those it has reached, relative to a beam towards the middle of the window.
    pub(crate) phases: Vec<f64>,
    /// Fields computed on the way.
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

    /// Notes where the line is.
    pub(crate) fn note(&mut self, stage: Stage, unknowns: usize, judge: &Judge<'_>) {
        self.steps.push(Step {
            stage,
            unknowns,
            fields: self.fields,
            judgement: judge.judge(&self.phases),
        });
    }

    fn reached(&self) -> f64 {
        let last = self.steps.last();
        last.map_or(f64::NEG_INFINITY, |step| step.judgement.least_dbi)
    }
}

/// Judges phases in directions finer than those they were found in.
pub(crate) struct Judge<'a> {
    beam: &'a Beam<'a>,
    operator: Operator,
    directions: &'a Directions,
}

impl<'a> Judge<'a> {
    fn new(beam: &'a Beam<'a>, directions: &'a Directions) -> Judge<'a> {
        Judge {
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

    fn judge(&self, phases: &[f64]) -> Judgement {
        self.directions.judge(&self.directivity(phases))
    }
}

/// Runs all stages and returns the lines, the best first; those that went through the last stage come before
/// the others. `level` is what the mask asks for, `part` the name under which finished work is kept.
pub(crate) fn synthesize(
    beam: &Beam<'_>,
    half_widths: [f64; 2],
    continuous: Option<&Continuous>,
    level: f64,
    fine: &Directions,
    (keeper, part): (&dyn Keeper, &str),
    observer: &dyn Observer,
) -> Result<Vec<Line>, Error> {
    let judge = Judge::new(beam, fine);
    let lines = once(keeper, &format!("{part}: lines"), || {
        let mut lines = polynomials(beam, half_widths, level, &judge, observer)?;
        if let Some(continuous) = continuous {
            let phases = continuous.excitation.iter().map(|x| x.arg()).collect();
            let mut line = Line::new(phases);
            line.fields = continuous.fields;
            line.note(Stage::Continuous, 2 * beam.operator.window().rank(), &judge);
            individual(beam, level, &judge, &mut line);
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
    observer.progress(&Progress::new("largest minimum", 0, 1));
    let mut finished: Vec<Line> = chosen
        .into_par_iter()
        .enumerate()
        .map(|(number, mut line)| {
            once(keeper, &format!("{part}: line {number}"), || {
                observer.checkpoint()?;
                max_min::finish(beam, &judge, &mut line);
                Ok(line)
            })
        })
        .collect::<Result<_, Error>>()?;
    finished.sort_by(|a, b| b.reached().total_cmp(&a.reached()));
    finished.extend(left);
    Ok(finished)
}

/// Lines from a global search over few polynomials to individual phases.
fn polynomials(
    beam: &Beam<'_>,
    half_widths: [f64; 2],
    level: f64,
    judge: &Judge<'_>,
    observer: &dyn Observer,
) -> Result<Vec<Line>, Error> {
    let ranges = zernike::ranges(beam.aperture, half_widths);
    let modes = zernike::modes(beam.aperture, zernike::SEARCHED);
    let coefficients =
        |at: &[f64]| -> Vec<f64> { at.iter().zip(&ranges).map(|(a, range)| a * range).collect() };
    let goal = |at: &[f64], slope: &mut [f64]| {
        let mut by_phase = vec![0.0; beam.aperture.len()];
        let value = beam.shortfall(&modes.expand(&coefficients(at)), level, &mut by_phase);
        modes.reduce(&by_phase, slope);
        for (slope, range) in slope.iter_mut().zip(&ranges) {
            *slope *= range;
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
            line.note(Stage::Multistart, modes.count(), judge);
            enlarge(beam, coefficients(&minimum.at), level, judge, &mut line);
            individual(beam, level, judge, &mut line);
            let number = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
            observer.progress(&Progress::new("phases", number, total));
            Ok(line)
        })
        .collect()
}

/// Larger and larger sets of polynomials.
fn enlarge(beam: &Beam<'_>, mut at: Vec<f64>, level: f64, judge: &Judge<'_>, line: &mut Line) {
    for degree in ENLARGED {
        let modes = zernike::modes(beam.aperture, degree);
        at.resize(modes.count(), 0.0);
        let diagonal = vec![1.0; at.len()];
        let mut fields = 0;
        let goal = |at: &[f64], slope: &mut [f64]| {
            fields += 1;
            let mut by_phase = vec![0.0; beam.aperture.len()];
            let value = beam.shortfall(&modes.expand(at), level, &mut by_phase);
            modes.reduce(&by_phase, slope);
            value
        };
        descend(goal, &mut at, ENLARGE, MEMORY, &diagonal);
        line.phases = modes.expand(&at);
        line.fields += fields;
        line.note(Stage::Enlarged, modes.count(), judge);
    }
}

/// Every phase by itself.
fn individual(beam: &Beam<'_>, level: f64, judge: &Judge<'_>, line: &mut Line) {
    let mut fields = 0;
    let goal = |at: &[f64], slope: &mut [f64]| {
        fields += 1;
        beam.shortfall(at, level, slope)
    };
    descend(goal, &mut line.phases, INDIVIDUAL, MEMORY, &beam.diagonal);
    line.fields += fields;
    line.note(Stage::Individual, line.phases.len(), judge);
}
