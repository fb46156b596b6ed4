use thiserror::Error;

/// Why a mesh cannot be used as it stands.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MeshError {
    /// An element refers to a point that does not exist.
    #[error(
        "{element} {number} uses point {index}, but the mesh has {points} points (numbered from 0)"
    )]
    PointOutOfRange {
        /// The kind of element.
        element: &'static str,
        /// The number of the element, from 0.
        number: usize,
        /// The point it asks for.
        index: u32,
        /// How many points there are.
        points: usize,
    },
    /// An element refers to a group that does not exist.
    #[error(
        "{element} {number} belongs to group {index}, but there are {groups} groups (numbered from 0)"
    )]
    GroupOutOfRange {
        /// The kind of element.
        element: &'static str,
        /// The number of the element, from 0.
        number: usize,
        /// The group it asks for.
        index: u32,
        /// How many groups there are.
        groups: usize,
    },
    /// A list that goes with the elements or points has another length.
    #[error("{list} has {found} entries where {expected} are needed, one for each {of}")]
    LengthMismatch {
        /// The list with the wrong length.
        list: &'static str,
        /// What each entry belongs to.
        of: &'static str,
        /// How many entries are needed.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A coordinate is infinite or not a number.
    #[error("point {point} has the coordinate {value}; every coordinate must be a finite number")]
    NotFinite {
        /// The number of the point, from 0.
        point: usize,
        /// The coordinate.
        value: f64,
    },
    /// More elements than 32-bit numbers can count: split the mesh.
    #[error(
        "{count} {what} are more than one part of a mesh can hold ({limit}); partition the mesh"
    )]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        limit: usize,
    },
    /// The tolerance for merging points makes no sense for this mesh.
    #[error(
        "points cannot be merged with tolerance {tolerance}: it must be positive and at least {smallest:e}, the accuracy of the coordinates"
    )]
    WeldTolerance {
        /// The tolerance asked for.
        tolerance: f64,
        /// The smallest tolerance that makes sense.
        smallest: f64,
    },
    /// A surface that is not its own image.
    #[error(
        "the mesh is not its own image, point by point: that of ({}, {}, {}) is missing", point[0], point[1], point[2]
    )]
    NoImage {
        /// A point that has none.
        point: [f64; 3],
    },
}

/// The checks that all kinds of mesh share.
pub(crate) fn check_elements<const N: usize>(
    element: &'static str,
    elements: &[[u32; N]],
    points: usize,
    group_of: &[u32],
    groups: usize,
) -> Result<(), MeshError> {
    // Three edges of each triangle must be countable with 32 bits.
    let limit = (u32::MAX / 4) as usize;
    for (what, count) in [("points", points), ("elements", elements.len())] {
        if count > limit {
            return Err(MeshError::TooMany { what, count, limit });
        }
    }
    for (number, corners) in elements.iter().enumerate() {
        for &index in corners {
            if index as usize >= points {
                return Err(MeshError::PointOutOfRange {
                    element,
                    number,
                    index,
                    points,
                });
            }
        }
    }
    check_length("group_of", element, elements.len(), group_of.len())?;
    for (number, &index) in group_of.iter().enumerate() {
        if index as usize >= groups {
            return Err(MeshError::GroupOutOfRange {
                element,
                number,
                index,
                groups,
            });
        }
    }
    Ok(())
}

pub(crate) fn check_length(
    list: &'static str,
    of: &'static str,
    expected: usize,
    found: usize,
) -> Result<(), MeshError> {
    if expected == found {
        Ok(())
    } else {
        Err(MeshError::LengthMismatch {
            list,
            of,
            expected,
            found,
        })
    }
}

pub(crate) fn check_finite<const N: usize>(points: &[[f64; N]]) -> Result<(), MeshError> {
    for (point, coordinates) in points.iter().enumerate() {
        if let Some(&value) = coordinates.iter().find(|c| !c.is_finite()) {
            return Err(MeshError::NotFinite { point, value });
        }
    }
    Ok(())
}
