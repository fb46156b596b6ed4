//! Element factor Q·S₀·E_f of eq. (1) in the co- and cross-polar components of Ludwig's third definition.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The element pattern.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Element {
    /// Isotropic over the half space, without cross-polar field.
    #[default]
    Isotropic,
    /// Aperture field E = ŷ in a conducting plane; only the magnetic current radiates.
    Aperture,
}

impl Element {
    /// Returns the co- and cross-polar factors toward (u, v), y being the co-polar direction.
    pub fn factor(self, u: f64, v: f64) -> [f64; 2] {
        match self {
            Element::Isotropic => [1.0, 0.0],
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
