//! Errors of the DGTD solver.

use thiserror::Error;
use wavefield_gpu::DeviceError;
use wavefield_numerics::observe::Cancelled;
use wavefield_solver::checkpoint::NotKept;
use wavefield_solver::scene::InvalidSpec;
use wavefield_solver::scene::aspects::AspectError;
use wavefield_solver::transport::TransportError;
use wavefield_solver::{Classified, ErrorClass};

/// What is wrong with a problem or a mesh.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Error {
    /// More than two tetrahedra meet at a face.
    #[error(
        "{count} tetrahedra share the face of the points {points:?}; a face has two sides, so the mesh overlaps itself"
    )]
    CrowdedFace {
        /// The corners of the face.
        points: [u32; 3],
        /// How many share it.
        count: usize,
    },
    /// A triangle of a named surface is no face of a tetrahedron.
    #[error(
        "triangle {triangle} of the surface \"{surface}\" is no face of any tetrahedron; surface and volume must be meshed together"
    )]
    LooseTriangle {
        /// Its number.
        triangle: usize,
        /// The name of its surface.
        surface: String,
    },
    /// The polynomial order is not supported.
    #[error("the polynomial order is {order}, but it must be 1 to 8")]
    Order {
        /// The order.
        order: usize,
    },
    /// Nothing is left of a run after its sources to extrapolate from.
    #[error(
        "extrapolation needs free decay after the excitation ends at {silent:.1} ns, but the run stops at {end:.1} ns; increase `dgtd.stop.max_time`"
    )]
    NoTimeToRing {
        /// The end, ns.
        end: f64,
        /// When sources are silent, ns.
        silent: f64,
    },
    /// A plane of snapshots that does not meet the mesh.
    #[error("the plane of snapshots at {at} m does not intersect the mesh inside the PML; move it")]
    PlaneOutside {
        /// Where it is along its normal, m.
        at: f64,
    },
    /// There is nothing to compute with.
    #[error("the mesh has no tetrahedra")]
    EmptyMesh,
    /// A tetrahedron is flat.
    #[error("tetrahedron {element} is flat (its volume is {volume:e} m³); mesh the domain again")]
    FlatElement {
        /// Its number.
        element: usize,
        /// Its volume.
        volume: f64,
    },
    /// A Huygens surface has a hole, or lies on a wall.
    #[error(
        "the surface \"{name}\" is not closed inside the mesh: it must part the tetrahedra into an inside and an outside"
    )]
    OpenSurface {
        /// Its name.
        name: String,
    },
    /// A port cannot be where it is.
    #[error(
        "the port \"{name}\" must be a flat surface inside the mesh, with its direction within the surface"
    )]
    Port {
        /// Its name.
        name: String,
    },
    /// A point lies outside the mesh.
    #[error("the point {point:?} m lies outside the mesh")]
    Outside {
        /// The point.
        point: [f64; 3],
    },
    /// The fields have grown without a source.
    #[error(
        "time stepping is unstable: energy is {growth:.1e} times its peak at step {step}, largest in element {element} at \
         ({:.4}, {:.4}, {:.4}) m{}; no result is kept. {}",
        place[0], place[1], place[2],
        if *in_layer { ", in the PML" } else { "" },
        remedy(*in_layer, *thin)
    )]
    Diverged {
        /// The step.
        step: u64,
        /// Energy relative to its peak before.
        growth: f64,
        /// The element with the strongest field, by its number in the mesh.
        element: u32,
        /// Its center, m.
        place: [f64; 3],
        /// Whether it is part of the PML.
        in_layer: bool,
        /// Whether it is among the thinnest of the mesh, which limit the time step.
        thin: bool,
    },
    /// The specification is wrong or asks for what is not supported.
    #[error(transparent)]
    Invalid(#[from] InvalidSpec),
    /// A name is not in the mesh.
    #[error("`{path}`: the mesh has no group {name:?}; it has {names}")]
    UnknownName {
        /// The key that names it.
        path: String,
        /// The name.
        name: String,
        /// Those of the mesh.
        names: String,
    },
    /// Two Huygens surfaces.
    #[error(
        "`dgtd.surfaces.{name}`: the mesh has several surfaces of this name; only one Huygens surface is possible"
    )]
    SecondHuygens {
        /// The name of the second.
        name: String,
    },
    /// Directions or frequencies cannot be laid out.
    #[error(transparent)]
    Aspects(#[from] AspectError),
    /// What was finished could not be kept.
    #[error(transparent)]
    NotKept(#[from] NotKept),
    /// The GPU computes in single precision.
    #[error(
        "the GPU computes in single precision; set `dgtd.precision = \"single\"` or compute on the CPU"
    )]
    DoubleOnCard,
    /// The device failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The connection between processes failed.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// A stop was requested.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl Classified for Error {
    fn class(&self) -> ErrorClass {
        match self {
            Error::Diverged { .. } => ErrorClass::Runtime,
            Error::NotKept(error) => error.class(),
            Error::Device(error) => error.class(),
            Error::Transport(error) => error.class(),
            Error::Cancelled(error) => error.class(),
            Error::Invalid(error) => error.class(),
            Error::CrowdedFace { .. }
            | Error::LooseTriangle { .. }
            | Error::Order { .. }
            | Error::NoTimeToRing { .. }
            | Error::PlaneOutside { .. }
            | Error::EmptyMesh
            | Error::FlatElement { .. }
            | Error::OpenSurface { .. }
            | Error::Port { .. }
            | Error::Outside { .. }
            | Error::UnknownName { .. }
            | Error::SecondHuygens { .. }
            | Error::Aspects(_)
            | Error::DoubleOnCard => ErrorClass::Input,
        }
    }
    fn path(&self) -> Option<String> {
        match self {
            Error::Order { .. } => Some("dgtd.order".to_owned()),
            Error::NoTimeToRing { .. } => Some("dgtd.stop.max_time".to_owned()),
            Error::PlaneOutside { .. } => Some("dgtd.snapshots.plane.position".to_owned()),
            Error::OpenSurface { name } | Error::SecondHuygens { name } => {
                Some(format!("dgtd.surfaces.{name}"))
            }
            Error::Port { .. } => Some("excitation.ports".to_owned()),
            Error::UnknownName { path, .. } => Some(path.clone()),
            Error::DoubleOnCard => Some("dgtd.precision".to_owned()),
            Error::Aspects(AspectError::Sweep { key, .. } | AspectError::Theta { key, .. }) => {
                Some((*key).to_owned())
            }
            _ => None,
        }
    }
}

/// The most likely cause of instability, and its remedy.
fn remedy(in_layer: bool, thin: bool) -> &'static str {
    if in_layer {
        "A PML is unstable where a body or a source reaches into it, or where it is thin: increase \
         `dgtd.domain.pml_thickness`, keep bodies out of the PML, or decrease `dgtd.cfl`"
    } else if thin {
        "This element is one of the thinnest, for which the time step is too long: decrease `dgtd.cfl`, or remesh without \
         slivers"
    } else {
        "Neither the PML nor a thin element explains it: check the constants of the medium there, and decrease `dgtd.cfl`"
    }
}
