//! The body that scatters: how a problem file names it, and the surface that follows.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wavefield_physics::quantity::{Angle, Length};

use crate::primitive::{self, PrimitiveError};
use crate::{MeshFile, TriangleMesh};

/// The body that scatters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "shape", rename_all = "kebab-case")]
pub enum Target {
    /// A triangle mesh from a file.
    Mesh(MeshTarget),
    /// A sphere around the origin.
    Sphere(SphereTarget),
    /// A rectangle in the x–y plane around the origin.
    Plate(PlateTarget),
    /// Two rectangles that share an edge on the z axis and open towards +x.
    Dihedral(DihedralTarget),
    /// Three right-angled triangles that meet at the origin and open towards (1, 1, 1).
    Trihedral(TrihedralTarget),
    /// The NASA almond, its tip towards +x.
    Almond(AlmondTarget),
}

/// A triangle mesh from a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeshTarget {
    /// The file and its unit.
    pub mesh: MeshFile,
    /// What it is made of where no coat says otherwise: "pec", which may be left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<Conductor>,
}

/// A sphere around the origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SphereTarget {
    /// Its radius.
    pub radius: Length,
    /// What it is made of where no coat says otherwise: "pec", which may be left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<Conductor>,
}

/// A rectangle in the x–y plane around the origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlateTarget {
    /// Its side along x.
    pub width: Length,
    /// Its side along y.
    pub height: Length,
    /// What it is made of where no coat says otherwise: "pec", which may be left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<Conductor>,
}

/// Two rectangles that share an edge on the z axis and open towards +x.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DihedralTarget {
    /// Sides away from the edge.
    pub width: Length,
    /// Sides along the edge.
    pub height: Length,
    /// The angle between the rectangles.
    #[serde(default = "right_angle")]
    pub opening: Angle,
    /// What it is made of where no coat says otherwise: "pec", which may be left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<Conductor>,
}

/// Three right-angled triangles that meet at the origin and open towards (1, 1, 1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrihedralTarget {
    /// Length of the inner edges.
    pub side: Length,
    /// What it is made of where no coat says otherwise: "pec", which may be left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<Conductor>,
}

/// The NASA almond, its tip towards +x. A. C. Woo et al., IEEE Antennas Propag. Mag. 35 (1993) 84–89.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AlmondTarget {
    /// Its length.
    pub length: Length,
    /// What it is made of where no coat says otherwise: "pec", which may be left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<Conductor>,
}

/// What bare bodies are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Conductor {
    /// A perfect conductor.
    Pec,
}

fn right_angle() -> Angle {
    Angle::from_degrees(90.0)
}

/// A kind of face, whose triangles have the size that a method needs there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Face {
    /// A flat one with its longest side, metres.
    Flat(f64),
    /// A curved one with its radius, metres.
    Curved(f64),
}

/// Why a body has no surface.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TargetError {
    /// A length is not positive.
    #[error("`{key}` must be positive, not {value}")]
    NotPositive {
        /// The key in the problem file.
        key: &'static str,
        /// Its value in metres.
        value: f64,
    },
    /// The mesh of the file was not handed over.
    #[error("`target.mesh`: the file holds no surface")]
    NoMesh,
    /// A shape cannot be made.
    #[error("`target`: {0}")]
    Primitive(#[from] PrimitiveError),
}

impl Target {
    /// The surface: `file` is what the named file holds, `longest` the longest edge allowed on a face of a shape.
    ///
    /// # Errors
    /// A length is not positive, or the shape cannot be made.
    pub fn surface(
        &self,
        file: Option<TriangleMesh>,
        wavelength: f64,
        longest: impl Fn(Face) -> f64,
    ) -> Result<TriangleMesh, TargetError> {
        let metres = |key: &'static str, length: &Length| {
            let metres = length.metres(wavelength);
            if metres > 0.0 && metres.is_finite() {
                Ok(metres)
            } else {
                Err(TargetError::NotPositive { key, value: metres })
            }
        };
        Ok(match self {
            Target::Mesh(_) => file.ok_or(TargetError::NoMesh)?,
            Target::Sphere(sphere) => {
                let radius = metres("target.radius", &sphere.radius)?;
                primitive::sphere(radius, longest(Face::Curved(radius)))?
            }
            Target::Plate(plate) => {
                let width = metres("target.width", &plate.width)?;
                let height = metres("target.height", &plate.height)?;
                primitive::plate(width, height, longest(Face::Flat(width.max(height))))?
            }
            Target::Dihedral(dihedral) => {
                let width = metres("target.width", &dihedral.width)?;
                let height = metres("target.height", &dihedral.height)?;
                let edge = longest(Face::Flat(width.max(height)));
                primitive::dihedral(width, height, dihedral.opening.0, edge)?
            }
            Target::Trihedral(trihedral) => {
                let side = metres("target.side", &trihedral.side)?;
                primitive::triangular_trihedral(side, longest(Face::Flat(side)))?
            }
            Target::Almond(almond) => {
                let length = metres("target.length", &almond.length)?;
                // Around its waist it is an ellipse with the half axes 0.193 and 0.064 of its length.
                primitive::almond(length, longest(Face::Curved(0.064 * length)))?
            }
        })
    }
}
