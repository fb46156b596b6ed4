//! Results of the DGTD solver.

use num_complex::Complex64;
use wavefield_physics::antenna::{Network, Radiation};
use wavefield_physics::far_field::ScatteringMatrix;
use wavefield_solver::scene::aspects::Aspect;

use crate::flux::Fields;
use crate::snapshot::Frame;

/// Solution of a problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// Frequencies, Hz.
    pub frequencies: Vec<f64>,
    /// Scattering of plane waves.
    pub scattering: Option<Scattering>,
    /// Radiated fields of ports or dipoles, per unit of the pulse's spectrum.
    pub radiation: Option<Radiation>,
    /// S-parameters of the lumped ports.
    pub network: Option<Network>,
    /// S-parameters of the lumped ports at the next lower order, if their convergence is checked.
    pub lower_order: Option<Network>,
    /// Surface currents on conductors in the first run.
    pub currents: Option<Currents>,
    /// Snapshots of the fields in the first run.
    pub pictures: Option<Snapshots>,
    /// Time-domain runs.
    pub runs: Vec<Run>,
}

/// Surface currents on triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct Currents {
    /// Frequencies, Hz.
    pub frequencies: Vec<f64>,
    /// Corners of the triangles, m.
    pub triangles: Vec<[[f64; 3]; 3]>,
    /// Surface current density J by frequency, then triangle, A/m: for an incident wave of 1 V/m, or per unit of the
    /// pulse's spectrum.
    pub values: Vec<[Complex64; 3]>,
}

/// Snapshots of the fields.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshots {
    /// Extent of the plane: first and last horizontal coordinate, first and last vertical coordinate (m), and the
    /// number of points along both.
    pub plane: Option<([f64; 2], [f64; 2], [usize; 2])>,
    /// The snapshots; their times are c·t in meters.
    pub frames: Vec<Frame>,
}

/// Scattering matrices over a sweep; columns of a polarization that was not incident are NaN.
#[derive(Clone, Debug, PartialEq)]
pub struct Scattering {
    /// Frequency and directions of each matrix, frequency by frequency.
    pub aspects: Vec<Aspect>,
    /// Scattering matrices, one per aspect.
    pub matrices: Vec<ScatteringMatrix>,
}

/// Record of a time-domain run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Number of time steps.
    pub steps: u64,
    /// Time step, s.
    pub time_step: f64,
    /// Time (s) and energy outside the PML, relative to its peak.
    pub energies: Vec<[f64; 2]>,
    /// Fields at each probe after every step: E and Z₀H, V/m.
    pub probes: Vec<Vec<Fields>>,
    /// Error estimate of extrapolated spectra: largest relative change if the last sample is omitted; `None` without
    /// extrapolation.
    pub ringing: Option<f64>,
}
