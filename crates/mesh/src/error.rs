use thiserror::Error;

/// Errors of an invalid mesh.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MeshError {
    /// An element refers to a nonexistent point.
    #[error(
        "{element} {number} uses point {index}, but the mesh has {points} points (numbered from 0)"
    )]
    PointOutOfRange {
        /// Kind of the element.
        element: &'static str,
        /// Index of the element, from 0.
        number: usize,
        /// Index of the point.
        index: u32,
        /// Number of points.
        points: usize,
    },
    /// An element refers to a nonexistent group.
    #[error(
        "{element} {number} belongs to group {index}, but there are {groups} groups (numbered from 0)"
    )]
    GroupOutOfRange {
        /// Kind of the element.
        element: &'static str,
        /// Index of the element, from 0.
        number: usize,
        /// Index of the group.
        index: u32,
        /// Number of groups.
        groups: usize,
    },
    /// An attribute list has a wrong length.
    #[error("{list} must have {expected} entries, one for each {of}, not {found}")]
    LengthMismatch {
        /// Name of the list.
        list: &'static str,
        /// Kind of the items.
        of: &'static str,
        /// Required number of entries.
        expected: usize,
        /// Actual number of entries.
        found: usize,
    },
    /// A coordinate is infinite or NaN.
    #[error("point {point} has the coordinate {value}; coordinates must be finite")]
    NotFinite {
        /// Index of the point, from 0.
        point: usize,
        /// Value of the coordinate.
        value: f64,
    },
    /// The mesh has more items than 32-bit indices can address.
    #[error("the mesh has {count} {what}, the limit of one part is {limit}; partition the mesh")]
    TooMany {
        /// Kind of the items.
        what: &'static str,
        /// Number of items.
        count: usize,
        /// Maximum number of items.
        limit: usize,
    },
    /// The tolerance for merging points is out of range.
    #[error(
        "the weld tolerance must be at least {smallest:e}, the rounding error of the coordinates, not {tolerance}"
    )]
    WeldTolerance {
        /// Requested tolerance.
        tolerance: f64,
        /// Smallest valid tolerance.
        smallest: f64,
    },
    /// A surface is not symmetric under a transform.
    #[error(
        "the mesh is not symmetric: the image of the point ({}, {}, {}) is missing", point[0], point[1], point[2]
    )]
    NoImage {
        /// Point without an image.
        point: [f64; 3],
    },
}

/// Checks that are common to all kinds of mesh.
pub(crate) fn check_elements<const N: usize>(
    element: &'static str,
    elements: &[[u32; N]],
    points: usize,
    group_of: &[u32],
    groups: usize,
) -> Result<(), MeshError> {
    // The three edges of each triangle must have 32-bit indices.
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
