use std::fmt;

use serde::Serialize;

use super::{Limits, Loaded, ReadError, inp, read_inp, read_msh, read_obj, read_stl, stl};
use crate::{BoundingBox, Contour, MeshError, TetrahedralMesh, TriangleMesh};

/// A mesh of the dimension found in a file.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyMesh {
    /// Plane curves.
    Contour(Contour),
    /// A surface.
    Surface(TriangleMesh),
    /// A volume.
    Volume(TetrahedralMesh),
}

impl AnyMesh {
    /// Checks that all indices are in range and all coordinates are finite.
    pub fn validate(&self) -> Result<(), MeshError> {
        match self {
            Self::Contour(mesh) => mesh.validate(),
            Self::Surface(mesh) => mesh.validate(),
            Self::Volume(mesh) => mesh.validate(),
        }
    }

    /// Scales all coordinates by `meters_per_unit`, to convert from the unit of a file to meters.
    pub fn scale(&mut self, meters_per_unit: f64) {
        match self {
            Self::Contour(mesh) => mesh.scale(meters_per_unit),
            Self::Surface(mesh) => mesh.scale(meters_per_unit),
            Self::Volume(mesh) => mesh.scale(meters_per_unit),
        }
    }

    /// Returns the bounding box of the points, or `None` without points.
    pub fn bounding_box(&self) -> Option<BoundingBox> {
        match self {
            Self::Contour(mesh) => mesh.bounding_box(),
            Self::Surface(mesh) => mesh.bounding_box(),
            Self::Volume(mesh) => mesh.bounding_box(),
        }
    }

    /// Returns the surface, if this is one.
    pub fn into_surface(self) -> Option<TriangleMesh> {
        match self {
            Self::Surface(mesh) => Some(mesh),
            _ => None,
        }
    }

    /// Returns the volume, if this is one.
    pub fn into_volume(self) -> Option<TetrahedralMesh> {
        match self {
            Self::Volume(mesh) => Some(mesh),
            _ => None,
        }
    }

    /// Returns the contour, if this is one.
    pub fn into_contour(self) -> Option<Contour> {
        match self {
            Self::Contour(mesh) => Some(mesh),
            _ => None,
        }
    }
}

/// Mesh file formats that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// ASCII STL.
    StlText,
    /// Binary STL.
    StlBinary,
    /// Wavefront OBJ.
    Obj,
    /// Gmsh MSH version 2.2.
    Msh22,
    /// Gmsh MSH version 4.1.
    Msh41,
    /// Triangle format of the Austin RCS benchmark suite.
    Inp,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::StlText => "STL (text)",
            Self::StlBinary => "STL (binary)",
            Self::Obj => "OBJ",
            Self::Msh22 => "Gmsh MSH 2.2",
            Self::Msh41 => "Gmsh MSH 4.1",
            Self::Inp => "INP",
        })
    }
}

/// Reads a mesh in any supported format, detected by the file extension or else by the content.
pub fn read_any(
    name_hint: &str,
    bytes: &[u8],
    limits: &Limits,
) -> Result<Loaded<AnyMesh>, ReadError> {
    let surface = |loaded: Loaded<TriangleMesh>| Loaded {
        mesh: AnyMesh::Surface(loaded.mesh),
        report: loaded.report,
    };
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = text.trim_ascii_start();
    let extension = name_hint.rsplit('.').next().unwrap_or_default();
    // Only Gmsh files begin with `$MeshFormat`, whatever the extension.
    if text.starts_with(b"$MeshFormat") || extension.eq_ignore_ascii_case("msh") {
        return read_msh(bytes, limits);
    }
    let says_solid = (text.get(..5)).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));
    match extension.to_ascii_lowercase().as_str() {
        "stl" => read_stl(bytes, limits).map(surface),
        "obj" => read_obj(bytes, limits).map(surface),
        "inp" => read_inp(bytes, limits).map(surface),
        _ if says_solid || stl::has_binary_length(bytes) => read_stl(bytes, limits).map(surface),
        _ if inp::looks_like_inp(bytes) => read_inp(bytes, limits).map(surface),
        _ if looks_like_obj(text) => read_obj(bytes, limits).map(surface),
        _ => {
            let name = name_hint.chars().take(80).collect();
            Err(ReadError::UnknownFormat { name })
        }
    }
}

/// Returns whether the first lines are OBJ statements: comments, points, groups, or references.
fn looks_like_obj(text: &[u8]) -> bool {
    const KEYWORDS: [&[u8]; 9] = [
        b"v", b"vn", b"vt", b"g", b"o", b"s", b"f", b"mtllib", b"usemtl",
    ];
    let mut first_words = text
        .split(|&b| b == b'\n')
        .take(100)
        .filter_map(|line| super::scanner::words(line).next())
        .filter(|word| !word.starts_with(b"#"))
        .take(3)
        .peekable();
    first_words.peek().is_some() && first_words.all(|word| KEYWORDS.contains(&word))
}
