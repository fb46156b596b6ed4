//! What flows through a face: the solution of the Riemann problem between two elements, or a part of it.
//!
//! With ΔE = E⁺ − E⁻ from the own side to the other and n outward, equations (15)–(17) of L. Zhao, G. Chen, W. Yu,
//! Prog. Electromagn. Res. M 48 (2016) 1–11, read
//!
//! - for ε ∂E/∂t:  (Z⁺ n × ΔH + α (ΔE − n (n·ΔE))) / (Z⁺ + Z⁻),
//! - for μ ∂H/∂t: (−Y⁺ n × ΔE + α (ΔH − n (n·ΔH))) / (Y⁺ + Y⁻).
//!
//! α = 1 is the upwind flux, α = 0 the central one, which conserves energy, and values between are penalised fluxes.

use wavefield_numerics::vector::{cross, dot};

use crate::medium::Medium;
use crate::topology::Boundary;

/// E and Z₀H at a point.
pub type Fields = [[f64; 3]; 2];

/// Factors of one side of a face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FaceFlux {
    /// Of n × ΔH in the equation of E, of −n × ΔE in that of H.
    pub cross: [f64; 2],
    /// Of the tangential part of ΔE and of ΔH.
    pub penalty: [f64; 2],
}

impl FaceFlux {
    /// The factors between a medium and the one on the other side, for ∂E/∂t and ∂H/∂t.
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

    /// What the face adds to ∂E/∂t and ∂H/∂t before it is lifted.
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
    /// The field beyond the boundary is the own one with E and H times these.
    pub fn mirror(self) -> [f64; 2] {
        match self {
            Boundary::ElectricWall => [-1.0, 1.0],
            Boundary::MagneticWall => [1.0, -1.0],
            Boundary::Absorbing => [0.0, 0.0],
        }
    }
}
