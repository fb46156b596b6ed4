//! Excitation of the fields: plane waves, ports, or dipoles.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wavefield_physics::quantity::{Angle, Length};
use wavefield_physics::sweep::Sweep;

/// The excitation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Excitation {
    /// Plane waves, for scattering.
    PlaneWave(PlaneWave),
    /// Ports, for antennas and networks.
    Ports(Ports),
    /// Hertzian dipoles.
    Dipoles(Dipoles),
}

impl Excitation {
    /// Creates plane waves of both polarizations, incident from every θ with every φ.
    pub fn plane_wave(theta: impl Into<Sweep<Angle>>, phi: impl Into<Sweep<Angle>>) -> Excitation {
        Excitation::PlaneWave(PlaneWave {
            theta: theta.into(),
            phi: phi.into(),
            polarization: Polarization::Both,
        })
    }

    /// Returns the excitation with this polarization if it is a plane wave.
    #[must_use]
    pub fn polarized(mut self, polarization: Polarization) -> Excitation {
        if let Excitation::PlaneWave(wave) = &mut self {
            wave.polarization = polarization;
        }
        self
    }

    /// Creates an excitation by ports.
    pub fn ports(ports: Vec<Port>) -> Excitation {
        Excitation::Ports(Ports { ports })
    }

    /// Creates an excitation by dipoles.
    pub fn dipoles(dipoles: Vec<Dipole>) -> Excitation {
        Excitation::Dipoles(Dipoles { dipoles })
    }

    /// Returns the plane waves if the excitation is of this kind.
    pub fn as_plane_wave(&self) -> Option<&PlaneWave> {
        match self {
            Excitation::PlaneWave(wave) => Some(wave),
            Excitation::Ports(_) | Excitation::Dipoles(_) => None,
        }
    }
}

/// Plane waves, incident from every θ with every φ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaneWave {
    /// Angle of the direction of incidence from +z.
    #[serde(default = "horizon")]
    pub theta: Sweep<Angle>,
    /// Angle of the direction of incidence from +x.
    pub phi: Sweep<Angle>,
    /// Polarization of the incident wave. A solver that obtains both at the cost of one computes
    /// both.
    #[serde(default)]
    pub polarization: Polarization,
}

/// Returns the default θ of 90°.
pub(super) fn horizon() -> Sweep<Angle> {
    Sweep::One(Angle::from_degrees(90.0))
}

/// Polarization of an incident wave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Polarization {
    /// V: E along θ̂.
    V,
    /// H: E along φ̂.
    H,
    /// TM in two dimensions: E along z.
    Tm,
    /// TE in two dimensions: H along z.
    Te,
    /// Both, one after the other.
    #[default]
    Both,
}

/// Ports, excited one at a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ports {
    /// The ports.
    pub ports: Vec<Port>,
}

/// A port.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Port {
    /// A delta-gap source: a voltage across a gap of zero width in a conducting surface.
    DeltaGap(DeltaGap),
    /// A lumped port: a resistive sheet with a source, between two conductors.
    Lumped(LumpedPort),
}

/// A delta-gap source. Triangles that intersect the plane of the gap are split so that mesh edges
/// lie along it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeltaGap {
    /// A point of the gap, or the center of a gap around a tube.
    pub position: [Length; 3],
    /// Direction of the port current; the gap lies in the plane normal to it.
    pub direction: [f64; 3],
    /// Distance from `position` within which the gap extends.
    pub radius: Length,
    /// Reference impedance of the S-parameters, in Ω.
    #[serde(default = "fifty")]
    pub reference_impedance: f64,
}

/// A lumped port: a source in series with a resistor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LumpedPort {
    /// Mesh surface of the port: flat, named, and between two conductors.
    pub surface: String,
    /// Direction of the port voltage within the surface, from one conductor to the other.
    pub direction: [f64; 3],
    /// Resistance of the port and reference impedance of the S-parameters, in Ω.
    #[serde(default = "fifty")]
    pub reference_impedance: f64,
}

fn fifty() -> f64 {
    50.0
}

/// Hertzian dipoles, excited together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dipoles {
    /// The dipoles.
    pub dipoles: Vec<Dipole>,
}

/// A Hertzian dipole (short current element).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dipole {
    /// Position of the dipole.
    pub position: [Length; 3],
    /// Current moment (current times length) along x, y, and z, in A·m.
    pub moment: [f64; 3],
}
