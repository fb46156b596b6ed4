//! Coatings on the facets of a body, and bodies without a conductor.
//!
//! A facet reflects as an infinite plane: accurate where the surface is flat over a wavelength and the coating
//! thin relative to its radius of curvature. Energy transmitted into a body without a conductor is treated as
//! lost.

use wavefield_physics::exact::sphere::Core;
use wavefield_physics::layers::{PlaneLayer, PlaneLayers, Reflection};
use wavefield_physics::material::{Material, MaterialError};

use crate::error::Error;

/// Layer stack of a facet; the mesh is its outer face.
#[derive(Clone, Debug, PartialEq)]
pub struct LayeredCoating {
    /// Thickness in m and material of every layer, from the backing outward.
    pub layers: Vec<(f64, Material)>,
    /// Material behind the layers.
    pub backing: Material,
}

impl LayeredCoating {
    /// Returns the layers at a frequency in Hz.
    pub(crate) fn at(&self, frequency: f64) -> Result<PlaneLayers, Error> {
        let refused = |source: MaterialError| Error::Material { source };
        let layers = self.layers.iter().map(|(thickness, material)| {
            match material.core(frequency).map_err(refused)? {
                Core::Medium(medium) if *thickness > 0.0 && thickness.is_finite() => {
                    Ok(PlaneLayer {
                        thickness: *thickness,
                        medium,
                    })
                }
                Core::Medium(_) => Err(Error::NotPositive {
                    key: "bodies.0.coatings.layers.thickness",
                    value: *thickness,
                }),
                Core::Pec => Err(Error::ConductingCoat),
            }
        });
        Ok(PlaneLayers {
            layers: layers.collect::<Result<_, _>>()?,
            backing: self.backing.core(frequency).map_err(refused)?,
        })
    }
}

/// Coatings of the facets of a body.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CoatingTable {
    coatings: Vec<LayeredCoating>,
    /// Coating index of every triangle; triangles without one are PEC.
    of_triangle: Vec<Option<u32>>,
}

/// Coatings at the frequencies of a wave.
#[derive(Debug)]
pub(crate) struct Coating<'a> {
    of_triangle: &'a [Option<u32>],
    frequencies: &'a [f64],
    /// Layer stacks, ordered by coating and then by frequency.
    layers: Vec<PlaneLayers>,
}

impl CoatingTable {
    /// Creates the coatings from a list and the index of each triangle's coating.
    pub(crate) fn new(
        coatings: Vec<LayeredCoating>,
        of_triangle: Vec<Option<u32>>,
        triangles: usize,
    ) -> Result<CoatingTable, Error> {
        let highest = of_triangle.iter().flatten().copied().max();
        if of_triangle.len() != triangles || highest.is_some_and(|n| n as usize >= coatings.len()) {
            return Err(Error::CoatList {
                listed: of_triangle.len(),
                triangles,
                coatings: coatings.len(),
            });
        }
        Ok(CoatingTable {
            coatings,
            of_triangle,
        })
    }

    /// Returns whether there are no coatings.
    pub(crate) fn is_empty(&self) -> bool {
        self.coatings.is_empty()
    }

    /// Returns the coatings at several frequencies in Hz.
    pub(crate) fn at<'a>(&'a self, frequencies: &'a [f64]) -> Result<Coating<'a>, Error> {
        let each = self.coatings.iter();
        Ok(Coating {
            of_triangle: &self.of_triangle,
            frequencies,
            layers: each
                .flat_map(|coating| frequencies.iter().map(|&frequency| coating.at(frequency)))
                .collect::<Result<_, _>>()?,
        })
    }
}

impl Coating<'_> {
    /// Returns whether all triangles are bare PEC.
    pub(crate) fn is_bare(&self) -> bool {
        self.layers.is_empty()
    }

    /// Returns the number of frequencies.
    pub(crate) fn frequencies(&self) -> usize {
        self.frequencies.len()
    }

    /// Returns the reflection of a triangle at one of the frequencies.
    pub(crate) fn reflection(&self, triangle: u32, cosine: f64, frequency: usize) -> Reflection {
        let layers = match self.of_triangle.get(triangle as usize) {
            Some(Some(coating)) => {
                &self.layers[*coating as usize * self.frequencies.len() + frequency]
            }
            _ => &PlaneLayers::CONDUCTOR,
        };
        layers.reflection(cosine, self.frequencies[frequency])
    }
}
