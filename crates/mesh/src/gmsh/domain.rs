use crate::TriangleMesh;

/// The volume group of everything outside the bodies where there is no Huygens surface.
pub const AIR: &str = "air";
/// The volume group inside the Huygens surface and outside the bodies.
pub const TOTAL: &str = "total";
/// The volume group between the Huygens surface and the layer.
pub const SCATTERED: &str = "scattered";
/// The volume group of the absorbing layer.
pub const LAYER: &str = "layer";
/// The surface group between total and scattered field.
pub const HUYGENS: &str = "huygens";
/// The surface group on the outside of the domain.
pub const OUTER: &str = "outer";

/// A domain for waves, from inside out: bodies and sheets, a Huygens surface, air, an absorbing layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Domain {
    /// Closed bodies, which must not touch each other or anything around them; one may lie inside another.
    pub bodies: Vec<Body>,
    /// Surfaces without thickness, each in one volume; their groups keep their names.
    ///
    /// A sheet may share edges with a body or with another sheet where the points are equal to the last bit,
    /// as those of [`primitive::helix_antenna`](crate::primitive::helix_antenna) are.
    pub sheets: Vec<TriangleMesh>,
    /// The surface between total and scattered field, around all bodies and sheets.
    pub huygens: Option<Huygens>,
    /// Where the air ends, and the layer begins if there is one.
    pub air: Enclosure,
    /// The length of edges where the air ends.
    pub air_edge: f64,
    /// The absorbing layer around the air, which must be a box then.
    pub layer: Option<Layer>,
    /// The names of the outermost surfaces.
    pub faces: Faces,
}

/// A closed body in the domain.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Its surface, whose triangles become faces of tetrahedra; their edges set the size of tetrahedra nearby.
    pub skin: TriangleMesh,
    /// The name of the surface group on its skin.
    pub surface: String,
    /// What becomes of its inside.
    pub interior: Interior,
}

/// What becomes of the inside of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interior {
    /// It is filled with tetrahedra that form the volume group of this name, as for a dielectric.
    Meshed {
        /// The name of the volume group.
        volume: String,
    },
    /// It is left empty, as for a perfect conductor.
    Hollow,
}

/// The surface between total and scattered field.
#[derive(Clone, Debug, PartialEq)]
pub struct Huygens {
    /// Its shape.
    pub shape: Enclosure,
    /// The length of edges on it.
    pub edge: f64,
}

/// A closed surface around what lies further inside.
#[derive(Clone, Debug, PartialEq)]
pub enum Enclosure {
    /// A box with sides along the axes, at this distance from what lies inside.
    BoxAround {
        /// The smallest distance.
        margin: f64,
    },
    /// A sphere around the middle of what lies inside.
    SphereAround {
        /// The smallest distance.
        margin: f64,
    },
    /// A box with sides along the axes.
    Box {
        /// The corner with the smallest coordinates.
        corner: [f64; 3],
        /// The lengths along x, y and z.
        size: [f64; 3],
    },
    /// A sphere.
    Sphere {
        /// The centre.
        centre: [f64; 3],
        /// The radius.
        radius: f64,
    },
    /// Any closed surface, kept as it is; it brings its own edge length.
    Surface(TriangleMesh),
}

/// A box shell of constant thickness in which waves are absorbed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layer {
    /// The thickness.
    pub thickness: f64,
    /// The length of edges on its outside.
    pub edge: f64,
}

/// The names of the outermost surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Faces {
    /// One group, [`OUTER`].
    Together,
    /// The six groups "x-", "x+", "y-", "y+", "z-" and "z+" of a box, or the groups that a surface brings.
    Apart,
}
