//! What this solver returns.

use num_complex::Complex64;
use serde::{Deserialize, Serialize};

use crate::aperture::Aperture;
use crate::certificate::{MeanBound, MinimumBound};
use crate::directions::Judgement;
use crate::pattern::Grid;
use crate::synthesis::Step;

/// A synthesised array and what can be said of it.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The array.
    pub aperture: Aperture,
    /// Phases of the aperture field, rad.
    pub phases: Vec<f64>,
    /// Phases the elements have to add, rad in [0, 2π).
    pub command_phases: Vec<f64>,
    /// How the beam fills its coverage, on directions a thirty-second of a beamwidth apart, every vertex of the
    /// edge among them.
    pub judgement: Judgement,
    /// No phases can have a larger minimum with this array and feed.
    pub minimum_bound: MinimumBound,
    /// Nor a larger mean.
    pub mean_bound: MeanBound,
    /// The method of iterated projections from the same start.
    pub iterated: Judgement,
    /// Results that give up some of the minimum for the mean.
    pub trade_off: Vec<Judgement>,
    /// What goes beyond the coverage and its transition.
    pub outside: Outside,
    /// Results under lower and lower ceilings, outside a transition of one beamwidth; the first has none.
    pub ceilings: Vec<Sidelobes>,
    /// Least directivity with free amplitudes over the samples, dBi: what the phases alone have to come near to.
    /// Known for evenly spaced arrays.
    pub free_amplitude_dbi: Option<f64>,
    /// The way to the result.
    pub steps: Vec<Step>,
    /// The way to free distances before it.
    pub spacing_steps: Vec<Step>,
    /// Where all lines of stages began and ended, the best first.
    pub lines: Vec<LineEnd>,
    /// For free distances: an evenly spaced array of the same aperture, synthesised in the same way; the array
    /// itself if its distances turned out even.
    pub even: Option<Even>,
    /// Spillover efficiency: the fraction of the feed's power that the array intercepts. A directivity times it
    /// is the gain.
    pub spillover_efficiency: f64,
    /// Power truly radiated over captured power, in decibels: subtract it from a directivity for that by
    /// radiated power.
    pub radiated_db: f64,
    /// Directions of the map.
    pub grid: Grid,
    /// Co- and cross-polar field over the map; |E|² is the directivity.
    pub map: [Vec<Complex64>; 2],
    /// The same along cuts.
    pub cuts: Cuts,
    /// Samples, degrees of freedom and directions that were judged.
    pub size: Size,
}

/// What a beam sends beyond its coverage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outside {
    /// Width of the transition in direction cosines.
    pub transition: f64,
    /// The largest directivity outside it, dBi.
    pub highest_dbi: f64,
    /// Level of the sidelobe mask, dBi.
    pub ceiling_dbi: Option<f64>,
}

/// A beam under a ceiling.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sidelobes {
    /// The ceiling, dBi; none for the beam without one.
    pub ceiling_dbi: Option<f64>,
    /// The largest directivity outside, dBi.
    pub highest_dbi: f64,
    /// How it fills the coverage.
    pub judgement: Judgement,
}

/// The field along cuts of constant φ, cut by cut.
#[derive(Clone, Debug, PartialEq)]
pub struct Cuts {
    /// φ of the cuts, degrees.
    pub phi: Vec<f64>,
    /// First θ, step and number, degrees.
    pub theta: (f64, f64, usize),
    /// Co- and cross-polar field; |E|² is the directivity.
    pub field: [Vec<Complex64>; 2],
}

/// An evenly spaced array to compare with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Even {
    /// Distance between its elements, m.
    pub spacing: f64,
    /// How it fills the coverage.
    pub judgement: Judgement,
}

/// A line of stages by its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineEnd {
    /// Its first step.
    pub first: Step,
    /// Its last step.
    pub last: Step,
}

/// Numbers of things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Directions in which the beam is shaped.
    pub samples: usize,
    /// Directions in which it is judged.
    pub judged: usize,
    /// Degrees of freedom of the aperture over the coverage.
    pub rank: usize,
}
