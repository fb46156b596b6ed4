//! What this solver returns.

use wavefield_physics::far_field::ScatteringMatrix;
use wavefield_solver::scene::aspects::Aspect;

/// Scattering over a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// Frequencies, Hz.
    pub frequencies: Vec<f64>,
    /// Frequency and directions of each result, frequency by frequency.
    pub aspects: Vec<Aspect>,
    /// The results.
    pub matrices: Vec<ScatteringMatrix>,
    /// |ΔS| between this density of rays and one of half the step, by aspect, m: the larger of the co-polar
    /// channels.
    pub uncertainty: Vec<f64>,
    /// ½|S_VH − S_HV| between the two directions of the paths, by aspect, m: the error they show in the cross-polar
    /// elements. Zero for bistatic aspects.
    pub asymmetry: Vec<f64>,
    /// Rays that were traced, reflections included.
    pub rays: u64,
    /// Tubes still bouncing after the last reflection allowed.
    pub unfinished: u64,
}
