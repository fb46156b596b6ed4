//! The element factor Q·S₀·E_f of eq. (1): what every cell radiates into a direction, in the co- and
//! cross-polar components of Ludwig's third definition.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a cell radiates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Element {
    /// The same into every direction of its half space, without cross-polar field.
    #[default]
    Even,
    /// A cell of the aperture field E = ŷ before a conductor (its magnetic current alone radiates).
    Aperture,
}

impl Element {
    /// Co- and cross-polar factor towards (u, v), y being the co-polar direction.
    pub fn factor(self, u: f64, v: f64) -> [f64; 2] {
        match self {
            Element::Even => [1.0, 0.0],
            Element::Aperture => {
                // E_θ = sinφ and E_φ = cosθ cosφ; co = E_θ sinφ + E_φ cosφ, cross = E_θ cosφ − E_φ sinφ.
                let across = u * u + v * v;
                if across == 0.0 {
                    return [1.0, 0.0];
                }
                let cos_theta = (1.0 - across).max(0.0).sqrt();
                let (cos2, sin2, sin_cos) = (u * u / across, v * v / across, u * v / across);
                [sin2 + cos_theta * cos2, sin_cos * (1.0 - cos_theta)]
            }
        }
    }
}
