//! Largest stable time step (CFL condition), from the shapes of the elements.
//!
//! Polynomials u of order N on a tetrahedron K satisfy a trace inequality ∫_∂K u² ≤ b ∫_K u². Upwind fluxes dissipate
//! |ΔE|²/(Z⁺ + Z⁻) + |ΔH|²/(Y⁺ + Y⁻) per area of a face. With |ΔE|² ≤ (1 + Z⁺/Z⁻)|E⁻|² + (1 + Z⁻/Z⁺)|E⁺|², and the same
//! for H and Y, each side is left with its own Y|E|² + Z|H|², so that no eigenvalue of the operator has a real part
//! below −c b of the worst element. PEC boundaries and ports of low resistance reach that bound. Eigenvalues with large
//! imaginary parts scale alike: c b Δt at the stability limit depends little on the shape.
//!
//! b is found from the four face areas A over 3V, s₁ ≥ s₂ ≥ s₃ ≥ s₄, by convexity. It is the largest eigenvalue of
//! Σ s T over faces, where T is the trace operator of a face, and hence at most
//!
//!   (s₁ − s₂) β₁ + 2 (s₂ − s₃) β₂ + 3 (s₃ − s₄) β₃ + 4 s₄ β₄,
//!
//! with β_k the largest eigenvalue of the mean of k operators T. β₁ = (N + 1)(N + 3): T. Warburton, J. S. Hesthaven,
//! Comput. Methods Appl. Mech. Engrg. 192 (2003) 2765–2773. The bound is exact for a flat layer, where s₁ = s₂ and s₃ =
//! s₄ = 0, and for slivers and regular tetrahedra, where all are equal. The radius of the inscribed sphere, 1/Σs, would
//! not distinguish these cases, although b differs by up to 1.6.

use crate::discretization::Discretization;
use crate::geometry::Geometry;

/// Eigenvalues β_k for orders 1 to 8, rounded up.
const TRACES: [[f64; 4]; 8] = [
    [8.0, 6.4495, 5.6331, 5.0],
    [15.0, 11.2975, 9.4472, 8.4461],
    [24.0, 17.5322, 14.3658, 11.7912],
    [35.0, 25.1538, 20.3929, 16.9143],
    [48.0, 34.1617, 27.5217, 21.7022],
    [63.0, 44.5558, 35.7501, 28.4944],
    [80.0, 56.3359, 45.0774, 34.8403],
    [99.0, 69.5021, 55.5031, 43.2702],
];

/// Largest stable c b Δt of LSRK4(5) for orders 1 to 8.
///
/// Each is the minimum over slivers, caps, needles, wedges, spindles, and cells of lattices, as single elements between
/// PEC and PMC boundaries in any combination, with aspect ratios up to 1 : 100 at orders 1 to 3, 1 : 50 at 4 and 5, and
/// 1 : 33 above. Slivers are the worst. Flat layers and cubes of six tetrahedra reach 4.97 to 5.6, regular tetrahedra
/// 5.7 to 6.0, and tetrahedra that are alone among larger ones about twice as much.
const LIMITS: [f64; 8] = [4.48, 4.77, 4.80, 4.95, 4.98, 5.09, 5.11, 5.18];

/// Maximum damping rate times the time step; LSRK4(5) is stable up to 4.6.
const DAMPING: f64 = 3.0;

/// Returns the largest stable time step times the speed of light, m; conductivities and the PML reduce it.
pub fn stable_step(discretization: &Discretization) -> f64 {
    let d = discretization;
    let (nodes, order) = (d.reference.nodes(), d.reference.order());
    let inverse = |element: usize| {
        let medium = d.media[element];
        let mut damping = (medium.electric_loss / medium.permittivity)
            .max(medium.magnetic_loss / medium.permeability);
        if element >= d.first_layer {
            let first = (element - d.first_layer) * nodes;
            for terms in d.layer_terms[first..first + nodes].iter().flatten() {
                damping = damping.max(terms.own.abs()).max(terms.first_decay);
            }
        }
        let rate = medium.speed() * trace_constant(&d.geometry[element], order);
        rate / LIMITS[order - 1] + damping / DAMPING
    };
    (0..d.elements()).map(inverse).fold(0.0, f64::max).recip()
}

