//! Shapes of bodies: in space around the origin, and cross-sections of infinite cylinders along z.

use std::f64::consts::{PI, TAU};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wavefield_mesh::primitive::{self, HelixAntenna, PrimitiveError, WireSection};
use wavefield_mesh::{MeshFile, MeshUnit, TriangleMesh};
use wavefield_physics::quantity::{Angle, Length};

/// The outer surface of a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "shape", rename_all = "kebab-case")]
pub enum Geometry {
    /// A mesh from a file: a triangle mesh (STL, OBJ, MSH, INP) or plane curves.
    Mesh(MeshGeometry),
    /// The boundary of the solids in a STEP file, meshed by Gmsh.
    Step(StepGeometry),
    /// A sphere around the origin.
    Sphere(Sphere),
    /// A cuboid around the origin with sides along the axes.
    Cuboid(Cuboid),
    /// A circular cylinder of finite length along z around the origin.
    Cylinder(Cylinder),
    /// A rectangle in the x–y plane around the origin, infinitely thin.
    Plate(Plate),
    /// A dihedral corner reflector: two rectangles that share an edge on the z axis and open toward +x.
    Dihedral(Dihedral),
    /// A trihedral corner reflector: three right triangles that meet at the origin and open toward (1, 1, 1).
    Trihedral(Trihedral),
    /// The NASA almond, its tip toward +x.
    Almond(Almond),
    /// A helical wire along +z above a circular ground plate in z = 0, with a feed between them.
    Helix(Helix),
    /// A circle: an infinite circular cylinder.
    Circle(Circle),
    /// An ellipse.
    Ellipse(Ellipse),
    /// A polygon with sharp corners.
    Polygon(Polygon),
    /// A smooth closed curve through points.
    Spline(Spline),
    /// An open strip, straight or curved, infinitely thin.
    Strip(Strip),
}

/// A mesh from a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeshGeometry {
    /// Path of the file, relative to the problem file.
    #[schemars(extend("x-file" = "mesh"))]
    pub file: String,
    /// Unit of the coordinates in the file. There is no default, because a wrong guess would go unnoticed.
    pub unit: MeshUnit,
    /// Mesh group to be used; default: the whole file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Whether Gmsh remeshes the surface with the edge length of the solver. Required for CAD exports, whose triangles
    /// are as large as the shape allows.
    #[serde(default)]
    pub remesh: bool,
    /// Whether the body is an open, infinitely thin sheet. The boundary edges of any other body are holes, which are an
    /// error.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
    /// Turning angle at a point of a plane curve above which the point is a corner. A spline runs through the points
    /// between corners.
    #[serde(default = "corner_angle")]
    pub corner_angle: Angle,
}

impl MeshGeometry {
    /// Creates the geometry of a whole file.
    pub fn new(file: impl Into<String>, unit: MeshUnit) -> MeshGeometry {
        MeshGeometry {
            file: file.into(),
            unit,
            group: None,
            remesh: false,
            open: false,
            corner_angle: corner_angle(),
        }
    }

    /// Returns the file with its unit.
    pub fn mesh_file(&self) -> MeshFile {
        MeshFile {
            file: self.file.clone(),
            unit: self.unit,
        }
    }
}

fn corner_angle() -> Angle {
    Angle::from_degrees(25.0)
}

/// Solids in a STEP file, which states its unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepGeometry {
    /// Path of the file, relative to the problem file.
    #[schemars(extend("x-file" = "STEP"))]
    pub file: String,
}

/// A sphere around the origin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sphere {
    /// Radius of the sphere.
    pub radius: Length,
}

/// A cuboid around the origin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cuboid {
    /// Sides along x, y, and z.
    pub size: [Length; 3],
}

/// A circular cylinder along z around the origin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cylinder {
    /// Radius of the cylinder.
    pub radius: Length,
    /// Length along z.
    pub length: Length,
}

/// A rectangle in the x–y plane around the origin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Plate {
    /// Side along x.
    pub width: Length,
    /// Side along y.
    pub height: Length,
}

/// A dihedral corner reflector: two rectangles that share an edge on the z axis and open toward +x.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dihedral {
    /// Side of the rectangles normal to the common edge.
    pub width: Length,
    /// Side of the rectangles along the common edge.
    pub height: Length,
    /// Angle between the rectangles.
    #[serde(default = "right_angle")]
    pub interior_angle: Angle,
}

