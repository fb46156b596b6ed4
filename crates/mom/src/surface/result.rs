//! What this solver returns.

use num_complex::Complex64;
use wavefield_physics::aspects::Aspect;
use wavefield_physics::far_field::ScatteringMatrix;

/// Scattering over a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// Frequencies, Hz.
    pub frequencies: Vec<f64>,
    /// Frequency and directions of each result, frequency by frequency.
    pub aspects: Vec<Aspect>,
    /// The results.
    pub matrices: Vec<ScatteringMatrix>,
    /// Number of unknowns.
    pub unknowns: usize,
    /// The surface current under the first wave at each frequency.
    pub currents: Vec<SurfaceCurrent>,
    /// What is known of each frequency's solution.
    pub checks: Vec<Checks>,
}

/// The current at the centre of every triangle of the mesh, times η, for waves of unit amplitude.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceCurrent {
    /// Under a wave with V polarisation, V/m; zero on triangles without area.
    pub vertical: Vec<[Complex64; 3]>,
    /// Under one with H polarisation.
    pub horizontal: Vec<[Complex64; 3]>,
}

/// What is known of a solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Checks {
    /// An estimate of the condition number; none where there are no factors.
    pub condition: Option<f64>,
    /// Most products that a wave took, and the largest residual over its right-hand side; none with factors.
    pub iterated: Option<(usize, f64)>,
    /// The largest field that is left inside closed surfaces, where the current should cancel the incident wave of unit
    /// amplitude; none without a closed surface that has room for a point inside.
    pub inside: Option<f64>,
    /// The longest edge in wavelengths.
    pub longest_edge: f64,
}

impl Checks {
    /// The longest edge in wavelengths that is good enough,
    pub const LONGEST_EDGE: f64 = 0.2;
    /// and the most that may be left inside: at ten edges to a wavelength it is a hundredth.
    pub const INSIDE: f64 = 0.05;

    /// Whether the current can be trusted, as far as is known.
    pub fn is_trusted(&self) -> bool {
        self.longest_edge <= Checks::LONGEST_EDGE
            && self.inside.is_none_or(|left| left <= Checks::INSIDE)
    }
}
