//! Discretization of a mesh: elements in memory order, with geometry, media, and PML coefficients.

use wavefield_mesh::gmsh::LAYER;
use wavefield_mesh::{BoundingBox, TetrahedralMesh};
use wavefield_numerics::vector::dot;

use crate::basis::ReferenceElement;
use crate::error::Error;
use crate::flux::FaceFlux;
use crate::geometry::Geometry;
use crate::medium::Medium;
use crate::pml::{PmlProfile, PmlTerms};
use crate::topology::{Boundary, Side, Topology};

/// Physical groups of a mesh: a medium for each volume, a boundary condition for each surface.
#[derive(Clone, Debug)]
pub struct PhysicalGroups {
    /// Medium of each named volume.
    pub media: Vec<Medium>,
    /// Whether each named volume is a PML.
    pub layers: Vec<bool>,
    /// Boundary condition of each named surface; `None` for a transparent one.
    pub surfaces: Vec<Option<Boundary>>,
    /// Boundary condition where the mesh ends on no named surface.
    pub outside: Boundary,
    /// Upwind parameter of the numerical flux: 1 upwind, 0 central.
    pub upwind: f64,
    /// Parameters of the PML.
    pub layer: PmlShape,
}

impl PhysicalGroups {
    /// Returns vacuum with a PEC outer boundary and transparent surfaces; volumes named "layer" are a PML.
    pub fn vacuum(mesh: &TetrahedralMesh) -> PhysicalGroups {
        let volumes = mesh.volume_groups.iter();
        PhysicalGroups {
            media: vec![Medium::VACUUM; volumes.len()],
            layers: volumes.map(|group| group.name == LAYER).collect(),
            surfaces: vec![None; mesh.surface_groups.len()],
            outside: Boundary::ElectricWall,
            upwind: 1.0,
            layer: PmlShape::default(),
        }
    }
}

/// Parameters of a PML; its position follows from the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PmlShape {
    /// Theoretical reflection coefficient at normal incidence, as an amplitude.
    pub reflection: f64,
    /// Exponent of the polynomial grading of the conductivity.
    pub exponent: f64,
    /// Frequency shift α of the CFS stretching, 1/m.
    pub shift: f64,
}

impl Default for PmlShape {
    fn default() -> Self {
        PmlShape {
            reflection: 1e-4,
            exponent: 2.0,
            shift: 0.1,
        }
    }
}

/// Discretization of a mesh in double precision: all that is constant during a run.
#[derive(Clone, Debug)]
pub struct Discretization {
    /// Reference element of the polynomial order.
    pub reference: ReferenceElement,
    /// Neighbors and boundaries of the elements, in memory order.
    pub topology: Topology,
    /// Points of the mesh, m.
    pub points: Vec<[f64; 3]>,
    /// Geometry of each element.
    pub geometry: Vec<Geometry>,
    /// Medium of each element.
    pub media: Vec<Medium>,
    /// Index of the first PML element; all that follow are PML elements too.
    pub first_layer: usize,
    /// PML coefficients by element from `first_layer`, node, and component.
    pub layer_terms: Vec<[PmlTerms; 3]>,
    /// Number of PML elements in which σ was bounded, because its gradient is too large for the nodes.
    pub bounded_layers: usize,
    /// Profile of the PML, if there is one.
    pub profile: Option<PmlProfile>,
    /// Upwind parameter of the numerical flux: 1 upwind, 0 central.
    pub upwind: f64,
    /// Index of each element in the mesh.
    pub original: Vec<u32>,
}

impl Discretization {
    /// Returns the volume fraction outside the PML with fewer than `nodes` nodes per wavelength; `wavelength` is that
    /// in vacuum, m.
    ///
    /// Polynomials of order N on edges of length a have N/a nodes per meter.
    pub fn coarse_part(&self, wavelength: f64, nodes: f64) -> f64 {
        let (mut coarse, mut whole) = (0.0, 0.0);
        let inside = self.geometry.iter().zip(&self.media);
        for (shape, medium) in inside.take(self.first_layer) {
            // Edge length of a regular tetrahedron of the same volume.
            let edge = (6.0 * std::f64::consts::SQRT_2 * shape.volume).cbrt();
            let index = (medium.permittivity * medium.permeability).sqrt();
            whole += shape.volume;
            if wavelength / index * self.reference.order() as f64 / edge < nodes {
                coarse += shape.volume;
            }
        }
        coarse / whole
    }

