//! Why a problem cannot be computed.

use thiserror::Error;
use wavefield_gpu::DeviceError;
use wavefield_numerics::observe::Cancelled;
use wavefield_physics::aspects::AspectError;
use wavefield_solver::checkpoint::NotKept;
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
        "`end.extrapolate` needs time in which only resonances ring, but sources are silent after {silent:.1} ns and the run ends at {end:.1} ns; give a later `end.time`"
    )]
    NoTimeToRing {
        /// The end, ns.
        end: f64,
        /// When sources are silent, ns.
        silent: f64,
    },
    /// A plane of snapshots that does not meet the mesh.
    #[error(
        "`snapshots.plane` at {at} m does not meet the mesh within its absorbing layers; move it"
    )]
    PlaneOutside {
        /// Where it is along its normal, m.
        at: f64,
    },
    /// Frequencies of a pattern where waves are scattered.
    #[error(
        "`pattern_frequency` is for ports and dipoles; cross sections are found at every `frequency`"
    )]
    PatternOfScattering,
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
        "the fields have grown to {growth:.1e} times their largest energy at step {step}, most in tetrahedron {element} of \
         the mesh at ({:.4}, {:.4}, {:.4}) m{}; nothing of it is kept. {}",
        place[0], place[1], place[2],
        if *in_layer { ", in the absorbing layer" } else { "" },
        remedy(*in_layer, *thin)
    )]
    Diverged {
        /// The step.
        step: u64,
        /// Energy over its largest value before.
        growth: f64,
        /// The element with the strongest field, by its number in the mesh.
        element: u32,
        /// Its middle, m.
        place: [f64; 3],
        /// Whether it is part of an absorbing layer.
        in_layer: bool,
        /// Whether it is among the thinnest of the mesh, which limit the time step.
        thin: bool,
    },
    /// A number in the problem is out of range.
    #[error("`{what}` is {value}, but it must lie between {low:e} and {high:e}")]
    OutOfRange {
        /// The key.
        what: &'static str,
        /// Its value.
        value: f64,
        /// The least that is accepted.
        low: f64,
        /// The most that is accepted.
        high: f64,
    },
    /// A name is not in the mesh.
    #[error("`{key}.{name}`: the mesh has no such group; it has {names}")]
    UnknownName {
        /// The table in the problem file.
        key: &'static str,
        /// The name.
        name: String,
        /// Those of the mesh.
        names: String,
    },
    /// The constants of a medium make no sense.
    #[error(
        "`volumes.{name}`: permittivity and permeability must be positive and finite, and a conductivity must not be negative"
    )]
    Medium {
        /// The volume.
        name: String,
    },
    /// Two Huygens surfaces.
    #[error("`surfaces.{name}`: there can be one Huygens surface only")]
    SecondHuygens {
        /// The second.
        name: String,
    },
    /// Far fields or plane waves without a surface.
    #[error(
        "plane waves and far fields need a closed surface around the bodies: say `surfaces.NAME = \"huygens\"` for one of the mesh"
    )]
    NoHuygens,
    /// Nothing drives the fields.
    #[error("nothing drives the fields: give an `incidence`, `dipoles` or `ports`")]
    NoExcitation,
    /// Two things drive the fields.
    #[error("only one of `incidence`, `dipoles` and `ports` can drive the fields of a problem")]
    TwoExcitations,
    /// The band of the pulse is empty.
    #[error("`band` must rise from its first to its second frequency")]
    Band,
    /// Directions or frequencies cannot be laid out.
    #[error(transparent)]
    Aspects(#[from] AspectError),
    /// What was finished could not be kept.
    #[error(transparent)]
    NotKept(#[from] NotKept),
    /// A card computes in single precision.
    #[error(
        "on a graphics card this solver computes in single precision; leave `precision` out or compute on the processor"
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
            Error::CrowdedFace { .. }
            | Error::LooseTriangle { .. }
            | Error::Order { .. }
            | Error::NoTimeToRing { .. }
            | Error::PlaneOutside { .. }
            | Error::PatternOfScattering
            | Error::EmptyMesh
            | Error::FlatElement { .. }
            | Error::OpenSurface { .. }
            | Error::Port { .. }
            | Error::Outside { .. }
            | Error::OutOfRange { .. }
            | Error::UnknownName { .. }
            | Error::Medium { .. }
            | Error::SecondHuygens { .. }
            | Error::NoHuygens
            | Error::NoExcitation
            | Error::TwoExcitations
            | Error::Band
            | Error::Aspects(_)
            | Error::DoubleOnCard => ErrorClass::Input,
        }
    }
}

/// What most likely makes fields grow, and what to try.
fn remedy(in_layer: bool, thin: bool) -> &'static str {
    if in_layer {
        "Layers grow where a body or a source reaches into them, or where they are thin: make the layer thicker, keep \
         bodies out of it, or try a smaller `time_step`"
    } else if thin {
        "It is one of the thinnest tetrahedra, for which the time step is too long: try a smaller `time_step`, or a mesh \
         without slivers"
    } else {
        "Neither a layer nor a thin tetrahedron explains it: look at the constants of the medium there, and try a smaller \
         `time_step`"
    }
}