/// Returns b in ∫_∂K u² ≤ b ∫_K u² for polynomials of an order, 1/m.
fn trace_constant(shape: &Geometry, order: usize) -> f64 {
    let mut scales: [f64; 4] = std::array::from_fn(|face| 0.5 * shape.face_scale(face));
    scales.sort_by(|a, b| b.total_cmp(a));
    let next = [scales[1], scales[2], scales[3], 0.0];
    (TRACES[order - 1].iter().zip(1..))
        .zip(scales.iter().zip(next))
        .map(|((beta, k), (own, next))| f64::from(k) * beta * (own - next))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::basis::ReferenceElement;

    /// Returns the largest eigenvalue of the weighted sum of the trace operators, by power iteration.
    fn largest(reference: &ReferenceElement, weights: [f64; 4]) -> f64 {
        let (nodes, on_face) = (reference.nodes(), reference.nodes_on_face());
        let mut field: Vec<f64> = (0..nodes).map(|i| (1.3 + i as f64).sin()).collect();
        let mut eigenvalue = 0.0;
        for _ in 0..400 {
            let trace: Vec<f64> = (0..4)
                .flat_map(|face| (reference.face_nodes(face).iter()).map(move |&node| (face, node)))
                .map(|(face, node)| 2.0 * weights[face] * field[node])
                .collect();
            let lifted: Vec<f64> = (0..nodes)
                .map(|node| {
                    (reference.lift(node).iter().zip(&trace))
                        .map(|(l, t)| l * t)
                        .sum()
                })
                .collect();
            assert_eq!(trace.len(), 4 * on_face);
            let size = |field: &[f64]| -> f64 { field.iter().map(|x| x * x).sum::<f64>().sqrt() };
            eigenvalue = size(&lifted) / size(&field);
            let scale = size(&lifted).recip();
            field = lifted.iter().map(|x| scale * x).collect();
        }
        eigenvalue
    }

    #[test]
    fn trace_constants_are_eigenvalues_of_the_lift() {
        for order in 1..=8 {
            let reference = ReferenceElement::new(order).unwrap();
            for (k, beta) in (1..).zip(TRACES[order - 1]) {
                let weight = |face: usize| if face < k { 1.0 / k as f64 } else { 0.0 };
                let found = largest(&reference, std::array::from_fn(weight));
                // The constants are rounded up in the fourth decimal.
                assert!(
                    (-1e-9..3e-4).contains(&(beta - found)),
                    "order {order}, {k} faces: {beta}, found {found}"
                );
            }
        }
    }

    #[test]
    fn the_trace_constant_bounds_every_shape_closely() {
        let mut seed = 0.3_f64;
        let mut random = || {
            seed = (seed * 997.0 + 0.1234).fract();
            seed - 0.5
        };
        for order in [1, 2, 3, 5] {
            let reference = ReferenceElement::new(order).unwrap();
            for _ in 0..40 {
                let stretch = [1.0, 10f64.powf(2.0 * random()), 10f64.powf(2.0 * random())];
                let corners = [[0.0; 3]; 4].map(|c: [f64; 3]| {
                    let mut axis = 0;
                    c.map(|_| {
                        axis += 1;
                        stretch[axis - 1] * random()
                    })
                });
                let shape = Geometry::of(corners);
                let scales = std::array::from_fn(|face| 0.5 * shape.face_scale(face));
                let exact = largest(&reference, scales);
                let ratio = trace_constant(&shape, order) / exact;
                // The worst ratio is 1.156, at order 8 if one face has half of the area.
                assert!(
                    (1.0 - 1e-6..1.16).contains(&ratio),
                    "order {order}: {ratio}"
                );
            }
        }
    }
}
