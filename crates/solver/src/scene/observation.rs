//! Observation of far fields.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wavefield_physics::quantity::Angle;
use wavefield_physics::sweep::Sweep;

use super::excitation::horizon;

/// Observation of far fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Observation {
    /// Monostatic scattering: observation in the direction of each incidence.
    Monostatic,
    /// Bistatic scattering in the given directions, for every incidence.
    Bistatic(Directions),
    /// Radiation of ports and dipoles in the given directions.
    FarField(Directions),
}

impl Observation {
    /// Creates the observation of scattering in every θ with every φ.
    pub fn bistatic(theta: impl Into<Sweep<Angle>>, phi: impl Into<Sweep<Angle>>) -> Observation {
        Observation::Bistatic(Directions {
            theta: theta.into(),
            phi: phi.into(),
        })
    }

    /// Creates the observation of radiation in every θ with every φ.
    pub fn far_field(theta: impl Into<Sweep<Angle>>, phi: impl Into<Sweep<Angle>>) -> Observation {
        Observation::FarField(Directions {
            theta: theta.into(),
            phi: phi.into(),
        })
    }
}

/// Directions of observation: every θ with every φ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Directions {
    /// Angle from +z.
    #[serde(default = "horizon")]
    pub theta: Sweep<Angle>,
    /// Angle from +x.
    pub phi: Sweep<Angle>,
}
