//! Results of the solver.

use num_complex::Complex64;
use wavefield_physics::antenna::{Network, Radiation};
use wavefield_physics::far_field::ScatteringMatrix;
use wavefield_solver::scene::aspects::Aspect;

/// Solution of a run: scattering over a sweep, or the network and radiation of ports.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// Frequencies, Hz.
    pub frequencies: Vec<f64>,
    /// Frequency and directions of each scattering matrix, frequency by frequency.
    pub aspects: Vec<Aspect>,
    /// Scattering matrices, one per aspect.
    pub matrices: Vec<ScatteringMatrix>,
    /// Admittances and S-parameters of the ports.
    pub network: Option<Network>,
    /// Radiated field with 1 V behind the reference impedance of the first port; the other ports are terminated.
    pub radiation: Option<Radiation>,
    /// Number of unknowns.
    pub unknowns: usize,
    /// Currents and near fields at each frequency: under the first plane wave with V and with H polarization, of unit
    /// amplitude, or with the ports driven as in `radiation`.
    pub states: Vec<Vec<State>>,
    /// Diagnostics at each frequency.
    pub checks: Vec<Checks>,
}

/// Current and near field under one excitation.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// ηJ at the centroid of every triangle of the mesh, V/m; zero on degenerate triangles.
    pub current: Vec<[Complex64; 3]>,
    /// Total field at the requested points.
    pub near_field: Vec<Field>,
}

/// Electric and magnetic field at a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Field {
    /// E, V/m.
    pub electric: [Complex64; 3],
    /// ηH, V/m.
    pub magnetic: [Complex64; 3],
}

/// Diagnostics of a solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Checks {
    /// Estimate of the condition number; `None` without an LU factorization.
    pub condition: Option<f64>,
    /// Largest number of iterations of a block of right-hand sides, and the largest relative residual; `None` with LU.
    pub iterated: Option<(usize, f64)>,
    /// Bound on the relative rounding error of a current in single precision: the condition number times 6·10⁻⁸; `None` in
    /// double precision.
    pub rounding: Option<f64>,
    /// Extinction error: the largest total field inside closed surfaces over the incident one; `None` without a closed surface
    /// with room for a point inside.
    pub inside: Option<f64>,
    /// Relative difference between radiated and accepted power; `None` without ports.
    pub power: Option<f64>,
    /// Longest edge, wavelengths.
    pub longest_edge: f64,
}

impl Checks {
    /// Limit of the longest edge, wavelengths.
    pub const LONGEST_EDGE: f64 = 0.2;
    /// Limit of the extinction error; with edges of λ/10 it is about 0.01.
    pub const INSIDE: f64 = 0.05;
    /// Limit of the power imbalance.
    pub const POWER: f64 = 0.01;
    /// Limit of the rounding error.
    pub const ROUNDING: f64 = 0.01;

    /// Returns whether all diagnostics are within their limits.
    pub fn is_trusted(&self) -> bool {
        self.longest_edge <= Checks::LONGEST_EDGE
            && self.inside.is_none_or(|left| left <= Checks::INSIDE)
            && self.power.is_none_or(|off| off <= Checks::POWER)
            && self.rounding.is_none_or(|part| part <= Checks::ROUNDING)
    }
}
