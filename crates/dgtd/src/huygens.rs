//! Huygens surface: a closed surface of faces inside the mesh, for the TF/SF source and the near-to-far-field
//! transformation.

use wavefield_numerics::vector::norm;

use crate::discretization::Discretization;
use crate::error::Error;
use crate::topology::Side;

/// Face of a Huygens surface as seen from both sides, by element and face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HuygensFace {
    /// Element and face on the inside, in the total field.
    pub inside: (u32, u8),
    /// Element and face on the outside, in the scattered field.
    pub outside: (u32, u8),
}

/// Closed Huygens surface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HuygensSurface {
    /// Faces of the surface.
    pub faces: Vec<HuygensFace>,
}

impl HuygensSurface {
    /// Creates the Huygens surface of a surface group of the mesh, by its number.
    ///
    /// # Errors
    /// The surface does not separate the mesh into an interior and an exterior.
    pub fn new(d: &Discretization, surface: u32, name: &str) -> Result<HuygensSurface, Error> {
        let on_it =
            |element: usize, face: usize| d.topology.surfaces[element][face] == Some(surface);
        let outside = reached_from_outside(d, &on_it);
        let mut faces = Vec::new();
        for element in 0..d.elements() {
            for face in (0..4).filter(|&face| on_it(element, face)) {
                let Side::Neighbor {
                    element: other,
                    face: opposite,
                } = d.topology.sides[element][face]
                else {
                    return Err(Error::OpenSurface {
                        name: name.to_owned(),
                    });
                };
                if outside[element] == outside[other as usize] {
                    return Err(Error::OpenSurface {
                        name: name.to_owned(),
                    });
                }
                if !outside[element] {
                    faces.push(HuygensFace {
                        inside: (element as u32, face as u8),
                        outside: (other, opposite),
                    });
                }
            }
        }
        if faces.is_empty() {
            return Err(Error::OpenSurface {
                name: name.to_owned(),
            });
        }
        Ok(HuygensSurface { faces })
    }
}

/// Returns for each element whether it is connected to the outermost one without crossing the surface.
fn reached_from_outside(d: &Discretization, on_it: &dyn Fn(usize, usize) -> bool) -> Vec<bool> {
    let distance = |element: usize| {
        let corners = d.corners(element);
        corners.iter().map(|&c| norm(c)).fold(0.0, f64::max)
    };
    let outermost = (0..d.elements())
        .max_by(|&a, &b| distance(a).total_cmp(&distance(b)))
        .unwrap_or(0);
    let mut reached = vec![false; d.elements()];
    reached[outermost] = true;
    let mut waiting = vec![outermost];
    while let Some(element) = waiting.pop() {
        for face in (0..4).filter(|&face| !on_it(element, face)) {
            if let Side::Neighbor { element: next, .. } = d.topology.sides[element][face]
                && !reached[next as usize]
            {
                reached[next as usize] = true;
                waiting.push(next as usize);
            }
        }
    }
    reached
}
