//! What this solver returns.

use num_complex::Complex64;
use wavefield_physics::antenna::{Network, Radiation};
use wavefield_physics::far_field::ScatteringMatrix;
use wavefield_solver::scene::aspects::Aspect;

/// What was computed: scattering over a sweep, or what ports do.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// Frequencies, Hz.
    pub frequencies: Vec<f64>,
    /// Frequency and directions of each result of scattering, frequency by frequency.
    pub aspects: Vec<Aspect>,
    /// The results.
    pub matrices: Vec<ScatteringMatrix>,
    /// What ports reflect and pass on.
    pub network: Option<Network>,
    /// What is radiated with 1 V behind the resistance of the first port, the others being loaded with theirs.
    pub radiation: Option<Radiation>,
    /// Number of unknowns.
    pub unknowns: usize,
    /// Currents and fields at each frequency: under the first wave with V and with H polarisation, of unit amplitude, or as
    /// in `radiation`.
    pub states: Vec<Vec<State>>,
    /// What is known of each frequency's solution.
    pub checks: Vec<Checks>,
}

/// Current and field under one excitation.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The current at the centre of every triangle of the mesh, times η, V/m; zero on triangles without area.
    pub current: Vec<[Complex64; 3]>,
    /// The whole field at the points asked for; none but at the first frequency.
    pub near_field: Vec<Field>,
}

/// A field at a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Field {
    /// E, V/m.
    pub electric: [Complex64; 3],
    /// H times η, V/m.
    pub magnetic: [Complex64; 3],
}

/// What is known of a solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Checks {
    /// An estimate of the condition number; none where there are no factors.
    pub condition: Option<f64>,
    /// Most steps that a block of waves took, and the largest residual of a wave over its right-hand side; none with factors.
    pub iterated: Option<(usize, f64)>,
    /// What rounding of single precision may do to the current, as part of it: the condition number times 6·10⁻⁸; none in double
    /// precision.
    pub rounding: Option<f64>,
    /// The largest field that is left inside closed surfaces, where the current should cancel the incident wave of unit
    /// amplitude; none without a closed surface that has room for a point inside.
    pub inside: Option<f64>,
    /// By which part of itself the power that ports take differs from that which is radiated; none without ports.
    pub power: Option<f64>,
    /// The longest edge in wavelengths.
    pub longest_edge: f64,
}

impl Checks {
    /// The longest edge in wavelengths that is good enough,
    pub const LONGEST_EDGE: f64 = 0.2;
    /// and the most that may be left inside: at ten edges to a wavelength it is a hundredth.
    pub const INSIDE: f64 = 0.05;
    /// The most that the balance of power may be off.
    pub const POWER: f64 = 0.01;
    /// The most that rounding may do.
    pub const ROUNDING: f64 = 0.01;

    /// Whether the current can be trusted, as far as is known.
    pub fn is_trusted(&self) -> bool {
        self.longest_edge <= Checks::LONGEST_EDGE
            && self.inside.is_none_or(|left| left <= Checks::INSIDE)
            && self.power.is_none_or(|off| off <= Checks::POWER)
            && self.rounding.is_none_or(|part| part <= Checks::ROUNDING)
    }
}
