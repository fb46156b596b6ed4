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
    Meter,
    /// Centimeters.
    #[serde(rename = "cm")]
    Centimeter,
    /// Millimeters.
    #[serde(rename = "mm")]
    Millimeter,
    /// Micrometers.
    #[serde(rename = "um")]
    Micrometer,
    /// Inches.
    #[serde(rename = "in")]
    Inch,
    /// Feet.
    #[serde(rename = "ft")]
    Foot,
}

impl MeshUnit {
    /// Returns the length of the unit in meters.
    pub fn meters(self) -> f64 {
        match self {
            MeshUnit::Meter => 1.0,
            MeshUnit::Centimeter => 1e-2,
            MeshUnit::Millimeter => 1e-3,
            MeshUnit::Micrometer => 1e-6,
            MeshUnit::Inch => 0.0254,
            MeshUnit::Foot => 0.3048,
        }
    }
}
