//! Results of the analytical solver.

use num_complex::Complex64;
use wavefield_physics::direction::Direction;
use wavefield_physics::far_field::ScatteringMatrix;
use wavefield_solver::scene::aspects::Aspect;

/// Solution of a problem.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Results of each frequency.
    pub frequencies: Vec<AtFrequency>,
    /// Scattering for every frequency and pair of directions.
    pub scattering: Scattering,
}

/// Results of one frequency.
#[derive(Clone, Debug)]
pub struct AtFrequency {
    /// Frequency, in Hz.
    pub frequency: f64,
    /// Electrical size ka: outer circumference in wavelengths.
    pub ka: f64,
    /// Number of partial waves.
    pub partial_waves: usize,
    /// Expected relative error of a field: truncation and rounding.
    pub accuracy: f64,
    /// Relative truncation error of the backscatter amplitude after 1, 2, … partial waves.
    pub convergence: Vec<f64>,
    /// Extinction and total scattering; for a cylinder one entry each for TM and TE.
    pub cross_sections: Vec<CrossSections>,
}

/// Scattering in three or two dimensions.
#[derive(Clone, Debug)]
pub enum Scattering {
    /// A sphere: the scattering matrix of every aspect.
    Sphere {
        /// Aspects, in the order of the matrices.
        aspects: Vec<Aspect>,
        /// Scattering matrices.
        matrices: Vec<ScatteringMatrix>,
        /// Bistatic pattern over all directions, for the last frequency and the first incidence.
        pattern: Pattern,
    },
    /// A cylinder: TM and TE.
    Cylinder {
        /// Aspects, in the order of the amplitudes.
        aspects: Vec<Aspect>,
        /// Far-field amplitudes and scattering widths.
        amplitudes: Vec<CylinderAmplitude>,
        /// Surface currents for the last frequency and the first incidence.
        currents: Vec<SurfaceCurrent>,
    },
}

/// Total cross sections of a sphere in m², or total widths of a cylinder in m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrossSections {
    /// Extinction: scattering plus absorption.
    pub extinction: f64,
    /// Total scattering.
    pub scattering: f64,
}

/// Scattering matrices on a uniform grid over all directions, θ-major.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// Number of values of θ, 0 to 180° inclusive.
    pub theta_count: usize,
    /// Number of values of φ, 0 to 360° inclusive.
    pub phi_count: usize,
    /// Direction of incidence.
    pub from: Direction,
    /// Frequency, in Hz.
    pub frequency: f64,
    /// Scattering matrices.
    pub matrices: Vec<ScatteringMatrix>,
}

/// Far field of a cylinder in one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CylinderAmplitude {
    /// TM amplitude f of u_s = √(2/πkρ) e^{−j(kρ−π/4)} f.
    pub tm: Complex64,
    /// TE amplitude f.
    pub te: Complex64,
    /// TM scattering width, in m.
    pub tm_width: f64,
    /// TE scattering width, in m.
    pub te_width: f64,
}

/// Electric surface current of a cylinder relative to the incident magnetic field, n̂ × H / H_i; 2
/// in physical optics on the illuminated side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceCurrent {
    /// Angle on the contour, in radians.
    pub phi: f64,
    /// Axial TM current J_z η/E_i.
    pub tm: Complex64,
    /// Azimuthal TE current J_φ/H_i.
    pub te: Complex64,
}
