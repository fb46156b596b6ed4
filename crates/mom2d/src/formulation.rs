//! Boundary integral equations as linear combinations of four boundary operators.
//!
//! u is E_z (TM) or H_z (TE), p = (1/jk) ∂u/∂n with the normal out of the body and k outside. Green's theorem outside and
//! inside a body of wavenumber k₁ gives, with S, D, D′, N the single-layer, double-layer, adjoint double-layer, and
//! hypersingular operators, whose kernels are G, ∂G/∂n′, ∂G/∂n, and ∂²G/∂n∂n′,
//!
//!   E1: ½u − Du + jkSp = u_i,              I1: ½u + D₁u − jkρS₁p = 0,
//!   E2: ½p + D′p − Nu/jk = p_i,            I2: ½ρp − ρD₁′p + N₁u/jk = 0,
//!
//! where ∂u/∂n inside is ρ times that outside: ρ = µ₁ (TM), ε₁ (TE).
//!
//! - Conductor: u = 0 (TM), p = 0 (TE). E1 is the EFIE in TM and the MFIE in TE, E2 the other. Their sum with positive weights
//!   (CFIE) imposes on an interior field ∂v/∂n = −jk·(positive)·v, a lossy impedance boundary condition without interior
//!   resonances.
//! - Surface impedance z: u = zp (TM), p = zu (TE).
//! - Dielectric: E1 + I1 and E2 + I2 (Müller formulation): the hypersingular parts cancel.
//!
//! The surface current n̂ × H is p/η along z (TM) and −u along the counterclockwise tangent (TE).

use num_complex::Complex64;
use wavefield_physics::exact::cylinder::Polarization;

use crate::kernels::Coefficients;
use crate::wave::Wave;

const ONE: Complex64 = Complex64::new(1.0, 0.0);

/// Boundary condition of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Surface {
    /// Perfect conductor.
    Conductor,
    /// Surface impedance over that of vacuum.
    Impedance(Complex64),
    /// Homogeneous interior: its wave, and ρ.
    Dielectric { wave: Wave, ratio: Complex64 },
}

/// Unknown x of a node, which represents u = `u`·x and p = `p`·x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Unknown {
    pub(crate) u: Complex64,
    pub(crate) p: Complex64,
}

/// Equation at a node: `first`·E1 + `second`·E2, and for a dielectric the same combination of I1 and I2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) first: f64,
    pub(crate) second: f64,
}

/// Coupling of an equation to an unknown: exterior kernels, interior kernels on the same body, and the free term.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Coupling {
    pub(crate) outside: Coefficients,
    pub(crate) inside: Option<(Wave, Coefficients)>,
    pub(crate) free: Complex64,
}

/// Unknowns and equations at each node of one body.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BodyEquations {
    pub(crate) surface: Surface,
    pub(crate) unknowns: Vec<Unknown>,
    pub(crate) rows: Vec<Row>,
}

impl BodyEquations {
    /// Creates the equations; `alpha` is the weight of the EFIE in the CFIE.
    pub(crate) fn new(surface: Surface, polarization: Polarization, alpha: f64) -> BodyEquations {
        let combined = match polarization {
            Polarization::Tm => Row {
                first: alpha,
                second: 1.0 - alpha,
            },
            Polarization::Te => Row {
                first: 1.0 - alpha,
                second: alpha,
            },
        };
        let (unknowns, rows) = match surface {
            Surface::Conductor | Surface::Impedance(_) => {
                let z = match surface {
                    Surface::Impedance(z) => z,
                    _ => Complex64::ZERO,
                };
                let unknown = match polarization {
                    Polarization::Tm => Unknown { u: z, p: ONE },
                    Polarization::Te => Unknown { u: ONE, p: z },
                };
                (vec![unknown], vec![combined])
            }
            Surface::Dielectric { .. } => (
                vec![
                    Unknown {
                        u: ONE,
                        p: Complex64::ZERO,
                    },
                    Unknown {
                        u: Complex64::ZERO,
                        p: ONE,
                    },
                ],
                vec![
                    Row {
                        first: 1.0,
                        second: 0.0,
                    },
                    Row {
                        first: 0.0,
                        second: 1.0,
                    },
                ],
            ),
        };
        BodyEquations {
            surface,
            unknowns,
            rows,
        }
    }

    /// Returns the coupling of an equation to an unknown of this body; `same` if the equation is on the same body.
    pub(crate) fn coupling(&self, row: Row, unknown: Unknown, k: f64, same: bool) -> Coupling {
        let jk = Complex64::new(0.0, k);
        let (u, p) = (unknown.u, unknown.p);
        let outside = Coefficients {
            single: jk * row.first * p,
            double: -row.first * u,
            adjoint: row.second * p,
            hyper: -row.second * u / jk,
        };
        let mut coupling = Coupling {
            outside,
            inside: None,
            free: Complex64::ZERO,
        };
        if !same {
            return coupling;
        }
        coupling.free = 0.5 * (row.first * u + row.second * p);
        if let Surface::Dielectric { wave, ratio } = self.surface {
            let inside = Coefficients {
                single: -jk * ratio * row.first * p,
                double: row.first * u,
                adjoint: -ratio * row.second * p,
                hyper: row.second * u / jk,
            };
            coupling.inside = Some((wave, inside));
            coupling.free += 0.5 * (row.first * u + ratio * row.second * p);
        }
        coupling
    }
}
