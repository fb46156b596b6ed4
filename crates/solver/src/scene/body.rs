//! Bodies: geometry, material, coatings, mesh size.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wavefield_physics::material::{Material, NamedMaterial};
use wavefield_physics::quantity::Length;

use super::geometry::Geometry;

/// A body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// Name in meshes and results; default: "body", "body-2", ….
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Outer surface, including coatings.
    pub geometry: Geometry,
    /// Material: "pec", "vacuum", a medium, or a surface impedance.
    pub material: Material,
    /// Coatings on the surface, inside the geometry. Where two coatings cover the same mesh group, the later one
    /// applies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub coatings: Vec<Coating>,
    /// Maximum edge length of the surface mesh; wavelengths are those of the highest frequency. Default: chosen by the
    /// solver.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mesh_size: Option<Length>,
}

impl Body {
    /// Creates a body of a material.
    pub fn new(geometry: Geometry, material: Material) -> Body {
        Body {
            name: None,
            geometry,
            material,
            coatings: Vec::new(),
            mesh_size: None,
        }
    }

    /// Creates a perfect electric conductor.
    pub fn pec(geometry: Geometry) -> Body {
        Body::new(geometry, PEC)
    }

    /// Returns the name of the body; `index` is its position in the list of bodies.
    pub fn name(&self, index: usize) -> String {
        match (&self.name, index) {
            (Some(name), _) => name.clone(),
            (None, 0) => "body".to_owned(),
            (None, _) => format!("body-{}", index + 1),
        }
    }
}

/// The perfect electric conductor.
const PEC: Material = Material::Named(NamedMaterial::Pec);

/// A coating of a body or of a mesh group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Coating {
    /// Coated mesh group; default: the whole body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Layers from the backing outward; empty for an opaque medium, which is the backing alone.
    #[serde(default)]
    pub layers: Vec<CoatingLayer>,
    /// Half-space behind the layers; default: the material of the body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backing: Option<Material>,
}

impl Coating {
    /// Creates a coating of a whole body from its layers.
    pub fn of_layers(layers: Vec<CoatingLayer>) -> Coating {
        Coating {
            group: None,
            layers,
            backing: None,
        }
    }
}

/// A layer of a coating.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CoatingLayer {
    /// Thickness; wavelengths are those of the highest frequency.
    pub thickness: Length,
    /// Material: a medium.
    pub material: Material,
}
