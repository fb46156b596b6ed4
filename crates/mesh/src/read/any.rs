use std::fmt;

use serde::Serialize;

use super::{Limits, Loaded, ReadError, inp, read_inp, read_msh, read_obj, read_stl, stl};
use crate::{BoundingBox, Contour, MeshError, TetrahedralMesh, TriangleMesh};

/// A mesh of whichever dimension the file holds.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyMesh {
    /// Curves in the plane.
    Contour(Contour),
    /// A surface in space.
    Surface(TriangleMesh),
    /// A filled volume.
    Volume(TetrahedralMesh),
}

impl AnyMesh {
    /// Checks that every number refers to something that exists and every coordinate is finite.
    pub fn validate(&self) -> Result<(), MeshError> {
        match self {
            Self::Contour(mesh) => mesh.validate(),
            Self::Surface(mesh) => mesh.validate(),
            Self::Volume(mesh) => mesh.validate(),
        }
    }

    /// Multiplies every coordinate by `metres_per_unit`, to bring a file's unit to metres.
    pub fn scale(&mut self, metres_per_unit: f64) {
        match self {
            Self::Contour(mesh) => mesh.scale(metres_per_unit),
            Self::Surface(mesh) => mesh.scale(metres_per_unit),
            Self::Volume(mesh) => mesh.scale(metres_per_unit),
        }
    }

    /// The smallest box around the points, or `None` when there are none.
    pub fn bounding_box(&self) -> Option<BoundingBox> {
        match self {
            Self::Contour(mesh) => mesh.bounding_box(),
            Self::Surface(mesh) => mesh.bounding_box(),
            Self::Volume(mesh) => mesh.bounding_box(),
        }
    }

    /// The surface, if this is one.
    pub fn into_surface(self) -> Option<TriangleMesh> {
        match self {
            Self::Surface(mesh) => Some(mesh),
            _ => None,
        }
    }

    /// The volume, if this is one.
    pub fn into_volume(self) -> Option<TetrahedralMesh> {
        match self {
            Self::Volume(mesh) => Some(mesh),
            _ => None,
        }
    }

    /// The contour, if this is one.
    pub fn into_contour(self) -> Option<Contour> {
        match self {
            Self::Contour(mesh) => Some(mesh),
            _ => None,
        }
    }
}

/// The formats that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// STL as text.
    StlText,
    /// STL in binary.
    StlBinary,
    /// Wavefront OBJ.
    Obj,
    /// Gmsh MSH version 2.2.
    Msh22,
    /// Gmsh MSH version 4.1.
    Msh41,
    /// The triangle format of the Austin RCS benchmark suite.
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

/// Reads a mesh in any known format, told apart by the end of its name or, failing that, by its content.
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
    // Only Gmsh begins this way, whatever the name says.
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

/// Whether the first lines are comments, points, groups or references as OBJ writes them.
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
