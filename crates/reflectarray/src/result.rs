//! Results of the reflectarray solver.

use num_complex::Complex64;
use serde::{Deserialize, Serialize};

use crate::aperture::Aperture;
use crate::certificate::{MeanBound, MinimumBound};
use crate::directions::CoverageMetrics;
use crate::pattern::Grid;
use crate::synthesis::Step;

/// A synthesized array with its bounds and comparisons.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Array.
    pub aperture: Aperture,
    /// Aperture phases, rad.
    pub phases: Vec<f64>,
    /// Reflection phases of the elements, rad, in [0, 2π).
    pub command_phases: Vec<f64>,
    /// Directivity over the coverage, on directions a thirty-second of a beamwidth apart, including every
    /// vertex of the edge.
    pub metrics: CoverageMetrics,
    /// Upper bound on the minimum directivity for any phases, with this array and feed.
    pub minimum_bound: MinimumBound,
    /// Upper bounds on the mean directivity.
    pub mean_bound: MeanBound,
    /// Result of iterated projections from the same start.
    pub iterated: CoverageMetrics,
    /// Trade-off between minimum and mean directivity.
    pub trade_off: Vec<CoverageMetrics>,
    /// Directivity outside coverage and transition.
    pub outside: Outside,
    /// Results by sidelobe mask, outside a transition of one beamwidth; the first has no mask.
    pub ceilings: Vec<Sidelobes>,
    /// Minimum directivity with free amplitudes over the samples, dBi, an estimate of the upper limit of
    /// phase-only synthesis. Computed for uniform spacing.
    pub free_amplitude_dbi: Option<f64>,
    /// Optimization steps of the best line.
    pub steps: Vec<Step>,
    /// Optimization steps of free spacings.
    pub spacing_steps: Vec<Step>,
    /// First and last steps of all optimization lines, the best first.
    pub lines: Vec<LineEnd>,
    /// A uniform array of the same aperture, synthesized in the same way, for comparison with free spacings;
    /// the array itself if its spacings converged to uniform.
    pub even: Option<Even>,
    /// Spillover efficiency: fraction of the feed's power that the array intercepts. The gain is the product of
    /// directivity and spillover efficiency.
    pub spillover_efficiency: f64,
    /// Radiated power relative to captured power, dB; subtract it from a directivity to normalize to radiated
    /// power.
    pub radiated_db: f64,
    /// Directions of the map.
    pub grid: Grid,
    /// Co- and cross-polar field over the map; |E|² is the directivity.
    pub map: [Vec<Complex64>; 2],
    /// Co-polar directivity on a finer grid over the same window, for display.
    pub image: (Grid, Vec<f64>),
    /// Co- and cross-polar field along cuts.
    pub cuts: Cuts,
    /// Numbers of samples, evaluated directions, and degrees of freedom.
    pub size: Size,
}

/// Directivity outside coverage and transition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outside {
    /// Width of the transition, direction cosines.
    pub transition: f64,
    /// Peak directivity outside the transition, dBi.
    pub highest_dbi: f64,
    /// Level of the sidelobe mask, dBi.
    pub ceiling_dbi: Option<f64>,
}

/// A beam under a sidelobe mask.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sidelobes {
    /// Level of the sidelobe mask, dBi; `None` without a mask.
    pub ceiling_dbi: Option<f64>,
    /// Peak directivity outside the transition, dBi.
    pub highest_dbi: f64,
    /// Directivity over the coverage.
    pub metrics: CoverageMetrics,
}

/// Field along cuts of constant φ, cut by cut.
#[derive(Clone, Debug, PartialEq)]
pub struct Cuts {
    /// φ of the cuts, degrees.
    pub phi: Vec<f64>,
    /// First θ and step, degrees, and number of points.
    pub theta: (f64, f64, usize),
    /// Co- and cross-polar field; |E|² is the directivity.
    pub field: [Vec<Complex64>; 2],
}

/// A uniform array for comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Even {
    /// Element spacing, m.
    pub spacing: f64,
    /// Directivity over the coverage.
    pub metrics: CoverageMetrics,
}

/// First and last step of an optimization line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineEnd {
    /// First step.
    pub first: Step,
    /// Last step.
    pub last: Step,
}

/// Problem size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Number of directions in which the beam is optimized.
    pub samples: usize,
    /// Number of directions in which the beam is evaluated.
    pub evaluated: usize,
    /// Degrees of freedom of the aperture over the coverage.
    pub rank: usize,
}
