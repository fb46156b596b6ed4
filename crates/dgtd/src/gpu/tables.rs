//! Constant buffers of the kernels: operators, faces, geometry, media, PML coefficients.

use super::layout::{FACE, SHAPE, TERMS};
use crate::basis::ReferenceElement;
use crate::discretization::Discretization;
use crate::pml::PmlTerms;
use crate::topology::Side;

/// Flag of a face on a boundary; as in `stage.wgsl`.
const WALL: u32 = 1 << 31;
/// Number of face nodes at the maximum order; as in `stage.wgsl`.
const MAX_ON_FACE: usize = 45;

/// Returns ∂/∂r, ∂/∂s, and ∂/∂t by column and row, then the lift by groups of four face nodes and by row.
pub(super) fn operators(reference: &ReferenceElement) -> Vec<[f32; 4]> {
    let nodes = reference.nodes();
    let [r, s, t] = reference.derivatives();
    let derivatives = (0..nodes * nodes).map(|at| {
        let (column, row) = (at / nodes, at % nodes);
        [
            r.row(row)[column],
            s.row(row)[column],
            t.row(row)[column],
            0.0,
        ]
    });
    let lift = (0..reference.nodes_on_face() * nodes).map(|at| {
        let (four, row) = (at / nodes, at % nodes);
        std::array::from_fn(|k| reference.lift(row)[4 * four + k])
    });
    derivatives
        .chain(lift)
        .map(|numbers: [f64; 4]| numbers.map(|x| x as f32))
        .collect()
}

/// Returns the nodes of the four faces.
pub(super) fn face_nodes(reference: &ReferenceElement) -> [[u32; 4]; MAX_ON_FACE] {
    std::array::from_fn(|i| {
        std::array::from_fn(|face| reference.face_nodes(face).get(i).map_or(0, |&n| n as u32))
    })
}

/// Returns the mass matrix ∫ Lᵢ Lⱼ, row after row.
pub(super) fn mass(reference: &ReferenceElement) -> Vec<f32> {
    (0..reference.nodes())
        .flat_map(|i| reference.mass().row(i))
        .map(|&x| x as f32)
        .collect()
}

/// Returns the numerical flux and the other side of every face of every element.
pub(super) fn faces(d: &Discretization) -> Vec<[u32; FACE]> {
    (0..4 * d.elements())
        .map(|at| {
            let (element, face) = (at / 4, at % 4);
            let (shape, flux) = (&d.geometry[element], d.flux(element, face));
            let beyond = match d.topology.sides[element][face] {
                Side::Neighbor { element, face } => 4 * element + u32::from(face),
                Side::Boundary(boundary) => {
                    // Factors −1, 0, or 1 as 0, 1, or 2.
                    let [e, h] = boundary.mirror().map(|factor| (factor + 1.0) as u32);
                    WALL | h << 2 | e
                }
            };
            let [x, y, z] = shape.normal(face).map(|n| (n as f32).to_bits());
            let scaled = |factor: f64| ((shape.face_scale(face) * factor) as f32).to_bits();
            let [turned, tangential] = [flux.cross, flux.penalty].map(|pair| pair.map(scaled));
            [
                x,
                y,
                z,
                beyond,
                turned[0],
                turned[1],
                tangential[0],
                tangential[1],
            ]
        })
        .collect()
}

/// Returns the gradients and media of the elements.
pub(super) fn shapes(d: &Discretization) -> Vec<[f32; SHAPE]> {
    let shape = |element: usize| {
        let ([r, s, t], medium) = (d.geometry[element].reference_gradients(), d.media[element]);
        let decay = [
            medium.electric_loss / medium.permittivity,
            medium.magnetic_loss / medium.permeability,
        ];
        let numbers: [f64; SHAPE] = [
            r[0],
            r[1],
            r[2],
            medium.permittivity.recip(),
            s[0],
            s[1],
            s[2],
            medium.permeability.recip(),
            t[0],
            t[1],
            t[2],
            decay[0],
            decay[1],
            0.0,
            0.0,
            0.0,
        ];
        numbers.map(|x| x as f32)
    };
    (0..d.elements()).map(shape).collect()
}

/// Returns half of ε and of μ times the Jacobian, for elements outside the PML.
pub(super) fn densities(d: &Discretization) -> Vec<[f32; 2]> {
    (0..d.first_layer)
        .map(|element| {
            // The reference tetrahedron has a volume of 4/3.
            let half = 0.5 * 0.75 * d.geometry[element].volume;
            let medium = d.media[element];
            [medium.permittivity, medium.permeability].map(|x| (half * x) as f32)
        })
        .collect()
}

/// Returns the PML coefficients c₀, b₁, b₂, α + σ, and α, as `[element][coefficient][direction][node]`.
pub(super) fn terms(d: &Discretization) -> Vec<f32> {
    let which: [fn(&PmlTerms) -> f64; TERMS / 3] = [
        |t| t.own,
        |t| t.first,
        |t| t.second,
        |t| t.first_decay,
        |t| t.second_decay,
    ];
    let mut numbers = Vec::with_capacity(TERMS * d.layer_terms.len());
    for element in d.layer_terms.chunks(d.reference.nodes()) {
        for term in which {
            for direction in 0..3 {
                numbers.extend(element.iter().map(|node| term(&node[direction]) as f32));
            }
        }
    }
    // A mesh of PML elements only has no profile; its coefficients are zero.
    let layers = d.elements() - d.first_layer;
    numbers.resize(TERMS * d.reference.nodes() * layers, 0.0);
    numbers
}
