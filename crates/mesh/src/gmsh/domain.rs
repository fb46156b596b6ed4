use crate::TriangleMesh;

/// Name of the volume group outside the bodies if there is no Huygens surface.
pub const AIR: &str = "air";
/// Name of the total-field volume group, inside the Huygens surface and outside the bodies.
pub const TOTAL: &str = "total";
/// Name of the scattered-field volume group, between the Huygens surface and the PML.
pub const SCATTERED: &str = "scattered";
/// Name of the volume group of the PML.
pub const LAYER: &str = "layer";
/// Name of the surface group between total and scattered field (TF/SF).
pub const HUYGENS: &str = "huygens";
/// Name of the surface group of the outer boundary.
pub const OUTER: &str = "outer";

/// A computational domain, from inside out: bodies and sheets, a Huygens surface, air, a perfectly matched
/// layer (PML).
#[derive(Clone, Debug, PartialEq)]
pub struct Domain {
    /// Closed bodies, which must not touch each other or a surface around them; bodies may be nested.
    pub bodies: Vec<Body>,
    /// Surfaces of zero thickness, each inside one volume; their groups keep their names.
    ///
    /// A sheet may share edges with a body or with another sheet if the points are bitwise identical, as those
    /// of [`primitive::helix_antenna`](crate::primitive::helix_antenna) are.
    pub sheets: Vec<TriangleMesh>,
    /// Total-field/scattered-field (TF/SF) surface around all bodies and sheets.
    pub huygens: Option<Huygens>,
    /// Outer surface of the air, and inner surface of the PML if there is one.
    pub air: Enclosure,
    /// Edge length on the outer surface of the air.
    pub air_edge: f64,
    /// PML around the air, which must be a box then.
    pub layer: Option<Layer>,
    /// Names of the outer boundary surfaces.
    pub faces: Faces,
}

impl Domain {
    /// Returns the names of the volume groups in the mesh of this domain.
    pub fn volume_names(&self) -> Vec<&str> {
        let mut names = match self.huygens {
            Some(_) => vec![TOTAL, SCATTERED],
            None => vec![AIR],
        };
        names.extend(self.layer.map(|_| LAYER));
        for body in &self.bodies {
            if let Interior::Meshed { volume } = &body.interior {
                names.push(volume);
            }
        }
        names
    }
}

/// A closed body in a domain.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Surface of the body. Its triangles become faces of tetrahedra; their edges determine the size of the
    /// tetrahedra nearby.
    pub skin: TriangleMesh,
    /// Name of the surface group.
    pub surface: String,
    /// Treatment of the interior.
    pub interior: Interior,
}

/// Treatment of the interior of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interior {
    /// Meshed with tetrahedra as a named volume group, as for a dielectric.
    Meshed {
        /// Name of the volume group.
        volume: String,
    },
    /// Not meshed, as for a PEC.
    Hollow,
}

/// A Huygens surface, between total and scattered field.
#[derive(Clone, Debug, PartialEq)]
pub struct Huygens {
    /// Shape of the surface.
    pub shape: Enclosure,
    /// Edge length on the surface.
    pub edge: f64,
}

/// A closed surface around the inner parts of a domain.
#[derive(Clone, Debug, PartialEq)]
pub enum Enclosure {
    /// An axis-aligned box at a distance from the inner parts.
    BoxAround {
        /// Smallest distance.
        margin: f64,
    },
    /// A sphere around the center of the inner parts.
    SphereAround {
        /// Smallest distance.
        margin: f64,
    },
    /// An axis-aligned box.
    Box {
        /// Corner with the smallest coordinates.
        corner: [f64; 3],
        /// Side lengths along x, y, and z.
        size: [f64; 3],
    },
    /// A sphere.
    Sphere {
        /// Center.
        center: [f64; 3],
        /// Radius.
        radius: f64,
    },
    /// A given closed surface, which is kept with its edge length.
    Surface(TriangleMesh),
}

/// A perfectly matched layer (PML): a box shell of constant thickness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layer {
    /// Thickness.
    pub thickness: f64,
    /// Edge length on the outer boundary.
    pub edge: f64,
}

/// Names of the outer boundary surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Faces {
    /// A single group, [`OUTER`].
    Together,
    /// The six groups "x-", "x+", "y-", "y+", "z-", and "z+" of a box, or the groups of a given surface.
    Apart,
}
