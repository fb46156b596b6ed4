//! What a user may ask of this solver, as it stands in a problem file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wavefield_mesh::MeshFile;
use wavefield_physics::aspects::{Incidence, Observation};
use wavefield_physics::material::Material;
use wavefield_physics::quantity::{Frequency, Length};
use wavefield_physics::sweep::Sweep;

/// Exact scattering of a plane wave by a sphere or an infinite circular cylinder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// One frequency or a sweep.
    pub frequency: Sweep<Frequency>,
    /// The body that scatters.
    pub target: Target,
    /// Where the wave comes from.
    pub incidence: Incidence,
    /// Where the scattered field is looked at.
    pub observation: Observation,
    /// A mesh of the same body: shown in the report, with its distance from the exact surface.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<MeshFile>,
}

/// The body that scatters, centred at the origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "shape", rename_all = "kebab-case")]
pub enum Target {
    /// A sphere, possibly coated.
    Sphere(SphereTarget),
    /// An infinite circular cylinder along z.
    Cylinder(CylinderTarget),
}

/// A sphere of a conductor or a medium, with any number of coats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SphereTarget {
    /// Radius of the sphere without its coats.
    pub radius: Length,
    /// What it is made of.
    pub material: Material,
    /// Coats from inside to outside.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub coats: Vec<Coat>,
}

/// A coat around a sphere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Coat {
    /// Thickness of the coat.
    pub thickness: Length,
    /// What it is made of; not a conductor.
    pub material: Material,
}

/// An infinite circular cylinder along z, lit at a right angle to its axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CylinderTarget {
    /// Radius of the cylinder.
    pub radius: Length,
    /// What it is made of.
    pub material: Material,
}
