//! What can be wrong with a surface or with what is asked of it.

use wavefield_gpu::DeviceError;
use wavefield_mesh::MeshError;
use wavefield_numerics::observe::Cancelled;
use wavefield_physics::material::MaterialError;
use wavefield_solver::checkpoint::NotKept;
use wavefield_solver::scene::aspects::AspectError;
use wavefield_solver::scene::{GeometryError, InvalidSpec};
use wavefield_solver::{Classified, ErrorClass};

use crate::image::ProductError;

/// Why rays cannot be traced.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The mesh refers to points that do not exist, or a coordinate is not a finite number.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The body has no surface.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// Directions cannot be laid out.
    #[error(transparent)]
    Aspects(#[from] AspectError),
    /// The specification is not valid.
    #[error(transparent)]
    Invalid(#[from] InvalidSpec),
    /// A length is not positive.
    #[error("`{key}` must be positive, not {value}")]
    NotPositive {
        /// The key in the problem file.
        key: &'static str,
        /// Its value in metres.
        value: f64,
    },
    /// A material of a coat makes no sense.
    #[error("`bodies.0.coatings`: {source}")]
    Material {
        /// Why.
        source: MaterialError,
    },
    /// A layer of a coat conducts perfectly.
    #[error("a coating layer cannot be PEC; set `backing = \"pec\"`")]
    ConductingCoat,
    /// A coat of triangles that the mesh does not have.
    #[error(
        "`bodies.0.coatings`: the mesh has no group named {name:?}; it has {}",
        listed(groups)
    )]
    NoGroup {
        /// The name asked for.
        name: String,
        /// The names there are.
        groups: Vec<String>,
    },
    /// A list of coats that does not fit the triangles.
    #[error(
        "coats are listed for {listed} triangles of {triangles}, from {coats} coats; each triangle needs one entry, numbered from 0"
    )]
    CoatList {
        /// Entries of the list.
        listed: usize,
        /// Triangles of the mesh.
        triangles: usize,
        /// Coats there are.
        coats: usize,
    },
    /// Edges of a coated body are to diffract.
    #[error("edge diffraction supports PEC edges only, and the body is coated")]
    CoatedEdges,
    /// A coated body on a graphics card.
    #[error("coated bodies run on the CPU only; use `--device cpu`")]
    CoatedOnCard,
    /// The sweep cannot make a product that is asked for.
    #[error(transparent)]
    Product(#[from] ProductError),
    /// Stopped on request.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// What was finished could not be kept.
    #[error(transparent)]
    NotKept(#[from] NotKept),
    /// The graphics card failed, or lacks what is needed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// There is nothing to hit.
    #[error("the surface has no triangle with an area; rays need something to hit")]
    NoTriangles,
    /// More triangles than a tracer numbers.
    #[error("{found} triangles are more than one tracer takes ({most}); partition the mesh")]
    TooManyTriangles {
        /// Triangles of the mesh.
        found: usize,
        /// The most a tracer takes.
        most: usize,
    },
    /// Coordinates so far apart, or so close, that products of them leave the range of f64.
    #[error("the surface has a radius of {radius:e}; it must lie between 1e-15 and 1e15")]
    Size {
        /// Half the diagonal of its bounding box.
        radius: f64,
    },
    /// A frequency is not positive.
    #[error("a frequency of {frequency} Hz makes no wave; it must be positive")]
    Frequency {
        /// The frequency asked for.
        frequency: f64,
    },
    /// A number of the density of rays is out of its range.
    #[error("`rays.{key}` must lie between {least} and {most}, not at {value}")]
    Range {
        /// Which number.
        key: &'static str,
        /// Its value.
        value: f64,
        /// The least.
        least: f64,
        /// The most.
        most: f64,
    },
    /// More rays than one aspect may have.
    #[error(
        "{count:.2e} rays would be needed for one aspect, at most {most:.0e} are possible; is the mesh in the right unit?"
    )]
    TooManyRays {
        /// Cells of the first level.
        count: f64,
        /// The most.
        most: f64,
    },
    /// A tracer and a mesh that do not belong together.
    #[error(
        "the tracer was not built from this mesh ({traced} triangles, the mesh has {found}); build both from the same one"
    )]
    OtherSurface {
        /// Triangles of the tracer.
        traced: usize,
        /// Triangles of the mesh.
        found: usize,
    },
    /// The processor does not have the vector instructions asked for.
    #[error("this processor has no {wanted} instructions")]
    Instructions {
        /// What was asked for.
        wanted: String,
    },
}

impl Classified for Error {
    fn path(&self) -> Option<String> {
        match self {
            Error::Geometry(_) => Some("bodies.0.geometry".to_owned()),
            Error::Material { .. } | Error::ConductingCoat | Error::NoGroup { .. } => {
                Some("bodies.0.coatings".to_owned())
            }
            Error::TooManyRays { .. } => Some("bodies.0.geometry".to_owned()),
            _ => None,
        }
    }

    fn class(&self) -> ErrorClass {
        match self {
            Error::Cancelled(error) => error.class(),
            Error::NotKept(error) => error.class(),
            Error::Device(error) => error.class(),
            Error::Product(error) => error.class(),
            Error::Mesh(_)
            | Error::Geometry(_)
            | Error::Aspects(_)
            | Error::Invalid(_)
            | Error::NotPositive { .. }
            | Error::Material { .. }
            | Error::ConductingCoat
            | Error::NoGroup { .. }
            | Error::CoatList { .. }
            | Error::CoatedEdges
            | Error::CoatedOnCard
            | Error::NoTriangles
            | Error::TooManyTriangles { .. }
            | Error::Size { .. }
            | Error::Frequency { .. }
            | Error::Range { .. }
            | Error::TooManyRays { .. }
            | Error::OtherSurface { .. }
            | Error::Instructions { .. } => ErrorClass::Input,
        }
    }
}

fn listed(names: &[String]) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    let quoted: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    quoted.join(", ")
}
