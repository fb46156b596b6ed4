//! A mesh made ready for computing: elements in the order of memory, with shapes, media, and layers.

use wavefield_mesh::gmsh::LAYER;
use wavefield_mesh::{BoundingBox, TetrahedralMesh};
use wavefield_numerics::vector::dot;

use crate::absorb::{LayerProfile, LayerTerms};
use crate::basis::ReferenceElement;
use crate::error::Error;
use crate::flux::FaceFlux;
use crate::geometry::Geometry;
use crate::medium::Medium;
use crate::topology::{Boundary, Side, Topology};

/// What a mesh means: a medium for each named volume, a condition for each named surface.
#[derive(Clone, Debug)]
pub struct Meaning {
    /// For each named volume its medium.
    pub media: Vec<Medium>,
    /// For each named volume whether it is an absorbing layer.
    pub layers: Vec<bool>,
    /// For each named surface its condition, `None` where waves pass.
    pub surfaces: Vec<Option<Boundary>>,
    /// The condition where the mesh ends on no named surface.
    pub outside: Boundary,
    /// How much the flux leans against the wind: 1 for upwind, 0 for central.
    pub upwind: f64,
    /// Reflection, exponent and shift (1/m) of the layers.
    pub layer: LayerShape,
}

impl Meaning {
    /// Vacuum within conducting walls, where nothing is said otherwise; volumes named "layer" absorb.
    pub fn vacuum(mesh: &TetrahedralMesh) -> Meaning {
        let volumes = mesh.volume_groups.iter();
        Meaning {
            media: vec![Medium::VACUUM; volumes.len()],
            layers: volumes.map(|group| group.name == LAYER).collect(),
            surfaces: vec![None; mesh.surface_groups.len()],
            outside: Boundary::ElectricWall,
            upwind: 1.0,
            layer: LayerShape::default(),
        }
    }
}

/// How a layer absorbs; its place follows from the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayerShape {
    /// What would come back from its outer wall at normal incidence, in continuous space.
    pub reflection: f64,
    /// Power of the distance with which the conductivity rises.
    pub exponent: f64,
    /// α of the frequency-shifted stretching, 1/m.
    pub shift: f64,
}

impl Default for LayerShape {
    fn default() -> Self {
        LayerShape {
            reflection: 1e-4,
            exponent: 2.0,
            shift: 0.1,
        }
    }
}

/// Elements with everything that is known before the first step, in double precision.
#[derive(Clone, Debug)]
pub struct Discretisation {
    /// The polynomials.
    pub reference: ReferenceElement,
    /// Neighbours and walls, in the order of memory.
    pub topology: Topology,
    /// Corners of the elements, as in the mesh.
    pub points: Vec<[f64; 3]>,
    /// Shapes.
    pub geometry: Vec<Geometry>,
    /// Media.
    pub media: Vec<Medium>,
    /// Elements from this one on are absorbing layers.
    pub first_layer: usize,
    /// The terms of the layers, by element from `first_layer`, node and component.
    pub layer_terms: Vec<[LayerTerms; 3]>,
    /// Elements of the layers in which σ would rise more steeply than nodes can follow, and was bounded.
    pub bounded_layers: usize,
    /// How much the flux leans against the wind.
    pub upwind: f64,
    /// For each element its number in the mesh.
    pub original: Vec<u32>,
}

impl Discretisation {
    /// The part of the volume outside of layers in which a wave has fewer than some nodes to its wavelength, that of vacuum
    /// being given: polynomials of order N on edges of length a have N/a nodes to a metre.
    pub fn coarse_part(&self, wavelength: f64, nodes: f64) -> f64 {
        let (mut coarse, mut whole) = (0.0, 0.0);
        let inside = self.geometry.iter().zip(&self.media);
        for (shape, medium) in inside.take(self.first_layer) {
            // The edge of a regular tetrahedron of the same volume.
            let edge = (6.0 * std::f64::consts::SQRT_2 * shape.volume).cbrt();
            let index = (medium.permittivity * medium.permeability).sqrt();
            whole += shape.volume;
            if wavelength / index * self.reference.order() as f64 / edge < nodes {
                coarse += shape.volume;
            }
        }
        coarse / whole
    }