fn right_angle() -> Angle {
    Angle::from_degrees(90.0)
}

/// A trihedral corner reflector: three right triangles that meet at the origin and open toward (1, 1, 1).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Trihedral {
    /// Length of the inner edges.
    pub side: Length,
}

/// The NASA almond, its tip toward +x. A. C. Woo et al., IEEE Antennas Propag. Mag. 35 (1993) 84–89.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Almond {
    /// Length of the almond; 9.936 in in the reference.
    pub length: Length,
}

/// A right-handed helix above a ground plate.
///
/// The surface groups are "wire", "ground", and "feed"; a lumped port on "feed" along z excites the antenna.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Helix {
    /// Radius of the helix, from the axis to the center of the wire.
    pub radius: Length,
    /// Pitch: rise per turn.
    pub pitch: Length,
    /// Number of turns, not necessarily an integer.
    pub turns: f64,
    /// Side of the square cross-section of the wire.
    pub width: Length,
    /// Gap between the ground plate and the beginning of the wire.
    pub gap: Length,
    /// Radius of the ground plate.
    pub ground_radius: Length,
    /// Maximum edge length of the mesh on the ground plate, away from the feed.
    pub ground_mesh_size: Length,
}

impl Helix {
    /// Returns the antenna in meters, with edge length `edge` in meters on wire and feed.
    pub fn antenna(&self, wavelength: f64, edge: f64) -> HelixAntenna {
        HelixAntenna {
            radius: self.radius.meters(wavelength),
            pitch: self.pitch.meters(wavelength),
            turns: self.turns,
            section: WireSection::Square {
                width: self.width.meters(wavelength),
            },
            gap: self.gap.meters(wavelength),
            ground_radius: self.ground_radius.meters(wavelength),
            edge,
            ground_edge: self.ground_mesh_size.meters(wavelength),
        }
    }
}

/// A circle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Circle {
    /// Radius of the circle.
    pub radius: Length,
    /// Center, [x, y].
    #[serde(default = "origin")]
    pub center: [Length; 2],
}

/// An ellipse.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ellipse {
    /// Semi-axes along the x and y axes of the ellipse.
    pub semi_axes: [Length; 2],
    /// Counterclockwise rotation.
    #[serde(default = "not_rotated")]
    pub rotation: Angle,
    /// Center, [x, y].
    #[serde(default = "origin")]
    pub center: [Length; 2],
}

fn origin() -> [Length; 2] {
    [Length::Meters(0.0); 2]
}

fn not_rotated() -> Angle {
    Angle(0.0)
}

/// A polygon.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Polygon {
    /// Vertices in order, clockwise or counterclockwise; the last is connected to the first.
    pub points: Vec<[Length; 2]>,
}

/// A smooth closed curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spline {
    /// Points in order, clockwise or counterclockwise; the last is connected to the first. The curve is a cubic spline
    /// with continuous curvature.
    pub points: Vec<[Length; 2]>,
    /// Turning angle at a point above which the point is a corner, such as the trailing edge of an airfoil; default: no
    /// corners.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corner_angle: Option<Angle>,
}

/// An open strip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Strip {
    /// Points of the strip, from end to end.
    pub points: Vec<[Length; 2]>,
    /// Whether a cubic spline runs through the points, instead of a polyline.
    #[serde(default)]
    pub smooth: bool,
}

/// Kind of a face, from which a method chooses the edge length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Face {
    /// A flat face with its longest side, in m.
    Flat(f64),
    /// A curved face with its smallest radius of curvature, in m; infinite if unknown.
    Curved(f64),
}

/// Returns a lower bound of the number of triangles that cover an area with edges of at most `edge`: equilateral ones.
pub fn least_triangles(area: f64, edge: f64) -> f64 {
    4.0 / 3f64.sqrt() * area / (edge * edge)
}

/// Errors of the surface of a geometry.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GeometryError {
    /// The mesh file was not provided.
    #[error("`bodies.0.geometry`: the file contains no surface")]
    NoMesh,
    /// A cross-section, which has no surface in space.
    #[error("the shape \"{shape}\" is two-dimensional")]
    CrossSection {
        /// Name of the shape.
        shape: &'static str,
    },
    /// Invalid dimensions of a shape.
    #[error("`bodies.0.geometry`: {0}")]
    Primitive(#[from] PrimitiveError),
}

impl Geometry {
    /// Creates a sphere.
    pub fn sphere(radius: Length) -> Geometry {
        Geometry::Sphere(Sphere { radius })
    }

