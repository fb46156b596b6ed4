//! Solution of a run.

use wavefield_physics::far_field::ScatteringMatrix;
use wavefield_solver::scene::aspects::Aspect;

/// Scattering matrices of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// Frequencies, Hz.
    pub frequencies: Vec<f64>,
    /// Frequency and directions of each result, ordered by frequency.
    pub aspects: Vec<Aspect>,
    /// Scattering matrix of each aspect.
    pub matrices: Vec<ScatteringMatrix>,
    /// |ΔS| between this ray density and one of half the spacing for each aspect, m: the maximum over the co-polar channels.
    pub uncertainty: Vec<f64>,
    /// ½|S_VH − S_HV| between the two directions of the paths for each aspect, m: an error estimate of the
    /// cross-polar elements. Zero for bistatic aspects.
    pub asymmetry: Vec<f64>,
    /// Number of traced rays, reflections included.
    pub rays: u64,
    /// Number of tubes truncated at the maximum number of reflections.
    pub unfinished: u64,
}
