//! Mesh files in problem files.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A mesh file and the unit of its coordinates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeshFile {
    /// Path of the file, relative to the problem file.
    #[schemars(extend("x-file" = "mesh"))]
    pub file: String,
    /// Unit of the coordinates in the file. There is no default, because a wrong guess would go
    /// unnoticed.
    pub unit: MeshUnit,
}

/// A unit of length of mesh coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum MeshUnit {
    /// Meters.
    #[serde(rename = "m")]
    Metre,
    /// Centimeters.
    #[serde(rename = "cm")]
    Centimetre,
    /// Millimeters.
    #[serde(rename = "mm")]
    Millimetre,
    /// Micrometers.
    #[serde(rename = "um")]
    Micrometre,
    /// Inches.
    #[serde(rename = "in")]
    Inch,
    /// Feet.
    #[serde(rename = "ft")]
    Foot,
}

impl MeshUnit {
    /// Returns the length of the unit in meters.
    pub fn metres(self) -> f64 {
        match self {
            MeshUnit::Metre => 1.0,
            MeshUnit::Centimetre => 1e-2,
            MeshUnit::Millimetre => 1e-3,
            MeshUnit::Micrometre => 1e-6,
            MeshUnit::Inch => 0.0254,
            MeshUnit::Foot => 0.3048,
        }
    }
}