    /// Creates a rectangle.
    pub fn plate(width: Length, height: Length) -> Geometry {
        Geometry::Plate(Plate { width, height })
    }

    /// Creates a right-angled dihedral corner.
    pub fn dihedral(width: Length, height: Length) -> Geometry {
        Geometry::Dihedral(Dihedral {
            width,
            height,
            interior_angle: right_angle(),
        })
    }

    /// Creates a trihedral corner.
    pub fn trihedral(side: Length) -> Geometry {
        Geometry::Trihedral(Trihedral { side })
    }

    /// Creates a NASA almond.
    pub fn almond(length: Length) -> Geometry {
        Geometry::Almond(Almond { length })
    }

    /// Creates a circle around the origin.
    pub fn circle(radius: Length) -> Geometry {
        Geometry::Circle(Circle {
            radius,
            center: origin(),
        })
    }

    /// Creates the geometry of a mesh file.
    pub fn mesh(file: impl Into<String>, unit: MeshUnit) -> Geometry {
        Geometry::Mesh(MeshGeometry::new(file, unit))
    }

    /// Returns the name of the shape in problem files.
    pub fn shape(&self) -> &'static str {
        match self {
            Geometry::Mesh(_) => "mesh",
            Geometry::Step(_) => "step",
            Geometry::Sphere(_) => "sphere",
            Geometry::Cuboid(_) => "cuboid",
            Geometry::Cylinder(_) => "cylinder",
            Geometry::Plate(_) => "plate",
            Geometry::Dihedral(_) => "dihedral",
            Geometry::Trihedral(_) => "trihedral",
            Geometry::Almond(_) => "almond",
            Geometry::Helix(_) => "helix",
            Geometry::Circle(_) => "circle",
            Geometry::Ellipse(_) => "ellipse",
            Geometry::Polygon(_) => "polygon",
            Geometry::Spline(_) => "spline",
            Geometry::Strip(_) => "strip",
        }
    }

    /// Returns the lengths that must be positive, with their keys.
    pub(super) fn sizes(&self) -> Vec<(&'static str, Length)> {
        match self {
            Geometry::Sphere(sphere) => vec![("radius", sphere.radius)],
            Geometry::Cuboid(cuboid) => cuboid.size.map(|side| ("size", side)).to_vec(),
            Geometry::Cylinder(cylinder) => {
                vec![("radius", cylinder.radius), ("length", cylinder.length)]
            }
            Geometry::Plate(plate) => vec![("width", plate.width), ("height", plate.height)],
            Geometry::Dihedral(dihedral) => {
                vec![("width", dihedral.width), ("height", dihedral.height)]
            }
            Geometry::Trihedral(trihedral) => vec![("side", trihedral.side)],
            Geometry::Almond(almond) => vec![("length", almond.length)],
            Geometry::Helix(helix) => vec![
                ("radius", helix.radius),
                ("pitch", helix.pitch),
                ("width", helix.width),
                ("gap", helix.gap),
                ("ground_radius", helix.ground_radius),
                ("ground_mesh_size", helix.ground_mesh_size),
            ],
            Geometry::Circle(circle) => vec![("radius", circle.radius)],
            Geometry::Ellipse(ellipse) => {
                ellipse.semi_axes.map(|axis| ("semi_axes", axis)).to_vec()
            }
            Geometry::Mesh(_)
            | Geometry::Step(_)
            | Geometry::Polygon(_)
            | Geometry::Spline(_)
            | Geometry::Strip(_) => Vec::new(),
        }
    }

    /// Returns a lower bound of the number of triangles of [`Geometry::surface`], so that a mesh that is too large is
    /// refused before it is made; zero for shapes that are not meshed here.
    pub fn least_triangles(&self, wavelength: f64, longest: impl Fn(Face) -> f64) -> f64 {
        let meters = |length: Length| length.meters(wavelength);
        // A long, thin body has little area, but at least one triangle for every edge along its length.
        let of = |area: f64, length: f64, face: Face| {
            let edge = longest(face);
            least_triangles(area, edge).max(length / edge)
        };
        let flat = |area: f64, side: f64| of(area, side, Face::Flat(side));
        let curved = |area: f64, length: f64, radius: f64| of(area, length, Face::Curved(radius));
        match self {
            Geometry::Sphere(sphere) => {
                let radius = meters(sphere.radius);
                curved(4.0 * PI * radius * radius, radius, radius)
            }
            Geometry::Cuboid(cuboid) => {
                let [x, y, z] = cuboid.size.map(meters);
                flat(2.0 * (x * y + y * z + z * x), x.max(y).max(z))
            }
            Geometry::Cylinder(cylinder) => {
                let (radius, length) = (meters(cylinder.radius), meters(cylinder.length));
                curved(TAU * radius * (radius + length), length, radius)
            }
            Geometry::Plate(Plate { width, height }) => {
                let (width, height) = (meters(*width), meters(*height));
                flat(width * height, width.max(height))
            }
            Geometry::Dihedral(dihedral) => {
                let (width, height) = (meters(dihedral.width), meters(dihedral.height));
                flat(2.0 * width * height, width.max(height))
            }
            Geometry::Trihedral(trihedral) => {
                let side = meters(trihedral.side);
                flat(1.5 * side * side, side)
            }
            Geometry::Almond(almond) => {
                let length = meters(almond.length);
                // Twice the projection along the short axis, an ellipse-like outline 0.386 of the length wide.
                curved(0.5 * length * length, length, 0.064 * length)
            }
            Geometry::Helix(helix) => {
                let turn = (TAU * meters(helix.radius)).hypot(meters(helix.pitch));
                let length = turn * helix.turns;
                let area = 4.0 * meters(helix.width) * length;
                curved(area, length, meters(helix.radius))
            }
            Geometry::Mesh(_)
            | Geometry::Step(_)
            | Geometry::Circle(_)
            | Geometry::Ellipse(_)
            | Geometry::Polygon(_)
            | Geometry::Spline(_)
            | Geometry::Strip(_) => 0.0,
        }
    }

    /// Returns the surface as a triangle mesh; `file` is the mesh of the named file, and `longest` returns the maximum
    /// edge length on a face.
    ///
    /// # Errors
    /// The dimensions of the shape are invalid, or the geometry is a cross-section.
    pub fn surface(
        &self,
        file: Option<TriangleMesh>,
        wavelength: f64,
        longest: impl Fn(Face) -> f64,
    ) -> Result<TriangleMesh, GeometryError> {
        let meters = |length: Length| length.meters(wavelength);
        Ok(match self {
            Geometry::Mesh(_) | Geometry::Step(_) => file.ok_or(GeometryError::NoMesh)?,
            Geometry::Sphere(sphere) => {
                let radius = meters(sphere.radius);
                primitive::sphere(radius, longest(Face::Curved(radius)))?
            }
            Geometry::Cuboid(cuboid) => {
                let size = cuboid.size.map(meters);
                let side = size.into_iter().fold(0.0, f64::max);
                primitive::cuboid(size, longest(Face::Flat(side)))?
            }
            Geometry::Cylinder(cylinder) => {
                let radius = meters(cylinder.radius);
                let edge = longest(Face::Curved(radius));
                primitive::cylinder(radius, meters(cylinder.length), edge)?
            }
            Geometry::Plate(plate) => {
                let (width, height) = (meters(plate.width), meters(plate.height));
                primitive::plate(width, height, longest(Face::Flat(width.max(height))))?
            }
            Geometry::Dihedral(dihedral) => {
                let (width, height) = (meters(dihedral.width), meters(dihedral.height));
                let edge = longest(Face::Flat(width.max(height)));
                primitive::dihedral(width, height, dihedral.interior_angle.0, edge)?
            }
            Geometry::Trihedral(trihedral) => {
                let side = meters(trihedral.side);
                primitive::triangular_trihedral(side, longest(Face::Flat(side)))?
            }
            Geometry::Almond(almond) => {
                let length = meters(almond.length);
                // The semi-axes at the waist are 0.193 and 0.064 of the length.
                primitive::almond(length, longest(Face::Curved(0.064 * length)))?
            }
            Geometry::Helix(helix) => {
                let edge = longest(Face::Curved(meters(helix.radius)));
                let surfaces = primitive::helix_antenna(&helix.antenna(wavelength, edge))?;
                let mut whole = surfaces.wire;
                whole.append(&surfaces.sheet);
                whole
            }
            Geometry::Circle(_)
            | Geometry::Ellipse(_)
            | Geometry::Polygon(_)
            | Geometry::Spline(_)
            | Geometry::Strip(_) => {
                let shape = self.shape();
                return Err(GeometryError::CrossSection { shape });
            }
        })
    }
}
