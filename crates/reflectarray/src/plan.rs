//! Planning and execution of a synthesis.

use rayon::prelude::*;
use wavefield_gpu::Device;
use wavefield_numerics::observe::{Observer, Progress};
use wavefield_physics::constants::SPEED_OF_LIGHT;
use wavefield_physics::far_field::power_db;
use wavefield_solver::checkpoint::{CheckpointStore, load_or_compute};
use wavefield_solver::scene::Issues;

use crate::aperture::Aperture;
use crate::beam::Beam;
use crate::ceiling;
use crate::certificate;
use crate::continuous;
use crate::coverage::Coverage;
use crate::directions::{CoverageMetrics, Directions};
use crate::error::Error;
use crate::far_field;
use crate::feed::Feed;
use crate::outside::Outside;
use crate::projections;
use crate::radiated;
use crate::result::{self, Even, LineEnd, Sidelobes, Size, Solution};
use crate::shape::{EVALUATION, Sampling, Shaped, half_widths, reference};
use crate::spacing::{Free, Limits, Spaced, Spacings};
use crate::spec::{FreeSpacing, SidelobeMask, Spacing, Spec};
use crate::synthesis::Step;
use crate::trade_off;
use crate::window::Operator;

/// Memory that a direction of the evaluation needs at least, bytes.
const BYTES_PER_DIRECTION: f64 = 500.0;
/// Memory of the far-field map, bytes.
const MAP_BYTES: usize = 9 << 19;
/// Sampling step, in beamwidths, of the mean bound, and of iterated projections and the trade-off.
const AVERAGED: f64 = 1.0 / 64.0;
const HALVED: f64 = 1.0 / 16.0;
/// Target level of iterated projections above the synthesized minimum directivity, dB. A lower target limits
/// their result; the bound as target improves it by only 0.1 dB on some arrays.
const ASKED_DB: f64 = 0.35;
/// Reductions of the minimum directivity in the trade-off against the mean, dB.
const GIVEN_UP_DB: [f64; 4] = [0.02, 0.16, 0.43, 0.84];
/// Sidelobe levels below the minimum directivity, dB; the lowest takes longest and is started first.
const CEILINGS_DB: [f64; 3] = [20.0, 15.0, 10.0];
/// Tolerance within which spacings are uniform, wavelengths.
const EVEN: f64 = 1e-3;

/// A validated problem, ready to run.
#[derive(Debug)]
pub struct Plan {
    coverage: Coverage,
    aperture: Aperture,
    limits: Option<Limits>,
    sidelobe_mask: Option<SidelobeMask>,
    sampling: Sampling,
}

impl Plan {
    /// Validates a specification and builds array and coverage; `geojson` is the text of `coverage.geojson`.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] for an invalid specification, and errors of the coverage.
    pub fn new(spec: &Spec, geojson: Option<&str>) -> Result<Plan, Error> {
        Plan::within(usize::MAX, spec, geojson)
    }

    /// Creates the plan of a run that may use `memory` bytes; refuses a problem that is too large before its directions are
    /// laid out.
    ///
    /// # Errors
    /// Those of [`Plan::new`], and too many directions.
    pub fn within(memory: usize, spec: &Spec, geojson: Option<&str>) -> Result<Plan, Error> {
        let mut issues = Issues::default();
        spec.check(&mut issues);
        issues.into_result()?;
        let wavelength = SPEED_OF_LIGHT / spec.frequency.0;
        let feed = Feed {
            position: spec.feed.position.map(|length| length.meters(wavelength)),
            exponent: spec.feed.q,
        };
        let (first, limits) = match spec.lattice.spacing {
            Spacing::Even(length) => (length.meters(wavelength), None),
            Spacing::Free(FreeSpacing { min, max }) => {
                let [least, most] = [min, max].map(|length| length.meters(wavelength));
                (most, Some(Limits { least, most }))
            }
        };
        let coverage = Coverage::new(&spec.coverage, geojson)?;
        let gaps = |count: usize| vec![first; count - 1];
        let aperture = Aperture::new(
            wavelength,
            feed,
            spec.element,
            &gaps(spec.lattice.columns),
            &gaps(spec.lattice.rows),
        );
        if let Some(n) = aperture
            .amplitude
            .iter()
            .position(|a| a.is_nan() || *a <= 0.0)
        {
            let columns = aperture.columns.len();
            return Err(Error::Unlit {
                x: aperture.columns[n % columns],
                y: aperture.rows[n / columns],
            });
        }
        let step = EVALUATION * aperture.beamwidth();
        let count = coverage.area() / (step * step);
        let most = memory as f64 / BYTES_PER_DIRECTION;
        if count > most {
            return Err(Error::TooFine { step, count, most });
        }
        Ok(Plan {
            sampling: Sampling::new(&coverage, &aperture)?,
            coverage,
            aperture,
            limits,
            sidelobe_mask: spec.sidelobe_mask.clone(),
        })
    }

