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
    /// Its name in meshes and results; "body", "body-2", … by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its outer surface, coatings included.
    pub geometry: Geometry,
    /// What it is made of: "pec", "vacuum", a medium, or a surface impedance.
    pub material: Material,
    /// Layers on its surface, within the geometry. Of two coatings on a group of a mesh the later counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub coatings: Vec<Coating>,
    /// Longest edge of the mesh on its surface, wavelengths being those of the highest frequency; by default the solver's.
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

    /// Returns its name; `index` is its place in the list of bodies.
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

/// A coating of a body or of a group of its mesh.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Coating {
    /// The group of the mesh that is coated; the whole body by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Layers from the backing outward; none for an opaque medium, which is the backing alone.
    #[serde(default)]
    pub layers: Vec<CoatingLayer>,
    /// What is behind the layers, without end; the material of the body by default.
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
    /// Its thickness, wavelengths being those of the highest frequency.
    pub thickness: Length,
    /// What it is made of: a medium.
    pub material: Material,
}