    /// Discretizes a mesh with polynomials of an order.
    ///
    /// Elements follow a space-filling (Morton) curve; PML elements come after all others.
    ///
    /// # Errors
    /// The order is not supported, or the mesh is empty, nonconforming, or has a degenerate tetrahedron.
    pub fn new(
        mesh: &TetrahedralMesh,
        order: usize,
        physical_groups: &PhysicalGroups,
    ) -> Result<Discretization, Error> {
        let reference = ReferenceElement::new(order).ok_or(Error::Order { order })?;
        if mesh.tetrahedra.is_empty() {
            return Err(Error::EmptyMesh);
        }
        let is_layer = |element: u32| {
            let group = mesh.volume_group_of[element as usize];
            physical_groups.layers[group as usize]
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
        let topology = Topology::new(&ordered, &physical_groups.surfaces, physical_groups.outside)?;
        let corners = |element: usize| topology.corners[element].map(|p| mesh.points[p as usize]);
        let geometry: Vec<Geometry> = (0..topology.len())
            .map(|e| Geometry::of(corners(e)))
            .collect();
        for (element, shape) in geometry.iter().enumerate() {
            // The normals of a tetrahedron thinner than rounding are undefined.
            let size = shape.volume.cbrt();
            if shape.inradius().is_nan() || shape.inradius() < 1e-9 * size {
                return Err(Error::FlatElement {
                    element: original[element] as usize,
                    volume: shape.volume,
                });
            }
        }
        let medium =
            |element: usize| physical_groups.media[ordered.volume_group_of[element] as usize];
        let media = (0..topology.len()).map(medium).collect();
        let mut discretization = Discretization {
            reference,
            points: mesh.points.clone(),
            geometry,
            media,
            first_layer,
            layer_terms: Vec::new(),
            bounded_layers: 0,
            profile: layer_profile(&ordered, first_layer, physical_groups.layer),
            upwind: physical_groups.upwind,
            original,
            topology,
        };
        discretization.compute_layer_terms();
        Ok(discretization)
    }

    /// Returns the discretization of the same mesh with polynomials of another order.
    ///
    /// # Errors
    /// The order is not supported.
    pub(crate) fn at_order(&self, order: usize) -> Result<Discretization, Error> {
        let mut other = Discretization {
            reference: ReferenceElement::new(order).ok_or(Error::Order { order })?,
            topology: self.topology.clone(),
            points: self.points.clone(),
            geometry: self.geometry.clone(),
            media: self.media.clone(),
            first_layer: self.first_layer,
            layer_terms: Vec::new(),
            bounded_layers: 0,
            profile: self.profile,
            upwind: self.upwind,
            original: self.original.clone(),
        };
        other.compute_layer_terms();
        Ok(other)
    }

    /// Computes the PML coefficients at the nodes.
    fn compute_layer_terms(&mut self) {
        let Some(profile) = self.profile else {
            return;
        };
        let nodes = self.reference.nodes();
        let mut terms = Vec::with_capacity((self.elements() - self.first_layer) * nodes);
        for element in self.first_layer..self.elements() {
            let points: Vec<[f64; 3]> = (0..nodes)
                .map(|node| self.position(element, node))
                .collect();
            let (sigma, bounded) = profile.sigma_of_element(&points);
            self.bounded_layers += usize::from(bounded);
            terms.extend((sigma.into_iter()).map(|sigma| PmlTerms::new(sigma, profile.shift)));
        }
        self.layer_terms = terms;
    }

    /// Returns the memory of the discretization, in bytes.
    pub(crate) fn memory(&self) -> usize {
        size_of_val(self.topology.corners.as_slice())
            + size_of_val(self.topology.sides.as_slice())
            + size_of_val(self.topology.surfaces.as_slice())
            + size_of_val(self.points.as_slice())
            + size_of_val(self.geometry.as_slice())
            + size_of_val(self.media.as_slice())
            + size_of_val(self.layer_terms.as_slice())
            + size_of_val(self.original.as_slice())
    }

    /// Returns the number of elements.
    pub fn elements(&self) -> usize {
        self.topology.len()
    }

    /// Returns the position of a node of an element, m.
    pub fn position(&self, element: usize, node: usize) -> [f64; 3] {
        position(self.reference.barycentric(node), self.corners(element))
    }

    /// Returns the corners of an element, m.
    pub fn corners(&self, element: usize) -> [[f64; 3]; 4] {
        self.topology.corners[element].map(|point| self.points[point as usize])
    }

    /// Returns the element that contains a point, and the point's barycentric coordinates there.
    pub fn locate(&self, point: [f64; 3]) -> Option<(usize, [f64; 4])> {
        (0..self.elements())
            .find_map(|element| Some((element, self.barycentric_within(element, point)?)))
    }

    /// Returns the barycentric coordinates of a point in an element, if the element contains it.
    pub(crate) fn barycentric_within(&self, element: usize, point: [f64; 3]) -> Option<[f64; 4]> {
        let (shape, corner) = (&self.geometry[element], self.corners(element)[0]);
        let way: [f64; 3] = std::array::from_fn(|axis| point[axis] - corner[axis]);
        let mut barycentric = shape.gradients.map(|gradient| dot(gradient, way));
        barycentric[0] += 1.0;
        (barycentric.iter().all(|&lambda| lambda > -1e-9)).then_some(barycentric)
    }

    /// Returns the coefficients of the numerical flux through a face.
    pub fn flux(&self, element: usize, face: usize) -> FaceFlux {
        let own = self.media[element];
        let other = match self.topology.sides[element][face] {
            Side::Neighbor { element, .. } => self.media[element as usize],
            Side::Boundary(_) => own,
        };
        // The Silver–Müller condition is the upwind flux from an empty exterior, whatever the flux inside.
        let upwind = match self.topology.sides[element][face] {
            Side::Boundary(Boundary::Absorbing) => 1.0,
            _ => self.upwind,
        };
        FaceFlux::between(own, other, upwind)
    }
}

/// Returns the point with given barycentric coordinates.
pub(crate) fn position(barycentric: [f64; 4], corners: [[f64; 3]; 4]) -> [f64; 3] {
    std::array::from_fn(|axis| (0..4).map(|c| barycentric[c] * corners[c][axis]).sum())
}

/// Returns the indices of the elements along a Morton curve, PML elements last.
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

/// Returns the profile of the PML around all other elements, if there is a PML.
fn layer_profile(
    ordered: &TetrahedralMesh,
    first_layer: usize,
    shape: PmlShape,
) -> Option<PmlProfile> {
    if first_layer == ordered.tetrahedra.len() {
        return None;
    }
    let within: Vec<[f64; 3]> = (0..first_layer).flat_map(|e| ordered.corners(e)).collect();
    Some(PmlProfile::new(
        BoundingBox::of(&within)?,
        ordered.bounding_box()?,
        shape.reflection,
        shape.exponent,
        shape.shift,
    ))
}
