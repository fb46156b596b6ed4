//! What this solver returns.

use num_complex::Complex64;
use wavefield_physics::direction::Direction;
use wavefield_physics::far_field::ScatteringMatrix;
use wavefield_solver::scene::aspects::Aspect;

/// Everything computed for a problem.
#[derive(Clone, Debug)]
pub struct Solution {
    /// What belongs to each frequency.
    pub frequencies: Vec<AtFrequency>,
    /// The scattering of the body, for every frequency and pair of directions.
    pub scattering: Scattering,
}

/// Numbers that belong to one frequency.
#[derive(Clone, Debug)]
pub struct AtFrequency {
    /// Frequency, Hz.
    pub frequency: f64,
    /// Outer circumference in wavelengths, ka.
    pub ka: f64,
    /// Number of partial waves summed.
    pub partial_waves: usize,
    /// Expected relative error of a field: truncation and rounding.
    pub accuracy: f64,
    /// Relative distance of the backscattered amplitude from its limit after 1, 2, … partial waves.
    pub convergence: Vec<f64>,
    /// Power taken and scattered; for a cylinder one pair each for TM and TE.
    pub cross_sections: Vec<CrossSections>,
}

/// Scattering in three or two dimensions.
#[derive(Clone, Debug)]
pub enum Scattering {
    /// A sphere: the full matrix for every aspect.
    Sphere {
        /// Directions, in the order of the matrices.
        aspects: Vec<Aspect>,
        /// Scattering matrices.
        matrices: Vec<ScatteringMatrix>,
        /// The bistatic pattern over all directions, for the last frequency and the first incidence.
        pattern: Pattern,
    },
    /// A cylinder: TM and TE.
    Cylinder {
        /// Directions, in the order of the amplitudes.
        aspects: Vec<Aspect>,
        /// Far-field amplitudes and widths.
        amplitudes: Vec<CylinderAmplitude>,
        /// Surface currents for the last frequency and the first incidence.
        currents: Vec<SurfaceCurrent>,
    },
}

/// Total cross sections of a sphere in m², or widths of a cylinder in m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrossSections {
    /// Power taken out of the wave, scattered or absorbed.
    pub extinction: f64,
    /// Power scattered.
    pub scattering: f64,
}

/// A scattering matrix on an even grid over the whole sphere of directions, θ-major.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// Number of values in θ, 0 to 180° inclusive.
    pub theta_count: usize,
    /// Number of values in φ, 0 to 360° inclusive.
    pub phi_count: usize,
    /// Where the wave comes from.
    pub from: Direction,
    /// Frequency, Hz.
    pub frequency: f64,
    /// The matrices.
    pub matrices: Vec<ScatteringMatrix>,
}

/// Far field of a cylinder in one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CylinderAmplitude {
    /// Amplitude f of u_s = √(2/πkρ) e^{−j(kρ−π/4)} f for E along the axis.
    pub tm: Complex64,
    /// The same for H along the axis.
    pub te: Complex64,
    /// Scattering width for TM, metres.
    pub tm_width: f64,
    /// Scattering width for TE, metres.
    pub te_width: f64,
}

/// Electric current on a cylinder over the incident magnetic field, n̂ × H / H_i; physical optics
/// has 2 on the lit side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceCurrent {
    /// Angle on the contour, radians.
    pub phi: f64,
    /// Axial current for TM, J_z η/E_i.
    pub tm: Complex64,
    /// Azimuthal current for TE, J_φ/H_i.
    pub te: Complex64,
}
