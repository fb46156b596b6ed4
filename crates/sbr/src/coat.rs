//! Coats on the facets of a body, and bodies that do not conduct.
//!
//! A facet reflects as the plane through it would: right where the surface is flat over a wavelength and the coat
//! thin against its radius of curvature. What a body without metal lets through is taken as lost in it.

use wavefield_physics::exact::sphere::Core;
use wavefield_physics::layers::{PlaneLayer, PlaneLayers, Reflection};
use wavefield_physics::material::{Material, MaterialError};

use crate::error::Error;

/// What facets are made of; the mesh is the outer face.
#[derive(Clone, Debug, PartialEq)]
pub struct Coat {
    /// Thickness in m and material of every layer, from the backing outwards.
    pub layers: Vec<(f64, Material)>,
    /// What is behind them.
    pub backing: Material,
}

impl Coat {
    /// The layers at a frequency.
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

/// Coats of a body's facets.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Coats {
    coats: Vec<Coat>,
    /// The coat of every triangle; those beyond the list conduct.
    of_triangle: Vec<Option<u32>>,
}

/// Coats at the frequencies of a wave.
#[derive(Debug)]
pub(crate) struct Coating<'a> {
    of_triangle: &'a [Option<u32>],
    frequencies: &'a [f64],
    /// Coat by coat and within one frequency by frequency.
    layers: Vec<PlaneLayers>,
}

impl Coats {
    /// Takes the coats, and which of them each triangle has.
    pub(crate) fn new(
        coats: Vec<Coat>,
        of_triangle: Vec<Option<u32>>,
        triangles: usize,
    ) -> Result<Coats, Error> {
        let highest = of_triangle.iter().flatten().copied().max();
        if of_triangle.len() != triangles || highest.is_some_and(|n| n as usize >= coats.len()) {
            return Err(Error::CoatList {
                listed: of_triangle.len(),
                triangles,
                coats: coats.len(),
            });
        }
        Ok(Coats { coats, of_triangle })
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.coats.is_empty()
    }

    /// The coats at some frequencies.
    pub(crate) fn at<'a>(&'a self, frequencies: &'a [f64]) -> Result<Coating<'a>, Error> {
        let each = self.coats.iter();
        Ok(Coating {
            of_triangle: &self.of_triangle,
            frequencies,
            layers: each
                .flat_map(|coat| frequencies.iter().map(|&frequency| coat.at(frequency)))
                .collect::<Result<_, _>>()?,
        })
    }
}

impl Coating<'_> {
    /// Whether all triangles are bare conductors.
    pub(crate) fn is_bare(&self) -> bool {
        self.layers.is_empty()
    }

    /// Number of frequencies.
    pub(crate) fn frequencies(&self) -> usize {
        self.frequencies.len()
    }

    /// How a triangle reflects at one of them.
    pub(crate) fn reflection(&self, triangle: u32, cosine: f64, frequency: usize) -> Reflection {
        let layers = match self.of_triangle.get(triangle as usize) {
            Some(Some(coat)) => &self.layers[*coat as usize * self.frequencies.len() + frequency],
            _ => &PlaneLayers::CONDUCTOR,
        };
        layers.reflection(cosine, self.frequencies[frequency])
    }
}