    /// Returns the coverage.
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// Returns the array, with initial spacings if they are free.
    pub fn aperture(&self) -> &Aperture {
        &self.aperture
    }

    /// Returns the numbers of sampled directions, evaluated directions, and degrees of freedom.
    pub fn size(&self) -> Size {
        Size {
            samples: self.sampling.samples.all.len(),
            evaluated: self.sampling.evaluated.all.len(),
            rank: self.sampling.window.rank(),
        }
    }

    /// Estimates the memory of a run, bytes: steering matrices of the evaluated directions, also for the
    /// uniform array compared with free spacings, and of the samples, elements, and a map; or the image of the map,
    /// which is computed after these are freed. The factors are measured.
    pub fn memory(&self) -> usize {
        let size = self.size();
        let arrays = if self.limits.is_some() { 2.0 } else { 1.25 };
        let directions = (arrays * size.evaluated as f64) as usize + 8 * size.samples;
        let synthesis = 16 * size.rank * directions + 16 * 200 * self.aperture.len() + MAP_BYTES;
        synthesis.max(far_field::memory(&self.aperture, &self.coverage))
    }

    /// Estimates the number of floating-point operations of a run.
    pub fn operations(&self) -> f64 {
        let size = self.size();
        let elements = self.aperture.len() as f64;
        let gradient = 16.0 * size.samples as f64 * size.rank as f64
            + 40.0 * elements * (size.rank as f64).sqrt();
        let synthesis = 20_000.0 * gradient;
        match self.limits {
            Some(_) => 2.0 * synthesis + 1500.0 * 32.0 * size.samples as f64 * elements,
            None => synthesis,
        }
    }

