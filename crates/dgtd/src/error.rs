//! Errors of the DGTD solver.

use thiserror::Error;
use wavefield_gpu::DeviceError;
use wavefield_numerics::observe::Cancelled;
use wavefield_solver::checkpoint::CheckpointError;
use wavefield_solver::scene::InvalidSpec;
use wavefield_solver::scene::aspects::AspectError;
use wavefield_solver::transport::TransportError;
use wavefield_solver::{Classified, ErrorClass};

/// Error of the DGTD solver.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Error {
    /// More than two tetrahedra share a face: the mesh is non-manifold.
    #[error(
        "{count} tetrahedra share the face with points {points:?}, but a face has two sides; remove overlaps from the mesh"
    )]
    CrowdedFace {
        /// Point numbers of the face's corners.
        points: [u32; 3],
        /// Number of tetrahedra that share the face.
        count: usize,
    },
    /// A triangle of a named surface is not a face of any tetrahedron.
    #[error(
        "triangle {triangle} of the surface \"{surface}\" is not a face of any tetrahedron; mesh surfaces and volumes together"
    )]
    LooseTriangle {
        /// Index of the triangle.
        triangle: usize,
        /// Name of the surface.
        surface: String,
    },
    /// The polynomial order is not supported.
    #[error("polynomial order {order} is not supported; set `dgtd.order` to 1 to 8")]
    Order {
        /// Polynomial order.
        order: usize,
    },
    /// The run ends too early after the excitation for extrapolation.
    #[error(
        "extrapolation needs free decay after the excitation ends at {silent:.1} ns, but the run stops at {end:.1} ns; increase `dgtd.stop.max_time`"
    )]
    NoTimeToRing {
        /// Maximum time of the run, ns.
        end: f64,
        /// Time at which the excitation ends, ns.
        silent: f64,
    },
    /// The snapshot plane does not intersect the mesh.
    #[error(
        "the snapshot plane at {at} m does not intersect the mesh inside the PML; change its `position`"
    )]
    PlaneOutside {
        /// Position along the normal, m.
        at: f64,
    },
    /// The mesh has no tetrahedra.
    #[error("the mesh has no tetrahedra")]
    EmptyMesh,
    /// A tetrahedron is degenerate.
    #[error("tetrahedron {element} is degenerate (volume {volume:e} m³); remesh the domain")]
    FlatElement {
        /// Index of the tetrahedron in the mesh.
        element: usize,
        /// Volume, m³.
        volume: f64,
    },
    /// The Huygens surface is open or lies on the boundary of the mesh.
    #[error(
        "the Huygens surface \"{name}\" is not closed inside the mesh; it must separate interior from exterior tetrahedra"
    )]
    OpenSurface {
        /// Name of the surface.
        name: String,
    },
    /// The surface of a lumped port is unsuitable.
    #[error(
        "the surface of the lumped port \"{name}\" must be planar, inside the mesh, and parallel to the port's `direction`"
    )]
    Port {
        /// Name of the port's surface.
        name: String,
    },
    /// A probe or a dipole lies outside the mesh.
    #[error("the point {point:?} m lies outside the mesh; move it inside")]
    Outside {
        /// Position, m.
        point: [f64; 3],
    },
    /// Time stepping is unstable: the energy grows without a source.
    #[error(
        "time stepping is unstable: energy is {growth:.1e} times its peak at step {step}, largest in element {element} at \
         ({:.4}, {:.4}, {:.4}) m{}; no result is saved. {}",
        place[0], place[1], place[2],
        if *in_layer { ", in the PML" } else { "" },
        remedy(*in_layer, *thin)
    )]
    Diverged {
        /// Time step at which the instability was detected.
        step: u64,
        /// Energy relative to its peak while sources were active.
        growth: f64,
        /// Element with the largest field, by its index in the mesh.
        element: u32,
        /// Centroid of the element, m.
        place: [f64; 3],
        /// Whether the element is part of the PML.
        in_layer: bool,
        /// Whether the element is among the thinnest of the mesh, which limit the time step.
        thin: bool,
    },
    /// The specification is invalid or asks for an unsupported feature.
    #[error(transparent)]
    Invalid(#[from] InvalidSpec),
    /// A named group is missing from the mesh.
    #[error("`{path}`: the mesh has no group {name:?}; it has {names}")]
    UnknownName {
        /// Key of the problem that names the group.
        path: String,
        /// Name of the group.
        name: String,
        /// Names of the mesh's groups.
        names: String,
    },
    /// The mesh has more than one Huygens surface.
    #[error(
        "`dgtd.surfaces.{name}`: the mesh has several surfaces of this name; only one Huygens surface is supported"
    )]
    SecondHuygens {
        /// Name of the second surface.
        name: String,
    },
    /// A sweep of directions or frequencies is invalid.
    #[error(transparent)]
    Aspects(#[from] AspectError),
    /// A checkpoint could not be saved or loaded.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// Double precision was requested on the GPU.
    #[error(
        "the GPU engine computes in single precision; set `dgtd.precision = \"single\"` or run on the CPU"
    )]
    DoubleOnGpu,
    /// The GPU failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// Communication between processes failed.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// The run was canceled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl Classified for Error {
    fn class(&self) -> ErrorClass {
        match self {
            Error::Diverged { .. } => ErrorClass::Runtime,
            Error::Checkpoint(error) => error.class(),
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
            | Error::DoubleOnGpu => ErrorClass::Input,
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
            Error::DoubleOnGpu => Some("dgtd.precision".to_owned()),
            Error::Aspects(AspectError::Sweep { key, .. } | AspectError::Theta { key, .. }) => {
                Some((*key).to_owned())
            }
            _ => None,
        }
    }
}

/// Returns the most likely cause of an instability, and its remedy.
fn remedy(in_layer: bool, thin: bool) -> &'static str {
    if in_layer {
        "A PML is unstable where a body or a source extends into it, or where it is thin: increase \
         `dgtd.domain.pml_thickness`, keep bodies out of the PML, or decrease `dgtd.cfl`"
    } else if thin {
        "This element is one of the thinnest, for which the time step is too large: decrease `dgtd.cfl`, or remesh without \
         slivers"
    } else {
        "Neither the PML nor a thin element explains this: check the constants of the medium there, and decrease `dgtd.cfl`"
    }
}
