use thiserror::Error;

use crate::MeshError;
use crate::primitive::PrimitiveError;

/// Errors of a domain that cannot be meshed.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum DomainError {
    /// A name contains an invalid character.
    #[error(
        "the group name {name:?} is invalid; use 1 to 64 letters, digits, spaces, or _ - + . and begin with a letter"
    )]
    Name {
        /// Offending name.
        name: String,
    },
    /// Two groups have the same name.
    #[error("the group name {name:?} is not unique")]
    DuplicateName {
        /// Duplicate name.
        name: String,
    },
    /// A length is not positive and finite.
    #[error("{what} must be positive and finite, not {value}")]
    Length {
        /// Name of the length.
        what: &'static str,
        /// Value of the length.
        value: f64,
    },
    /// A coordinate is infinite or NaN.
    #[error("a coordinate is {value}; coordinates must be finite")]
    Coordinate {
        /// Value of the coordinate.
        value: f64,
    },
    /// The surface of a body has boundary edges or non-manifold edges.
    #[error(
        "the surface {name:?} is not closed: it has {open} boundary edges and {branching} non-manifold edges; repair the mesh"
    )]
    NotClosed {
        /// Name of the surface.
        name: String,
        /// Number of boundary edges.
        open: usize,
        /// Number of non-manifold edges.
        branching: usize,
    },
    /// A surface is not inside another one.
    #[error("{inner} must be inside {outer}, but ({}, {}, {}) is outside; make {outer} larger", .place[0], .place[1], .place[2])]
    Outside {
        /// Name of the inner surface.
        inner: String,
        /// Name of the outer surface.
        outer: String,
        /// Position of a point outside.
        place: [f64; 3],
    },
    /// A surface is inside a body that is not meshed.
    #[error("{what} is inside {conductor:?}, which is not meshed; remove one of them")]
    InsideConductor {
        /// Name of the inner surface.
        what: String,
        /// Surface of the body.
        conductor: String,
    },
    /// A margin is given without bodies or sheets.
    #[error(
        "{what} has a margin, but there is no body or sheet inside; define it as a box or a sphere"
    )]
    NothingInside {
        /// Name of the enclosure.
        what: &'static str,
    },
    /// The PML is a box shell and requires a box of air.
    #[error("the PML requires a box of air; make the air a box or remove the PML")]
    LayerNeedsBox,
    /// A sheet has no triangles.
    #[error("sheet {number} has no triangles; remove it")]
    EmptySheet {
        /// Number of the sheet, from 1.
        number: usize,
    },
    /// Invalid dimensions of a sphere.
    #[error(transparent)]
    Primitive(#[from] PrimitiveError),
    /// A surface mesh is invalid.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// A surface cannot be written as a file for Gmsh.
    #[error("cannot write a surface for Gmsh: {reason}")]
    Unwritable {
        /// Reason of the failure.
        reason: String,
    },
}
