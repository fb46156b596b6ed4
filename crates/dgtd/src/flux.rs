//! Numerical flux through a face: the solution of the Riemann problem between two elements (upwind flux), or a flux
//! with less penalty.
//!
//! With the jumps ΔE = E⁺ − E⁻ from the own side to the other and n outward, equations (15)–(17) of L. Zhao, G. Chen,
//! W. Yu, Prog. Electromagn. Res. M 48 (2016) 1–11, read
//!
//! - for ε ∂E/∂t:  (Z⁺ n × ΔH + α (ΔE − n (n·ΔE))) / (Z⁺ + Z⁻),
//! - for μ ∂H/∂t: (−Y⁺ n × ΔE + α (ΔH − n (n·ΔH))) / (Y⁺ + Y⁻).
//!
//! α = 1 is the upwind flux, α = 0 the central flux, which conserves energy, and values between are penalized fluxes.

use wavefield_numerics::vector::{cross, dot};

use crate::medium::Medium;
use crate::topology::Boundary;

/// E and Z₀H at a point, V/m.
pub type Fields = [[f64; 3]; 2];

/// Coefficients of the numerical flux on one side of a face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FaceFlux {
    /// Coefficients of n × ΔH in the equation of E, and of −n × ΔE in that of H.
    pub cross: [f64; 2],
    /// Coefficients of the tangential parts of ΔE and of ΔH.
    pub penalty: [f64; 2],
}

impl FaceFlux {
    /// Returns the coefficients for ∂E/∂t and ∂H/∂t between a medium and that on the other side.
    pub fn between(own: Medium, other: Medium, upwind: f64) -> FaceFlux {
        let (own_z, other_z) = (own.impedance(), other.impedance());
        let impedances = own_z + other_z;
        let admittances = own_z.recip() + other_z.recip();
        FaceFlux {
            cross: [
                other_z / impedances / own.permittivity,
                other_z.recip() / admittances / own.permeability,
            ],
            penalty: [
                upwind / impedances / own.permittivity,
                upwind / admittances / own.permeability,
            ],
        }
    }

    /// Returns the contribution of the face to ∂E/∂t and ∂H/∂t before the lift operator.
    pub fn of(&self, normal: [f64; 3], [jump_e, jump_h]: Fields) -> Fields {
        let tangential = |jump: [f64; 3]| {
            let along = dot(normal, jump);
            std::array::from_fn(|k| jump[k] - along * normal[k])
        };
        let (turned_h, turned_e) = (cross(normal, jump_h), cross(normal, jump_e));
        let (along_e, along_h): ([f64; 3], [f64; 3]) = (tangential(jump_e), tangential(jump_h));
        [
            std::array::from_fn(|k| self.cross[0] * turned_h[k] + self.penalty[0] * along_e[k]),
            std::array::from_fn(|k| -self.cross[1] * turned_e[k] + self.penalty[1] * along_h[k]),
        ]
    }
}

impl Boundary {
    /// Returns the factors of E and H that give the field beyond the boundary (mirror principle).
    pub fn mirror(self) -> [f64; 2] {
        match self {
            Boundary::ElectricWall => [-1.0, 1.0],
            Boundary::MagneticWall => [1.0, -1.0],
            Boundary::Absorbing => [0.0, 0.0],
        }
    }
}