    /// Synthesizes the phases and computes the bounds on the rayon pool installed by the caller. Completed
    /// sections are saved to the checkpoint store and loaded from it.
    ///
    /// # Errors
    /// Returns an error if the run is cancelled or a checkpoint section cannot be saved.
    pub fn execute(
        &self,
        device: &Device,
        checkpoints: &dyn CheckpointStore,
        observer: &dyn Observer,
    ) -> Result<Solution, Error> {
        let (aperture, even, spacing_steps) = match self.limits {
            None => (self.aperture.clone(), None, Vec::new()),
            Some(limits) => self.spaced(limits, checkpoints, observer)?,
        };
        let is_even = self.limits.is_none() || even.is_none();
        let kept = (checkpoints, "array");
        let shaped = Shaped::new(&self.coverage, &aperture, is_even, kept, observer)?;
        let best = shaped.best();
        let (relative, outside) = self.under_mask(device, &shaped, checkpoints, observer)?;
        let metrics = shaped.evaluate(&relative);
        let unbound = shaped.evaluate(&best.phases);
        let window = shaped.beam.operator.window();

        observer.progress(&Progress::new("mean directivity bound", 0, 1));
        let mean_bound = load_or_compute(checkpoints, "mean bound", || {
            let averaged = AVERAGED * aperture.beamwidth();
            let averaged = self.coverage.interior_points(averaged)?;
            certificate::mean(&aperture, window, &averaged)
        })?;
        let iterated = load_or_compute(checkpoints, "iterated projections", || {
            self.iterated(&shaped, unbound, observer)
        })?;
        let trade_off = self.trade_off(&shaped, unbound, checkpoints, observer)?;
        let ceilings = self.ceilings(device, &shaped, unbound, checkpoints, observer)?;

        // Spacings that converged to uniform need no separate comparison.
        let even = even.or(self.limits.map(|_| Even {
            spacing: aperture.columns[1] - aperture.columns[0],
            metrics,
        }));
        let phases = shaped.absolute(&relative);
        let excitation = aperture.excitation(&phases);
        let radiated = radiated::power(device, &aperture, &excitation)?;
        let (grid, map) = far_field::map(device, &aperture, &excitation, &self.coverage)?;
        let image = far_field::image(device, &aperture, &excitation, &grid)?;
        let lines = shaped.lines.iter().map(|line| LineEnd {
            first: line.steps[0],
            last: line.steps[line.steps.len() - 1],
        });
        Ok(Solution {
            command_phases: aperture.command_phases(&phases),
            metrics,
            outside,
            ceilings,
            free_amplitude_dbi: shaped.free_amplitude_dbi,
            mean_bound,
            iterated,
            trade_off,
            lines: lines.collect(),
            steps: best.steps.clone(),
            spacing_steps,
            even,
            spillover_efficiency: aperture.spillover_efficiency(),
            radiated_db: power_db(radiated / aperture.captured),
            grid,
            map,
            image,
            cuts: far_field::cuts(&aperture, &excitation),
            size: Size {
                samples: shaped.beam.operator.directions().len(),
                evaluated: shaped.evaluated(),
                rank: window.rank(),
            },
            minimum_bound: shaped.bound,
            phases,
            aperture: aperture.clone(),
        })
    }

    /// Returns the phases of the result: the best found, or those that meet the sidelobe mask.
    fn under_mask(
        &self,
        device: &Device,
        shaped: &Shaped<'_>,
        checkpoints: &dyn CheckpointStore,
        observer: &dyn Observer,
    ) -> Result<(Vec<f64>, result::Outside), Error> {
        let aperture = shaped.beam.aperture;
        let mask = self.sidelobe_mask.as_ref();
        let transition = mask
            .and_then(|mask| mask.transition)
            .unwrap_or(aperture.beamwidth());
        let outside = Outside::new(device, aperture, &self.coverage, transition)?;
        let best = &shaped.best().phases;
        let phases = match mask {
            None => best.clone(),
            Some(mask) => load_or_compute(checkpoints, "ceiling", || {
                let level = 10.0_f64.powf(0.1 * mask.level_dbi);
                ceiling::hold(&shaped.beam, &outside, best, level, observer)
            })?,
        };
        let evaluated = result::Outside {
            transition,
            highest_dbi: power_db(outside.highest(&phases)?),
            ceiling_dbi: mask.map(|mask| mask.level_dbi),
        };
        Ok((phases, evaluated))
    }

    /// Computes the trade-off between directivity and sidelobe level.
    fn ceilings(
        &self,
        device: &Device,
        shaped: &Shaped<'_>,
        reached: CoverageMetrics,
        checkpoints: &dyn CheckpointStore,
        observer: &dyn Observer,
    ) -> Result<Vec<Sidelobes>, Error> {
        let aperture = shaped.beam.aperture;
        let outside = Outside::new(device, aperture, &self.coverage, aperture.beamwidth())?;
        let best = &shaped.best().phases;
        let first = Sidelobes {
            ceiling_dbi: None,
            highest_dbi: power_db(outside.highest(best)?),
            metrics: reached,
        };
        // Sequential: each mask has a steering matrix of its own, and nested parallelism would hold an
        // unbounded number of them.
        let held = CEILINGS_DB.iter().map(|below| {
            load_or_compute(checkpoints, &format!("sidelobes {below}"), || {
                let ceiling_dbi = reached.least_dbi - below;
                let level = 10.0_f64.powf(0.1 * ceiling_dbi);
                let phases = ceiling::hold(&shaped.beam, &outside, best, level, observer)?;
                Ok(Sidelobes {
                    ceiling_dbi: Some(ceiling_dbi),
                    highest_dbi: power_db(outside.highest(&phases)?),
                    metrics: shaped.evaluate(&phases),
                })
            })
        });
        let held: Vec<Sidelobes> = held.collect::<Result<_, Error>>()?;
        Ok(std::iter::once(first)
            .chain(held.into_iter().rev())
            .collect())
    }

