//! Beam synthesis for an array of given positions: upper bound and phases.

use wavefield_numerics::observe::Observer;
use wavefield_solver::checkpoint::{CheckpointStore, load_or_compute};

use crate::aperture::Aperture;
use crate::beam::Beam;
use crate::certificate::{self, MinimumBound};
use crate::continuous::{self, Continuous};
use crate::coverage::Coverage;
use crate::directions::{CoverageMetrics, Directions};
use crate::error::Error;
use crate::synthesis::{self, Line};
use crate::window::{Operator, Window};

/// Spacing of sampled and of evaluated directions, beamwidths.
const SAMPLED: f64 = 1.0 / 8.0;
pub(crate) const EVALUATION: f64 = 1.0 / 32.0;

/// Directions and window of a coverage for an array.
#[derive(Clone, Debug)]
pub(crate) struct Sampling {
    /// Directions in which the beam is optimized.
    pub(crate) samples: Directions,
    /// Directions in which the beam is evaluated.
    pub(crate) evaluated: Directions,
    /// Window of the coverage.
    pub(crate) window: Window,
}

impl Sampling {
    pub(crate) fn new(coverage: &Coverage, aperture: &Aperture) -> Result<Sampling, Error> {
        let beamwidth = aperture.beamwidth();
        Ok(Sampling {
            samples: Directions::sampled(coverage, SAMPLED * beamwidth)?,
            evaluated: Directions::evaluated(coverage, EVALUATION * beamwidth)?,
            window: Window::new(aperture, coverage.bounds())?,
        })
    }

    /// Returns the array's beam in the sampled directions.
    pub(crate) fn beam<'a>(&self, coverage: &Coverage, aperture: &'a Aperture) -> Beam<'a> {
        let operator = Operator::new(&self.window, self.samples.all.clone());
        Beam::new(aperture, operator, reference(coverage))
    }
}

/// Returns the reference directivity: a third of 4π/Ω.
pub(crate) fn reference(coverage: &Coverage) -> f64 {
    4.0 * std::f64::consts::PI / coverage.area() / 3.0
}

/// Returns the half widths of the coverage in u and v.
pub(crate) fn half_widths(coverage: &Coverage) -> [f64; 2] {
    let [low, high] = coverage.bounds();
    [0, 1].map(|axis| 0.5 * (high[axis] - low[axis]))
}

/// An array with synthesized phases.
pub(crate) struct Shaped<'a> {
    pub(crate) beam: Beam<'a>,
    evaluated: Directions,
    /// Upper bound on the minimum directivity for any phases.
    pub(crate) bound: MinimumBound,
    /// Minimum directivity with free amplitudes, dBi; computed for uniform arrays.
    pub(crate) free_amplitude_dbi: Option<f64>,
    /// Optimization lines, the best first.
    pub(crate) lines: Vec<Line>,
}

impl<'a> Shaped<'a> {
    /// Computes the bound and synthesizes the phases; `part` is the prefix of the checkpoint sections.
    pub(crate) fn new(
        coverage: &Coverage,
        aperture: &'a Aperture,
        even: bool,
        (checkpoints, part): (&dyn CheckpointStore, &str),
        observer: &dyn Observer,
    ) -> Result<Shaped<'a>, Error> {
        let sampling = Sampling::new(coverage, aperture)?;
        let beam = sampling.beam(coverage, aperture);
        let bound = load_or_compute(checkpoints, &format!("{part}: bound"), || {
            certificate::minimum(&beam, observer)
        })?;
        let half_widths = half_widths(coverage);
        let continuous: Option<Continuous> = even
            .then(|| continuous::synthesize(&beam, half_widths, observer))
            .transpose()?;
        let level = 10.0_f64.powf(0.1 * bound.bound_dbi);
        let lines = synthesis::synthesize(
            &beam,
            half_widths,
            continuous.as_ref(),
            level,
            &sampling.evaluated,
            (checkpoints, part),
            observer,
        )?;
        Ok(Shaped {
            beam,
            evaluated: sampling.evaluated,
            bound,
            free_amplitude_dbi: continuous.map(|continuous| continuous.least_dbi),
            lines,
        })
    }

    /// Returns the best line.
    pub(crate) fn best(&self) -> &Line {
        &self.lines[0]
    }

    /// Returns the number of evaluated directions.
    pub(crate) fn evaluated(&self) -> usize {
        self.evaluated.all.len()
    }

    /// Converts phases relative to a beam toward the center of the window to aperture phases.
    pub(crate) fn absolute(&self, phases: &[f64]) -> Vec<f64> {
        let steering = self.beam.operator.window().steering();
        phases.iter().zip(steering).map(|(p, s)| p - s).collect()
    }

    /// Evaluates relative phases over the coverage by direct summation.
    pub(crate) fn evaluate(&self, phases: &[f64]) -> CoverageMetrics {
        let directivity = self
            .beam
            .aperture
            .directivity(&self.absolute(phases), &self.evaluated.all);
        self.evaluated.evaluate(&directivity)
    }
}
