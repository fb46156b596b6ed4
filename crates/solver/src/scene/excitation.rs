//! What excites the fields: plane waves, ports, or dipoles.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wavefield_physics::quantity::{Angle, Length};
use wavefield_physics::sweep::Sweep;

/// The excitation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Excitation {
    /// Plane waves: scattering.
    PlaneWave(PlaneWave),
    /// Ports: antennas and networks.
    Ports(Ports),
    /// Short current elements.
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

    /// Returns the excitation with this polarization, if it is a plane wave.
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

    /// Returns the plane waves, if the excitation is of this kind.
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
    /// Polarization of the incident wave. A solver that gets both at the cost of one computes both.
    #[serde(default)]
    pub polarization: Polarization,
}

/// Angles of 90° from +z.
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
    /// In two dimensions TM: E along z.
    Tm,
    /// In two dimensions TE: H along z.
    Te,
    /// Both, one after the other.
    #[default]
    Both,
}

/// Ports, each excited in turn.
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
    /// A voltage across a gap of zero width in a conducting surface.
    DeltaGap(DeltaGap),
    /// A resistive sheet with a source, between two conductors.
    Lumped(LumpedPort),
}

/// A delta-gap source. Edges of triangles lie along the gap: those it passes through are divided.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeltaGap {
    /// A point of the gap, or amid a gap around a tube.
    pub position: [Length; 3],
    /// Direction in which the port current flows; the gap lies in the plane normal to it.
    pub direction: [f64; 3],
    /// Distance from `position` within which the gap extends.
    pub radius: Length,
    /// Reference impedance of S-parameters, Ω.
    #[serde(default = "fifty")]
    pub reference_impedance: f64,
}

/// A lumped port: a resistor in series with a source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LumpedPort {
    /// The named surface of the mesh that it fills, flat and between two conductors.
    pub surface: String,
    /// Direction from one conductor to the other, within the surface.
    pub direction: [f64; 3],
    /// Its resistance and the reference impedance of S-parameters, Ω.
    #[serde(default = "fifty")]
    pub reference_impedance: f64,
}

fn fifty() -> f64 {
    50.0
}

/// Short current elements, excited together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dipoles {
    /// The dipoles.
    pub dipoles: Vec<Dipole>,
}

/// A short current element.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dipole {
    /// Its position.
    pub position: [Length; 3],
    /// Current times length along x, y, and z, A·m.
    pub moment: [f64; 3],
}
