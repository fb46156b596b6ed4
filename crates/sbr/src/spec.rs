//! What a user may ask of this solver, as it stands in a problem file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wavefield_mesh::Target;
use wavefield_physics::aspects::{Incidence, Observation};
use wavefield_physics::material::{Material, NamedMaterial};
use wavefield_physics::quantity::{Frequency, Length};
use wavefield_physics::sweep::Sweep;

use crate::aperture::Density;
use crate::image::Products;

/// Scattering of plane waves by an electrically large body: a perfect conductor unless it is coated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// One frequency or a sweep, which shares its rays.
    pub frequency: Sweep<Frequency>,
    /// The body that scatters.
    pub target: Target,
    /// Where the waves come from.
    pub incidence: Incidence,
    /// Where the scattered field is looked at.
    pub observation: Observation,
    /// How finely the waves are cut into rays.
    #[serde(default)]
    pub rays: Rays,
    /// Whether sharp edges and rims diffract.
    #[serde(default)]
    pub edges: bool,
    /// What the body is coated with or made of, where it is not a bare conductor.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub coats: Vec<CoatSpec>,
    /// What to make of the sweep: range profiles, an image, scattering centres.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub products: Option<Products>,
}

/// A coat of some or all triangles, whose outer face is the mesh.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CoatSpec {
    /// The group of the mesh that is coated; the whole body if left out. Of two coats on a group the later counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Layers from the backing outwards; none for a body of one material.
    #[serde(default)]
    pub layers: Vec<CoatLayer>,
    /// What is behind them, without end: a perfect conductor if left out.
    #[serde(default = "conductor")]
    pub backing: Material,
}

/// A layer of a coat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CoatLayer {
    /// Its thickness; wavelengths are those of the highest frequency.
    pub thickness: Length,
    /// What it is made of.
    pub material: Material,
}

fn conductor() -> Material {
    Material::Named(NamedMaterial::Pec)
}

/// How finely waves are cut into rays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Rays {
    /// Side of a cell where the surface is smooth, in wavelengths of the highest frequency.
    pub step: f64,
    /// How often a cell may be halved at silhouettes, edges and curvature.
    pub halvings: u32,
    /// Most reflections.
    pub bounces: u32,
}

impl Default for Rays {
    fn default() -> Rays {
        let Density {
            step,
            halvings,
            bounces,
            ..
        } = Density::default();
        Rays {
            step,
            halvings,
            bounces,
        }
    }
}