    /// Synthesizes the spacings; returns the array, a uniform array of the same aperture for comparison, and
    /// the steps.
    fn spaced(
        &self,
        limits: Limits,
        checkpoints: &dyn CheckpointStore,
        observer: &dyn Observer,
    ) -> Result<(Aperture, Option<Even>, Vec<Step>), Error> {
        let half_widths = half_widths(&self.coverage);
        let [low, high] = self.coverage.bounds();
        let free = Free {
            pattern: &self.aperture,
            limits,
            directions: &self.sampling.samples.all,
            center: [0, 1].map(|axis| 0.5 * (low[axis] + high[axis])),
            reference: reference(&self.coverage),
            evaluated: &self.sampling.evaluated,
        };
        let Spaced { spacings, steps } = load_or_compute(checkpoints, "spacings", || {
            let beam = self.sampling.beam(&self.coverage, &self.aperture);
            let wanted = continuous::synthesize(&beam, half_widths, observer)?;
            Ok::<_, Error>(free.find(half_widths, &wanted.excitation, observer)?)
        })?;
        let gaps = || spacings.columns.iter().chain(&spacings.rows);
        let mean = gaps().sum::<f64>() / gaps().count() as f64;
        let beside = free.array(&Spacings {
            columns: vec![mean; spacings.columns.len()],
            rows: vec![mean; spacings.rows.len()],
        });
        if gaps().all(|gap| (gap - mean).abs() < EVEN * beside.wavelength) {
            return Ok((beside, None, steps));
        }
        let kept = (checkpoints, "even array");
        let shaped = Shaped::new(&self.coverage, &beside, true, kept, observer)?;
        let compared = Even {
            spacing: mean,
            metrics: shaped.evaluate(&shaped.best().phases),
        };
        Ok((free.array(&spacings), Some(compared), steps))
    }

    /// Runs iterated projections from the start of the best line, with about as many field evaluations.
    fn iterated(
        &self,
        shaped: &Shaped<'_>,
        reached: CoverageMetrics,
        observer: &dyn Observer,
    ) -> Result<CoverageMetrics, Error> {
        let aperture = shaped.beam.aperture;
        let step = HALVED * aperture.beamwidth();
        let window = shaped.beam.operator.window();
        let operator = Operator::new(window, self.coverage.interior_points(step)?);
        let level = 10.0_f64.powf(0.1 * (reached.least_dbi + ASKED_DB));
        let start = &shaped.best().start;
        let phases = projections::iterate(aperture, &operator, step, start, level, observer)?;
        Ok(shaped.evaluate(&phases))
    }

    /// Computes the trade-off between minimum and mean directivity.
    fn trade_off(
        &self,
        shaped: &Shaped<'_>,
        reached: CoverageMetrics,
        checkpoints: &dyn CheckpointStore,
        observer: &dyn Observer,
    ) -> Result<Vec<CoverageMetrics>, Error> {
        let aperture = shaped.beam.aperture;
        let nearer = Directions::sampled(&self.coverage, HALVED * aperture.beamwidth())?;
        let operator = Operator::new(shaped.beam.operator.window(), nearer.all.clone());
        let beam = Beam::new(aperture, operator, reference(&self.coverage));
        GIVEN_UP_DB
            .par_iter()
            .map(|given_up| {
                load_or_compute(checkpoints, &format!("trade-off {given_up}"), || {
                    let level = 10.0_f64.powf(0.1 * (reached.least_dbi - given_up));
                    let start = &shaped.best().phases;
                    let phases =
                        trade_off::largest_mean(&beam, nearer.inside, start, level, observer)?;
                    Ok(shaped.evaluate(&phases))
                })
            })
            .collect()
    }
}
