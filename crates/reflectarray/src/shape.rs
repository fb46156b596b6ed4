//! The beam of an array whose places are given: its bound, and the phases that come near it.

use wavefield_numerics::observe::Observer;
use wavefield_solver::checkpoint::{Keeper, once};

use crate::aperture::Aperture;
use crate::beam::Beam;
use crate::certificate::{self, MinimumBound};
use crate::continuous::{self, Continuous};
use crate::coverage::Coverage;
use crate::directions::{Directions, Judgement};
use crate::error::Error;
use crate::synthesis::{self, Line};
use crate::window::{Operator, Window};

/// Samples are so many beamwidths apart, and judged directions so many.
const SAMPLED: f64 = 1.0 / 8.0;
const JUDGED: f64 = 1.0 / 32.0;

/// What a coverage and an array have to do with each other.
#[derive(Clone, Debug)]
pub(crate) struct Sampling {
    /// Directions in which the beam is shaped.
    pub(crate) samples: Directions,
    /// Directions in which it is judged.
    pub(crate) judged: Directions,
    /// The array seen through the coverage's window.
    pub(crate) window: Window,
}

impl Sampling {
    pub(crate) fn new(coverage: &Coverage, aperture: &Aperture) -> Result<Sampling, Error> {
        let beamwidth = aperture.beamwidth();
        Ok(Sampling {
            samples: Directions::sampled(coverage, SAMPLED * beamwidth)?,
            judged: Directions::evaluated(coverage, JUDGED * beamwidth)?,
            window: Window::new(aperture, coverage.bounds())?,
        })
    }

    /// The array's beam in the samples' directions.
    pub(crate) fn beam<'a>(&self, coverage: &Coverage, aperture: &'a Aperture) -> Beam<'a> {
        let operator = Operator::new(&self.window, self.samples.all.clone());
        Beam::new(aperture, operator, reference(coverage))
    }
}

/// A directivity to measure others by: a third of 4π/Ω.
pub(crate) fn reference(coverage: &Coverage) -> f64 {
    4.0 * std::f64::consts::PI / coverage.area() / 3.0
}

/// Half widths of the coverage in u and v.
pub(crate) fn half_widths(coverage: &Coverage) -> [f64; 2] {
    let [low, high] = coverage.bounds();
    [0, 1].map(|axis| 0.5 * (high[axis] - low[axis]))
}

/// An array with the phases found for it.
pub(crate) struct Shaped<'a> {
    pub(crate) beam: Beam<'a>,
    judged: Directions,
    /// What no phases can exceed.
    pub(crate) bound: MinimumBound,
    /// Least directivity with free amplitudes, dBi; known for even arrays.
    pub(crate) free_amplitude_dbi: Option<f64>,
    /// The lines of stages, the best first.
    pub(crate) lines: Vec<Line>,
}

impl<'a> Shaped<'a> {
    /// Bounds and shapes the beam; `part` is the name under which finished work is kept.
    pub(crate) fn new(
        coverage: &Coverage,
        aperture: &'a Aperture,
        even: bool,
        (keeper, part): (&dyn Keeper, &str),
        observer: &dyn Observer,
    ) -> Result<Shaped<'a>, Error> {
        let sampling = Sampling::new(coverage, aperture)?;
        let beam = sampling.beam(coverage, aperture);
        let bound = once(keeper, &format!("{part}: bound"), || {
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
            &sampling.judged,
            (keeper, part),
            observer,
        )?;
        Ok(Shaped {
            beam,
            judged: sampling.judged,
            bound,
            free_amplitude_dbi: continuous.map(|continuous| continuous.least_dbi),
            lines,
        })
    }

    /// The best line.
    pub(crate) fn best(&self) -> &Line {
        &self.lines[0]
    }

    /// Number of judged directions.
    pub(crate) fn judged(&self) -> usize {
        self.judged.all.len()
    }

    /// Phases of the aperture field from those relative to a beam towards the middle of the window.
    pub(crate) fn absolute(&self, phases: &[f64]) -> Vec<f64> {
        let steering = self.beam.operator.window().steering();
        phases.iter().zip(steering).map(|(p, s)| p - s).collect()
    }

    /// How relative phases fill the coverage, by the sum over all elements.
    pub(crate) fn judge(&self, phases: &[f64]) -> Judgement {
        let directivity = self
            .beam
            .aperture
            .directivity(&self.absolute(phases), &self.judged.all);
        self.judged.judge(&directivity)
    }
}
