//! What this solver returns.

use num_complex::Complex64;
use wavefield_physics::antenna::{Network, Radiation};
use wavefield_physics::far_field::ScatteringMatrix;
use wavefield_solver::scene::aspects::Aspect;

use crate::flux::Fields;
use crate::snapshot::Frame;

/// What was computed.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// Frequencies, Hz.
    pub frequencies: Vec<f64>,
    /// Scattering of plane waves.
    pub scattering: Option<Scattering>,
    /// Radiation of currents, over the spectrum of the pulse.
    pub radiation: Option<Radiation>,
    /// What ports reflect and pass on.
    pub network: Option<Network>,
    /// Currents on conductors in the first run.
    pub currents: Option<Currents>,
    /// Fields at moments of the first run.
    pub pictures: Option<Picture>,
    /// Every run in time.
    pub runs: Vec<Run>,
}

/// Currents on triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct Currents {
    /// Frequencies, Hz.
    pub frequencies: Vec<f64>,
    /// Corners of the triangles, m.
    pub triangles: Vec<[[f64; 3]; 3]>,
    /// J by frequency, then triangle, A/m: for an incident wave of 1 V/m, or over the spectrum of the pulse.
    pub values: Vec<[Complex64; 3]>,
}

/// Fields at moments.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The plane: first and last coordinate across, the same upwards, points along both.
    pub plane: Option<([f64; 2], [f64; 2], [usize; 2])>,
    /// The moments, with times in metres.
    pub frames: Vec<Frame>,
}

/// Scattering over a sweep. Columns of a matrix whose polarisation was not sent are not numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Scattering {
    /// Frequency and directions of each result, frequency by frequency.
    pub aspects: Vec<Aspect>,
    /// The results.
    pub matrices: Vec<ScatteringMatrix>,
}

/// A run in time.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Time steps made.
    pub steps: u64,
    /// Length of a step, s.
    pub time_step: f64,
    /// Time (s) and energy in the mesh outside layers, over the largest.
    pub energies: Vec<[f64; 2]>,
    /// Fields of each probe after every step: E in V/m and Z₀H in V/m.
    pub probes: Vec<Vec<Fields>>,
    /// Where spectra were extrapolated because resonances still rang at the end: by which part of themselves they change
    /// at most if the last sample is left out.
    pub ringing: Option<f64>,
}