    /// Lays out a mesh for polynomials of an order.
    ///
    /// Elements follow a space-filling curve, those of layers after all others.
    ///
    /// # Errors
    /// The order is not supported, or the mesh is empty, flat somewhere or not conforming.
    pub fn new(
        mesh: &TetrahedralMesh,
        order: usize,
        meaning: &Meaning,
    ) -> Result<Discretisation, Error> {
        let reference = ReferenceElement::new(order).ok_or(Error::Order { order })?;
        if mesh.tetrahedra.is_empty() {
            return Err(Error::EmptyMesh);
        }
        let is_layer = |element: u32| {
            let group = mesh.volume_group_of[element as usize];
            meaning.layers[group as usize]
        };
        let original = order_of_memory(mesh, &is_layer);
        let first_layer = original.partition_point(|&element| !is_layer(element));
        let mut ordered = mesh.clone();
        let at = |element: &u32| *element as usize;
        ordered.tetrahedra = original.iter().map(|e| mesh.tetrahedra[at(e)]).collect();
        ordered.volume_group_of = original
            .iter()
            .map(|e| mesh.volume_group_of[at(e)])
            .collect();
        let topology = Topology::new(&ordered, &meaning.surfaces, meaning.outside)?;
        let corners = |element: usize| topology.corners[element].map(|p| mesh.points[p as usize]);
        let geometry: Vec<Geometry> = (0..topology.len())
            .map(|e| Geometry::of(corners(e)))
            .collect();
        for (element, shape) in geometry.iter().enumerate() {
            // A tetrahedron thinner than rounding has no normal.
            let size = shape.volume.cbrt();
            if shape.inradius().is_nan() || shape.inradius() < 1e-9 * size {
                return Err(Error::FlatElement {
                    element: original[element] as usize,
                    volume: shape.volume,
                });
            }
        }
        let medium = |element: usize| meaning.media[ordered.volume_group_of[element] as usize];
        let media = (0..topology.len()).map(medium).collect();
        let mut bounded_layers = 0;
        let layer_terms = match layer_profile(&ordered, first_layer, meaning.layer) {
            None => Vec::new(),
            Some(profile) => (first_layer..topology.len())
                .flat_map(|element| {
                    let corners = corners(element);
                    let points: Vec<[f64; 3]> = (0..reference.nodes())
                        .map(|node| position(reference.barycentric(node), corners))
                        .collect();
                    let (sigma, bounded) = profile.sigma_of_element(&points);
                    bounded_layers += usize::from(bounded);
                    (sigma.into_iter())
                        .map(|sigma| LayerTerms::new(sigma, profile.shift))
                        .collect::<Vec<_>>()
                })
                .collect(),
        };
        Ok(Discretisation {
            reference,
            points: mesh.points.clone(),
            geometry,
            media,
            first_layer,
            layer_terms,
            bounded_layers,
            upwind: meaning.upwind,
            original,
            topology,
        })
    }

    /// Number of elements.
    pub fn elements(&self) -> usize {
        self.topology.len()
    }

    /// Where a node of an element lies.
    pub fn position(&self, element: usize, node: usize) -> [f64; 3] {
        position(self.reference.barycentric(node), self.corners(element))
    }

    /// The corners of an element.
    pub fn corners(&self, element: usize) -> [[f64; 3]; 4] {
        self.topology.corners[element].map(|point| self.points[point as usize])
    }

    /// The element a point lies in, and its barycentric coordinates there.
    pub fn locate(&self, point: [f64; 3]) -> Option<(usize, [f64; 4])> {
        (0..self.elements())
            .find_map(|element| Some((element, self.barycentric_within(element, point)?)))
    }

    /// The barycentric coordinates of a point in an element, if it lies there.
    pub(crate) fn barycentric_within(&self, element: usize, point: [f64; 3]) -> Option<[f64; 4]> {
        let (shape, corner) = (&self.geometry[element], self.corners(element)[0]);
        let way: [f64; 3] = std::array::from_fn(|axis| point[axis] - corner[axis]);
        let mut barycentric = shape.gradients.map(|gradient| dot(gradient, way));
        barycentric[0] += 1.0;
        (barycentric.iter().all(|&lambda| lambda > -1e-9)).then_some(barycentric)
    }

    /// The factors of the flux through a face.
    pub fn flux(&self, element: usize, face: usize) -> FaceFlux {
        let own = self.media[element];
        let other = match self.topology.sides[element][face] {
            Side::Neighbour { element, .. } => self.media[element as usize],
            Side::Boundary(_) => own,
        };
        // A wall that absorbs is a Riemann problem with nothing beyond, whatever the flux inside.
        let upwind = match self.topology.sides[element][face] {
            Side::Boundary(Boundary::Absorbing) => 1.0,
            _ => self.upwind,
        };
        FaceFlux::between(own, other, upwind)
    }
}

/// A point by its barycentric coordinates.
pub(crate) fn position(barycentric: [f64; 4], corners: [[f64; 3]; 4]) -> [f64; 3] {
    std::array::from_fn(|axis| (0..4).map(|c| barycentric[c] * corners[c][axis]).sum())
}

/// Numbers of the elements along a Morton curve, layers last.
fn order_of_memory(mesh: &TetrahedralMesh, is_layer: &dyn Fn(u32) -> bool) -> Vec<u32> {
    let Some(bounds) = mesh.bounding_box() else {
        return Vec::new();
    };
    let cell = |element: u32| {
        let corners = mesh.corners(element as usize);
        let key = (0..3).map(|axis| {
            let middle = corners.iter().map(|c| c[axis]).sum::<f64>() / 4.0;
            let size = bounds.max[axis] - bounds.min[axis];
            ((middle - bounds.min[axis]) / size * f64::from(1u32 << 20)) as u64
        });
        let key: Vec<u64> = key.collect();
        (0..21).fold(0u64, |code, bit| {
            (0..3).fold(code, |code, axis| {
                code | (key[axis] >> bit & 1) << (3 * bit + axis as u64)
            })
        })
    };
    let mut order: Vec<(bool, u64, u32)> = (0..mesh.tetrahedra.len() as u32)
        .map(|element| (is_layer(element), cell(element), element))
        .collect();
    order.sort_unstable();
    order.into_iter().map(|(_, _, element)| element).collect()
}

/// The layer around everything that is none, if there is one.
fn layer_profile(
    ordered: &TetrahedralMesh,
    first_layer: usize,
    shape: LayerShape,
) -> Option<LayerProfile> {
    if first_layer == ordered.tetrahedra.len() {
        return None;
    }
    let within: Vec<[f64; 3]> = (0..first_layer).flat_map(|e| ordered.corners(e)).collect();
    Some(LayerProfile::new(
        BoundingBox::of(&within)?,
        ordered.bounding_box()?,
        shape.reflection,
        shape.exponent,
        shape.shift,
    ))
}
