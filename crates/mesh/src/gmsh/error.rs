use thiserror::Error;

use crate::MeshError;
use crate::primitive::PrimitiveError;

/// Why Gmsh cannot be asked to fill a domain.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum DomainError {
    /// A name holds a sign that is not allowed.
    #[error(
        "the group name {name:?} cannot be used: it must have 1 to 64 letters, digits, spaces or _ - + . and begin with a letter"
    )]
    Name {
        /// The name.
        name: String,
    },
    /// Two groups have the same name, so that one could not be told from the other.
    #[error("the group name {name:?} is used twice")]
    DuplicateName {
        /// The name.
        name: String,
    },
    /// A length is not positive and finite.
    #[error("{what} is {value}, but it must be positive and finite")]
    Length {
        /// Which length.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A coordinate is infinite or not a number.
    #[error("a coordinate is {value}, but it must be finite")]
    Coordinate {
        /// Its value.
        value: f64,
    },
    /// The skin of a body has holes or branches.
    #[error(
        "the surface {name:?} is not closed: {open} of its edges have one triangle and {branching} more than two; every edge must have two"
    )]
    NotClosed {
        /// The surface.
        name: String,
        /// Edges with one triangle.
        open: usize,
        /// Edges with more than two.
        branching: usize,
    },
    /// A surface that should lie inside another does not.
    #[error("{inner} reaches out of {outer} at ({}, {}, {}); make {outer} larger", .place[0], .place[1], .place[2])]
    Outside {
        /// What should lie inside.
        inner: String,
        /// What it should lie inside of.
        outer: String,
        /// A point that is outside.
        place: [f64; 3],
    },
    /// Something lies inside a body that is left empty.
    #[error("{what} lies inside {conductor:?}, which is left empty, so that no wave reaches it")]
    InsideConductor {
        /// What lies there.
        what: String,
        /// The surface of the body.
        conductor: String,
    },
    /// A margin was given, but nothing to keep it from.
    #[error("there is no body or sheet to put {what} around; give it as a box or a sphere")]
    NothingInside {
        /// What should be put around.
        what: &'static str,
    },
    /// The layer is a box shell.
    #[error(
        "an absorbing layer needs a box of air, but the air ends at another surface; make the air a box or leave the layer out"
    )]
    LayerNeedsBox,
    /// A sheet has no triangles.
    #[error("sheet {number} has no triangles")]
    EmptySheet {
        /// Its number, from 1.
        number: usize,
    },
    /// A sphere cannot be made.
    #[error(transparent)]
    Primitive(#[from] PrimitiveError),
    /// A surface is not sound.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// A surface cannot be written for Gmsh.
    #[error("a surface cannot be written for Gmsh: {reason}")]
    Unwritable {
        /// Why not.
        reason: String,
    },
}
